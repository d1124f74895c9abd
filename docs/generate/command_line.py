"""Write what the parser of the `jitscope` command says of itself."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Iterator
from unittest import mock

from jitscope.cli.main import make_parser

COLUMNS = 80


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of `jitscope`, and that of each of its commands."""
    parser, commands = make_parser()
    return {"jitscope": parser, **{f"jitscope {name}": command for name, command in commands.items()}}


@contextlib.contextmanager
def plain() -> Iterator[None]:
    """Let argparse write for a terminal of COLUMNS, without the colours that Python 3.14 has for it."""
    with mock.patch.dict(os.environ, {"COLUMNS": str(COLUMNS), "PYTHON_COLORS": "0"}):
        yield


def help_of(parser: argparse.ArgumentParser) -> str:
    with plain():
        return parser.format_help().rstrip()


def statuses(text: str) -> dict[str, str]:
    """Return the exit statuses that a help text lists, with their meaning. What is no number is the status of another
    program."""
    section = re.search(r"^exit status:\n((?: +.*\n)+)", text, re.MULTILINE)
    found: dict[str, str] = {}
    name = ""
    for line in section[1].splitlines() if section else ():
        if numbered := re.fullmatch(r"  (\d+)  (.*)", line):
            name, found[numbered[1]] = numbered[1], numbered[2]
        elif line.startswith("    ") and name:
            found[name] += f" {line.strip()}"
        else:
            found[line.strip().removesuffix(", or")] = "where GDB was started"
    return found


def page() -> str:
    helps = {name: help_of(parser) for name, parser in parsers().items()}
    parts = [f"## `{name}`\n\n```text\n{text}\n```\n" for name, text in helps.items()]
    rows = [
        f"| `{name}` | {f'`{status}`' if status.isdigit() else status} | {meaning} |"
        for name, text in helps.items()
        for status, meaning in statuses(text).items()
    ]
    return "\n".join([*parts, "## Exit status\n", "| command | status | meaning |", "|---|---|---|", *rows, ""])
