"""Functions for the commands that become GDB and pass on the words of their line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable

ENVIRONMENT = """\
environment:
  JITSCOPE_GDB, NUMBA_GDB_BINARY  the GDB to start, the first that is set; else
                                  the one on PATH"""  # the end of each command's help

Run = Callable[[argparse.ArgumentParser, list[str]], int]


def add_passing_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    run: Run,
    *,
    summary: str,
    usage: str,
    description: str,
    epilog: str,
) -> None:
    """Add a command that reads its own words, except -h and --help: options belong to GDB or to the program."""
    parser = subparsers.add_parser(
        name,
        help=summary,
        usage=usage,
        description=description,
        epilog=epilog,
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

    parser.set_defaults(run=run_or_help)


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
