"""`jitscope attach`: GDB with jitscope, on a process that is running."""

from __future__ import annotations

import argparse
import sys

from jitscope.access import explain
from jitscope.debugger import become_gdb

DESCRIPTION = """\
Start GDB with jitscope loaded, attached to the process PID, which stops.
Nothing has to be prepared in it; `detach` or `quit` lets it go on.

Where it may not be debugged, one line says which rule forbids it (another user,
Yama's ptrace_scope, a container, a debugger that is there already ...) and what
to type next, and GDB is not started. What stands beside PID is for GDB, and
passed on as it is."""

EPILOG = """\
environment:
  JITSCOPE_GDB, NUMBA_GDB_BINARY  the GDB to start, the first that is set; else
                                  the one on PATH

exit status:
  GDB's own, or
  1  the process may not be debugged, or there is no GDB; one line on standard
     error says why
  2  the command line is wrong

examples:
  jitscope attach 4242
  jitscope attach $(pgrep -n -f train.py)
  jitscope attach 4242 -batch -ex 'jit bt -full' >stack.txt
  jitscope attach --check 4242
  sudo $(which jitscope) attach 4242"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "attach",
        help="start GDB with jitscope on a running process",
        usage="jitscope attach [-h] [--check] [GDB-ARGUMENT...] PID [GDB-ARGUMENT...]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        prefix_chars="\0",
        add_help=False,
    )
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="PID", help=argparse.SUPPRESS)
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    words: list[str] = arguments.words
    parser: argparse.ArgumentParser = arguments.parser
    if words[:1] in (["-h"], ["--help"]):
        parser.print_help()
        return 0
    is_check = words[:1] == ["--check"]
    words = words[1:] if is_check else words
    # GDB's own options may take a number, so PID is the first or the last word.
    place = next((at for at in (0, len(words) - 1) if words and words[at].isascii() and words[at].isdigit()), None)
    if place is None:
        parser.error("a process number is missing: it stands first or last")
    pid = int(words[place])
    if not 0 < pid < 1 << 31:
        parser.error(f"{pid} is no process number")
    # exec keeps the process, so what holds for this one holds for GDB.
    found = explain(pid)
    if not found.allowed:
        print(f"jitscope attach: {found.text}; type {found.fix}", file=sys.stderr)
        return 1
    if is_check:
        print(found.text)
        return 0
    become_gdb([*words[:place], *words[place + 1 :], "-p", str(pid)])
