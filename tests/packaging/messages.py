"""Finds the messages that no test has: `python -m tests.packaging.messages`.

A message is a text of the code that a user can meet: one that is given to an error, to a warning or to what writes,
or any other string with at least three words. Its fixed parts are what formats leave. A test has the message if one of
the test's texts contains the longest fixed part, or is itself a piece of it. The transcripts of the documents count as
texts of tests, since tests/readme plays them. Long help texts are left out."""

from __future__ import annotations

import argparse
import ast
import functools
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.interpreters import ROOT

LIMITS = Path(__file__).with_suffix(".json")
SOURCES = {
    "commands": ("gdbext/jitscope_gdb", "*.py"),
    "command line": ("runtime/python/jitscope", "*.py"),
    "C library": ("runtime/inspect", "*.c"),
    "inferior": ("runtime/inferior", "*.c"),
}
# docs/glossary.md has the texts of labels.py and terms.py, and tests compare them; comments of the shells' scripts and
# the forms of Python's own reprs are none.
SKIPPED = (
    "gdbext/jitscope_gdb/commands/labels.py",
    "gdbext/jitscope_gdb/commands/terms.py",
    "runtime/python/jitscope/cli/shells/bash.py",
    "runtime/python/jitscope/cli/shells/posix.py",
    "runtime/python/jitscope/cli/shells/zsh.py",
    "runtime/inspect/layouts/cpython/templates.c",
)
SINKS = {"Problem", "Shown", "GdbError", "warn", "say", "write", "error", "print", "_note"}
SINKS |= {"OSError", "FileNotFoundError", "RuntimeError", "TypeError", "ValueError", "TypingError", "MemoryError"}
# What these are called with is no message: commands of GDB, code, patterns, help texts.
NO_SINKS = {
    "execute",
    "text_of",
    "parse_and_eval",
    "compile",
    "search",
    "match",
    "sub",
    "fullmatch",
    "findall",
    "split",
}
NO_SINKS |= {"lookup_type", "getenv", "startswith", "endswith", "partition", "encode", "Switch", "OwnOption"}
NO_MESSAGES = {"_OWN", "DESCRIPTION", "SUMMARY"}
HELP = {"help", "description", "epilog", "metavar", "prog"}
GRAMMAR = set(
    "a an the is are was were be been has have had does do did can cannot may must will would of in to for from with by"
    " without at on here there no not nothing none too it its this that which and or but than so as what where when why"
    " if more only already another other left yet one".split()
)
HELP_TEXT = 240  # a longer text explains a command
LEAST = 12  # characters of a part that a test has to have
GAP = "\0"


class Message(NamedTuple):
    """A text with GAP where a format puts something."""

    place: str
    text: str

    @property
    def longest(self) -> str:
        return max((trimmed(part) for part in self.text.split(GAP)), key=len)


def trimmed(text: str) -> str:
    return " ".join(text.split()).strip(" .,:;()`'\"<>")


def is_prose(text: str) -> bool:
    """True if the text has three words, one of them such as no list of names, no JSON and no assembly has."""
    if re.fullmatch(r"[\[{][\[\]{}a-zA-Z? ]*[\]}]", text) or text.startswith('"'):
        return False  # the format of a JSON value, for json_pack(), or a part of one
    words = re.findall(r"(?<![\w/$%.-])[A-Za-z'`]+(?=[ ,;:.?!)'`\">]|$)", text)
    return len(words) >= 3 and not GRAMMAR.isdisjoint(map(str.lower, words))


def parts_of(node: ast.expr) -> str | None:
    """Return the text of a string or of a formatted one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            each.value if isinstance(each, ast.Constant) and isinstance(each.value, str) else GAP
            for each in node.values
        )
    return None


def python_texts(tree: ast.AST, is_test: bool = False) -> Iterator[tuple[int, str, bool]]:
    """Yield the line and the text of each string, and whether it is given to one of SINKS; docstrings are left out, and
    in the code that is tested also help texts and what NO_SINKS take."""
    queue: list[tuple[ast.AST, bool]] = [(tree, False)]
    while queue:
        node, is_given = queue.pop()
        if isinstance(node, ast.expr) and (text := parts_of(node)) is not None:
            yield node.lineno, text, is_given
            if isinstance(node, ast.JoinedStr):
                queue += [(each.value, False) for each in node.values if isinstance(each, ast.FormattedValue)]
            continue
        skipped: list[ast.AST] = []
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            skipped.append(node.body[0])
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            is_given = name in SINKS
            skipped += [each for each in node.keywords if each.arg in HELP and not is_test]
            skipped += node.args if name in NO_SINKS and not is_test else []
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and not is_test:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            skipped += [node.value] if any(getattr(each, "id", "") in NO_MESSAGES for each in targets) else []
        elif not isinstance(node, (ast.IfExp, ast.BinOp, ast.Starred)):
            is_given = False
        queue += [(each, is_given) for each in ast.iter_child_nodes(node) if each not in skipped]


STRING = r'"(?:\\.|[^"\\\n])*"'


def c_texts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string but those of the compiler; strings side by side are one."""
    blank = re.sub(
        rf"_Static_assert\([^;]*;|{STRING}|'(?:\\.|[^'\\\n])+'|/\*.*?\*/|//[^\n]*|^[ \t]*#[ \t]*include[^\n]*",
        lambda found: found[0] if found[0].startswith('"') else re.sub(r"[^\n]", " ", found[0]),
        text,
        flags=re.DOTALL | re.MULTILINE,
    )
    for found in re.finditer(rf"{STRING}(?:(?:\s|\\\n|\bPRI\w+)*{STRING})*", blank):
        pieces = re.findall(STRING, found[0])
        joined = "".join(piece[1:-1] for piece in pieces)
        joined = re.sub(r"%%|%[-+#0-9.*]*(?:hh|h|ll|l|z|j|t)?[a-zA-Z]?", GAP, joined)
        joined = joined.replace("\\n", " ").replace('\\"', '"').replace("\\\\", "\\")
        yield text.count("\n", 0, found.start()) + 1, joined


