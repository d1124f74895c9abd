"""docs/commands.md and the end of docs/settings.md: what GDB's own `help` says of every command, function and setting
of jitscope; and the terms of docs/glossary.md: what `jit help TERM` says.

python -m tests.readme.commands    writes all three anew
"""

from __future__ import annotations

import json
import pathlib
import re
import textwrap

from tests.gdb.harness import run
from tests.interpreters import ROOT

FILE = ROOT / "docs" / "commands.md"
SETTINGS = ROOT / "docs" / "settings.md"
GLOSSARY = ROOT / "docs" / "glossary.md"
# What follows is generated: to the end of docs/settings.md, and to the next heading of docs/glossary.md.
MARK = "<!-- Written by python -m tests.readme.commands. -->\n"
SCHEMAS = ROOT / "docs" / "schema"

HEAD = """\
# Commands

What `help jit` and `help jit COMMAND` say in GDB, and the schema of each command's `-json`. Options stand
anywhere in a command, `--` ends them, and their names may be shortened (in front of an expression only: `a -w` is a
difference). Tab completes all of it. [Settings](settings.md) has what `set jitscope` changes.

The output of an example is what GDB shows; addresses, folders (`.../`), versions, and numbers of processes and threads
differ between machines. `tests/gdb/test_help_examples.py` plays each example. This file is written by
`python -m tests.readme.commands`; `tests/readme` fails when it is not what GDB says.
"""


def generate() -> str:
    """Return the text of docs/commands.md, from a GDB with jitscope in it."""
    names = subcommands("jit")
    said = run([*(f"help jit {name}" for name in names), "help function jit", "help function jit_str"])
    parts = [HEAD]
    for name in names:
        parts.append(f"## `jit {name}`\n\n```text\n{said.of(f'help jit {name}').strip()}\n```\n")
        schema = SCHEMAS / f"{'locals' if name == 'args' else name}.json"
        if schema.exists():
            title = json.loads(schema.read_text("utf-8")).get("title", name)
            parts.append(f"JSON: [{title}](schema/{schema.name})\n")
    for function in ("jit", "jit_str"):
        said_of = said.of(f"help function {function}").strip()
        parts.append(f'## `${function}("EXPR")`\n\n```text\n{said_of}\n```\n')
    return "\n".join(parts)


def generate_settings() -> str:
    """Return the generated end of docs/settings.md."""
    names = subcommands("set jitscope")
    said = run([f"{verb} jitscope {name}" for name in names for verb in ("help set", "show")])
    parts = []
    for name in names:
        texts = [said.of(f"{verb} jitscope {name}").strip() for verb in ("help set", "show")]
        parts.append(f"\n### `set jitscope {name}`\n\n```text\n{texts[0]}\n```\n\n```text\n{texts[1]}\n```\n")
    return "".join(parts)


def generate_terms() -> str:
    """Return the list of terms in docs/glossary.md; the documents that they name become links."""
    ask = "python import json; from jitscope_gdb.commands import terms; print(json.dumps(terms.TERMS))"
    entries = []
    for name, meaning, advice, _ in json.loads(run([ask]).of(ask)):
        text = re.sub(r"\bdocs/([\w./-]+\.(?:md|json))", r"[\1](\1)", f"- **{name}**: {meaning} {advice}")
        text = re.sub(r"`.*?`", lambda code: code[0].replace(" ", "\0"), text)  # a line ends in no code
        entries.append(
            textwrap.fill(text, 115, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False).replace(
                "\0", " "
            )
        )
    return "\n" + "\n".join(entries) + "\n"


def with_terms(page: str) -> str:
    """Return docs/glossary.md with its terms written anew."""
    head, mark, rest = page.partition(MARK)
    return head + mark + generate_terms() + rest[rest.index("\n## ") :]


def subcommands(prefix: str) -> list[str]:
    """Return the commands that GDB lists below a prefix."""
    said = run([f"help {prefix}"]).of(f"help {prefix}")
    return re.findall(rf"^{prefix} (\S+) -- ", said, re.MULTILINE)


def written() -> str:
    return pathlib.Path(FILE).read_text("utf-8")


if __name__ == "__main__":
    FILE.write_text(generate(), "utf-8")
    SETTINGS.write_text(SETTINGS.read_text("utf-8").partition(MARK)[0] + MARK + generate_settings(), "utf-8")
    GLOSSARY.write_text(with_terms(GLOSSARY.read_text("utf-8")), "utf-8")
