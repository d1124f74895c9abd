"""docs/commands.md: the output of GDB's own `help` for every command, setting and function of jitscope.

python -m tests.readme.commands    writes it anew"""

from __future__ import annotations

import json
import pathlib
import re

from tests.gdb.harness import run
from tests.interpreters import ROOT

FILE = ROOT / "docs" / "commands.md"
SCHEMAS = ROOT / "docs" / "schema"

HEAD = """\
# Commands

What `help jit` and `help jit COMMAND` say in GDB, and the schema of each command's `-json`. Options stand
anywhere in a command, `--` ends them, and their names may be shortened (in front of an expression only: `a -w` is a
difference). Tab completes all of it.

The output of an example is what GDB shows; addresses, folders (`.../`), versions, and numbers of processes and threads
differ between machines. `tests/gdb/test_help_examples.py` plays each example. This file is written by
`python -m tests.readme.commands`; `tests/readme` fails when it is not what GDB says.
"""


def generate() -> str:
    """Return the text of docs/commands.md, from a GDB with jitscope in it."""
    names = subcommands("jit")
    settings = subcommands("set jitscope")
    asked = [f"help jit {name}" for name in names] + [f"help set jitscope {name}" for name in settings]
    said = run([*asked, *(f"show jitscope {name}" for name in settings), "help function jit", "help function jit_str"])
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
    parts.append("## Settings\n")
    for name in settings:
        text = said.of(f"help set jitscope {name}").strip()
        now = said.of(f"show jitscope {name}").strip()
        parts.append(f"### `set jitscope {name}`\n\n```text\n{text}\n```\n\nWithout it: {now}\n")
    return "\n".join(parts)


def subcommands(prefix: str) -> list[str]:
    """Return the commands that GDB lists below a prefix."""
    said = run([f"help {prefix}"]).of(f"help {prefix}")
    return re.findall(rf"^{prefix} (\S+) -- ", said, re.MULTILINE)


def written() -> str:
    return pathlib.Path(FILE).read_text("utf-8")


if __name__ == "__main__":
    FILE.write_text(generate(), "utf-8")