def messages(kind: str) -> list[Message]:
    """Return the messages of one part of the code, each text once."""
    folder, pattern = SOURCES[kind]
    found: dict[str, Message] = {}
    for path in sorted((ROOT / folder).rglob(pattern)):
        name = path.relative_to(ROOT).as_posix()
        if name in SKIPPED:
            continue
        text = path.read_text("utf-8")
        texts = python_texts(ast.parse(text)) if path.suffix == ".py" else ((*each, False) for each in c_texts(text))
        for line, each, is_given in sorted(texts):
            message = Message(f"{name}:{line}", each)
            if (
                len(each) <= HELP_TEXT
                and (is_given or is_prose(each.replace(GAP, "x1")))
                and len(message.longest) >= LEAST
            ):
                found.setdefault(message.longest, message)
    return list(found.values())


# What stands in a pattern for any text.
ANY = re.compile(r"\\[dwsSWD][+*]?\??|\.[*+]\??|\[[^]\n]*\][+*]|\(\?:|\.\.\.|…|0x…|\n")


@functools.cache
def tests() -> tuple[str, frozenset[str]]:
    """Return what the tests have: all their texts in one, and the pieces of them between wildcards."""
    texts: list[str] = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if "programs" not in path.parts and "found" not in path.parts:
            texts += [text for _, text, _ in python_texts(ast.parse(path.read_text("utf-8")), True)]
    for path in sorted((ROOT / "tests").rglob("*.c")):
        texts += [text for _, text in c_texts(path.read_text("utf-8"))]
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        texts += re.findall(r"^```console.*?^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    pieces: set[str] = set()
    for text in texts:
        for each in {text, re.sub(r"\\(?=[^\w\s])", "", text)}:
            pieces |= {trimmed(piece) for piece in each.split(GAP)}
            pieces |= {trimmed(piece) for piece in re.split(rf"{ANY.pattern}|{GAP}", each)}
    return "\n".join(pieces), frozenset(piece for piece in pieces if len(piece) >= LEAST and " " in piece)


def is_in(longest: str, whole: str, pieces: frozenset[str]) -> bool:
    return longest in whole or any(piece in longest for piece in pieces)


def is_tested(message: Message) -> bool:
    return is_in(message.longest, *tests())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.packaging.messages", description=__doc__)
    parser.add_argument("--list", nargs="*", metavar="KIND", help="show the messages that no test has")
    parser.add_argument("--all", action="store_true", help="with --list: all messages, each with its test")
    parser.add_argument("--write", action="store_true", help="write today's numbers where they are lower")
    given = parser.parse_args()
    limits: dict[str, int] = json.loads(LIMITS.read_text("utf-8")) if LIMITS.exists() else {}
    numbers: dict[str, int] = {}
    is_worse = False
    for kind in SOURCES:
        found = messages(kind)
        lacking = [message for message in found if not is_tested(message)]
        limit = limits.get(kind, len(lacking))
        numbers[kind] = min(limit, len(lacking))
        is_worse = is_worse or len(lacking) > limit
        print(f"{kind}: {len(lacking)} of {len(found)} messages are in no test, at most {limit}")
        if (given.list is not None and (not given.list or kind in given.list)) or len(lacking) > limit:
            for message in found if given.all else lacking:
                mark = "+ " if given.all and is_tested(message) else ""
                print(f"  {mark}{message.place}: {' '.join(message.text.replace(GAP, '{}').split())}")
    if given.write:
        LIMITS.write_text(json.dumps(numbers, indent=1) + "\n", "utf-8")
        return 0
    return int(is_worse and given.list is None)


if __name__ == "__main__":
    sys.exit(main())
