"""`jitscope run`: starts GDB with jitscope on a Python program."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from collections.abc import Sequence

from jitscope.cli.passing import ENVIRONMENT, OwnOption, Passing, add_passing_parser, split
from jitscope.cli.suggestions import check_spelling
from jitscope.debugger import become_gdb

DESCRIPTION = """\
Start GDB with jitscope loaded, on a program that GDB's `run` will start.
Nothing runs yet: set breakpoints first, or pass `-ex run`. Breakpoints in
functions that are not compiled yet wait for them without a question.

PROGRAM is a Python file, a script whose first line names its interpreter (as
pytest's does), or any executable; `-m MODULE` and `-c CODE` are Python's own.
A file that ends in .py runs under the Python that jitscope is installed in,
unless the command begins with another. Python's options come before PROGRAM:
`-W ignore program.py`; after `--` where GDB has an option of the same name.

Words before `--` are passed to GDB as they are.

Under a debugger, functions of your own files, and those with debug=True, are
compiled so that each line is a stop and each variable is there. `--all-code`
does the same for the functions of installed packages. `--level exact` leaves
functions as fast as without a debugger, for a bug that only optimised code has;
`--level stock` leaves Numba's own debug information. LEVEL goes before
JITSCOPE_LEVEL of the environment, and decorators (@jitscope.steps) go before
LEVEL.

With `--guard`, the memory of each array ends where no memory follows, and freed
memory is gone for a while, so that the first access past the end, or after the
end of the array's life, stops at its line. `--guard=FUNCTION` does so for the
arrays that this function makes, and `--guard=FILE:LINE` for those of a line.
`--guard FUNCTION` is the same unless a file or program is called FUNCTION.

With `--report`, no GDB is started: the program runs, and if it crashes, a
report on standard error, or in the folder of `--report=FOLDER`, says why.

With `--children`, GDB keeps child processes (os.fork, multiprocessing), so that
breakpoints stop in them; all processes run at the same time."""

EPILOG = f"""\
{ENVIRONMENT}

exit status:
  GDB's own, or
  1  GDB or the program is not there; one line on standard error says what to do
  2  the command line is wrong

examples:
  jitscope run program.py --size 100
  jitscope run -ex 'break program.py:12' -ex run -- program.py
  jitscope run -- /usr/bin/python3.11 -X dev program.py
  jitscope run -W error -X dev program.py
  jitscope run -m pytest tests/test_kernels.py
  jitscope run --level exact program.py
  jitscope run --all-code -m mypackage
  jitscope run --guard program.py
  jitscope run --guard=program.py:12 program.py
  jitscope run --children pool.py
  jitscope run --report=crashes train.py
  NUMBA_OPT=0 jitscope run program.py"""


LEVELS = ("exact", "steps", "stock")
ALL_CODE, GUARD, CHILDREN, REPORT = "--all-code", "--guard", "--children", "--report"
USAGE = """\
jitscope run [-h] [--level LEVEL] [--all-code] [--guard[=PLACE]]
                    [--children] [--report[=FOLDER]]
                    [GDB-ARGUMENT... --] PROGRAM [ARG...]"""
OPTIONS = (
    OwnOption("--level", "LEVEL", "how functions are compiled: exact, steps or stock", LEVELS),
    OwnOption(ALL_CODE, "", "compile the functions of installed packages for stepping, too"),
    OwnOption(GUARD, "[=PLACE]", "stop at an access past the end of an array or of its life"),
    OwnOption(CHILDREN, "", "keep child processes, so that breakpoints stop in them"),
    OwnOption(REPORT, "[=FOLDER]", "run without GDB, and report a crash"),
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    add_passing_parser(
        subparsers,
        "run",
        run,
        summary="start GDB with jitscope on a program",
        description=DESCRIPTION,
        epilog=EPILOG,
        passing=Passing(USAGE, OPTIONS, ("PROGRAM", "ARG...")),
    )


def run(parser: argparse.ArgumentParser, words: list[str]) -> int:
    check_spelling(parser, words[:1])
    asked, settings, words = split_own(parser, words)
    for_gdb, words = split(parser, words, "program", OWN_OPTION)
    if not words:
        parser.error("a program is missing")
    command = command_of(words)
    os.environ.update(environment_of(asked))
    if "JITSCOPE_REPORT" in asked:
        if for_gdb:
            parser.error(f"{REPORT} starts no GDB, which {for_gdb[0]} is for")
        become(command)
    before = [word for setting in ("set breakpoint pending on", *settings) for word in ("-iex", setting)]
    become_gdb([*before, *for_gdb, "--args", *command])


def become(command: Sequence[str]) -> None:
    """Replace this process by the program. Raise OSError."""
    program = shutil.which(command[0])
    if program is None:
        raise OSError(f"{command[0]} is no program")
    os.execv(program, list(command))


# Options of Python that GDB does not have, or has for what `jitscope run` has no use for: -m and -c (a core).
OWN_OPTION = re.compile(r"-(?:[mc]|[BEIOPSu]+|[WX].*)$")
# The first of the options in a word that has a value, and the rest of the word, which is the value if there is one.
VALUED = re.compile(r"-[^-WXmc]*([WXmc])(.*)$")
# GDB's settings for --children. With the first alone, the parent would wait for a child that GDB holds.
KEEP_CHILDREN = ("set detach-on-fork off", "set schedule-multiple on")


def split_own(parser: argparse.ArgumentParser, words: list[str]) -> tuple[dict[str, str], tuple[str, ...], list[str]]:
    """Return the variables of the environment and GDB's commands that the first words request, and the words after
    them."""
    asked: dict[str, str] = {}
    settings: tuple[str, ...] = ()
    while words:
        option, equals, value = words[0].partition("=")
        if words[0] == ALL_CODE:
            asked["JITSCOPE_DEBUG"], words = "all", words[1:]
        elif words[0] == CHILDREN:
            settings, words = KEEP_CHILDREN, words[1:]
        elif option == GUARD:
            value, words = (guarded(parser, value), words[1:]) if equals else guarded_next(words[1:])
            asked["JITSCOPE_GUARD"] = value
        elif option == REPORT:
            asked["JITSCOPE_REPORT"], words = value or "1", words[1:]
        elif option == "--level":
            level, words = split_level(parser, words)
            asked["JITSCOPE_LEVEL"] = level or ""
        else:
            break
    return asked, settings, words


def guarded_next(words: list[str]) -> tuple[str, list[str]]:
    """Return the value of JITSCOPE_GUARD for --guard and the words after it, and the words that are left. The first
    word is a place if it can be nothing else: more words follow, and there is no such file and no such program."""
    is_place = len(words) > 1 and is_guardable(words[0])
    if is_place and not os.path.exists(words[0]) and shutil.which(words[0]) is None:
        return words[0], words[1:]
    return "1", words


def is_guardable(place: str) -> bool:
    """True if the text is FUNCTION or FILE:LINE."""
    file, colon, line = place.rpartition(":")
    return bool(file and line.isdigit() if colon else place.isidentifier())


def guarded(parser: argparse.ArgumentParser, place: str) -> str:
    """Return the value of JITSCOPE_GUARD for --guard=PLACE."""
    if not is_guardable(place):
        parser.error(f"--guard=FUNCTION and --guard=FILE:LINE say what is guarded, not {place!r}")
    return place


def split_level(parser: argparse.ArgumentParser, words: list[str]) -> tuple[str | None, list[str]]:
    """Return the level that the first words request, or None, and the words after them."""
    option, equals, level = words[0].partition("=") if words else ("", "", "")
    if option != "--level":
        return None, words
    rest = words[1:]
    if not equals:
        level, rest = (rest[0], rest[1:]) if rest else ("", [])
    if level not in LEVELS:
        parser.error(f"--level is one of {', '.join(LEVELS)}, not {level!r}")
    return level, rest


def environment_of(asked: dict[str, str]) -> dict[str, str]:
    """Return the variables for the program's compiler: the process id that GDB will have, and what is requested, with
    one that says who has set the level."""
    return {"JITSCOPE_RUN_PID": str(os.getpid()), "JITSCOPE_RUN_LEVEL": asked.get("JITSCOPE_LEVEL", ""), **asked}


def command_of(words: Sequence[str]) -> list[str]:
    """Return the command that starts the program: an executable and its arguments. Raise FileNotFoundError if it is not
    there."""
    program = words[0]
    file = file_in(words)
    if file != program or program.endswith(".py"):
        if file is not None and not os.path.exists(file):
            raise FileNotFoundError(f"there is no file {file}")
        return [sys.executable, *words]
    found = shutil.which(program)
    if found is None:
        if os.path.isfile(program):
            raise FileNotFoundError(f"{program} is not executable: jitscope run -- {sys.executable} {program}")
        raise FileNotFoundError(f"there is no program {program}")
    return [*interpreter_of(found), found, *words[1:]]


def file_in(words: Sequence[str]) -> str | None:
    """Return the first word that is no option of Python and no option's value; None if Python runs no file."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        option = VALUED.match(words[at])
        if words[at] == "-" or (option and option[1] in "mc"):
            return None
        takes_next = not option[2] if option else words[at] == "--check-hash-based-pycs"
        at += 2 if takes_next else 1
    return next((word for word in words[at:] if word != "--"), None)


def interpreter_of(path: str) -> list[str]:
    """Return the interpreter and argument in the first line of a script, as execve(2) reads it and as env(1) is used;
    [] for other files."""
    try:
        with open(path, "rb") as stream:
            first = stream.readline(256)
    except OSError:
        return []
    if not first.startswith(b"#!"):
        return []
    words = os.fsdecode(first[2:]).strip().split(None, 1)  # the kernel knows no quotes, and only one argument
    if words and os.path.basename(words[0]) == "env":
        words = [word for word in " ".join(words[1:]).split() if word not in ("-S", "--split-string")]
        found = shutil.which(words[0]) if words else None
        if found is None:
            raise FileNotFoundError(f"the interpreter of {path} is not installed: {' '.join(words) or 'it names none'}")
        words[0] = found
    return words
