"""Functions for the commands that become GDB and pass on the words of their line."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import NamedTuple

ENVIRONMENT = """\
environment:
  JITSCOPE_GDB, NUMBA_GDB_BINARY  the GDB to start, the first that is set; else
                                  the one on PATH"""  # the end of each command's help

Run = Callable[[argparse.ArgumentParser, list[str]], int]


class OwnOption(NamedTuple):
    """An option that such a command reads itself, before any other word."""

    name: str  # "--level"
    metavar: str  # "LEVEL", "[=PLACE]" if the value may be left out, or "" if there is none
    help: str
    choices: Sequence[str] = ()


class Passing(NamedTuple):
    """What a parser of such a command cannot say by actions of argparse. `parser.get_default("passing")` has it."""

    usage: str
    options: Sequence[OwnOption]
    places: Sequence[str]  # the words that follow the options: "PID", "FILE", "PROGRAM"; "ARG..." is repeated


def add_passing_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    run: Run,
    *,
    summary: str,
    description: str,
    epilog: str,
    passing: Passing,
) -> None:
    """Add a command that reads its own words, except -h and --help: options belong to GDB or to the program."""
    parser = subparsers.add_parser(
        name,
        help=summary,
        usage=passing.usage,
        description=description,
        epilog=f"{table_of(passing.options)}\n\n{epilog}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prefix_chars="\0",
        add_help=False,
    )
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="WORD", help=argparse.SUPPRESS)

    def run_or_help(arguments: argparse.Namespace) -> int:
        words: list[str] = arguments.words
        if words[:1] in (["-h"], ["--help"]):
            parser.print_help()
            return 0
        return run(parser, words)

    parser.set_defaults(run=run_or_help, passing=passing)


HELP = OwnOption("-h, --help", "", "show this help message and exit")


def table_of(options: Sequence[OwnOption]) -> str:
    """Return the part of the help that lists the options, as argparse would write it."""
    lines = ["options:"]
    for option in (HELP, *options):
        name = f"  {option.name}" + (f" {option.metavar}" if option.metavar[:1].isalpha() else option.metavar)
        lines += textwrap.wrap(option.help, 80, initial_indent=f"{name:20}  ", subsequent_indent=" " * 22)
    return "\n".join(lines)


def split(
    parser: argparse.ArgumentParser, words: list[str], what: str, own: re.Pattern[str] | None = None
) -> tuple[list[str], list[str]]:
    """Return the words for GDB, which begin with an option and end before a `--`, and the rest, which begins with
    `what`. `own`: an option that the rest may begin with."""
    if not words or not words[0].startswith("-") or (own and own.match(words[0])):
        return [], words
    if "--" not in words:
        parser.error(f"{words[0]} is for GDB, so `--` has to come before the {what}")
    place = words.index("--")
    return words[:place], words[place + 1 :]
