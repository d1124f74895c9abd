"""`jitscope attach`: GDB with jitscope, on a process that is running."""

from __future__ import annotations

import argparse
import json
import sys

from jitscope.access import explain
from jitscope.cli.passing import ENVIRONMENT, OwnOption, Passing, add_passing_parser, split
from jitscope.cli.suggestions import check_spelling
from jitscope.debugger import become_gdb

DESCRIPTION = """\
Start GDB with jitscope loaded, attached to the process PID, which stops.
`detach` or `quit` lets it go on. `jit bt` shows the stack without any setting
in the process. Where jitscope is installed there, each compiled function has
its lines and mostly its arguments; with debug=True it has its variables, too.

Where it may not be debugged, one line says which rule forbids it (another user,
Yama's ptrace_scope, a container, a debugger that is there already ...) and what
to type next, and GDB is not started. Words before `--`, and words after PID,
are passed to GDB as they are.

With --check, GDB is not started in any case, and the status says whether it
could attach. Adding --json gives this as an object: {"pid", "allowed",
"reason", "text", "fix"}, the "access" of docs/schema/status.json."""

EPILOG = f"""\
{ENVIRONMENT}

exit status:
  GDB's own, or
  0  with --check, the process may be debugged
  1  the process may not be debugged, or there is no GDB; one line on standard
     error says why
  2  the command line is wrong

examples:
  jitscope attach 4242
  jitscope attach $(pgrep -n -f train.py)
  jitscope attach 4242 -batch -ex 'jit bt -full' >stack.txt
  jitscope attach --check 4242
  sudo $(which jitscope) attach 4242"""


USAGE = """\
jitscope attach [-h] [GDB-ARGUMENT... --] PID [GDB-ARGUMENT...]
       jitscope attach --check [--json] PID"""
OPTIONS = (
    OwnOption("--check", "", "say whether GDB could attach, and do not start it"),
    OwnOption("--json", "", "with --check: the answer as JSON"),
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    add_passing_parser(
        subparsers,
        "attach",
        run,
        summary="start GDB with jitscope on a running process",
        description=DESCRIPTION,
        epilog=EPILOG,
        passing=Passing(USAGE, OPTIONS, ("PID",)),
    )


def run(parser: argparse.ArgumentParser, words: list[str]) -> int:
    check_spelling(parser, words)
    is_check = words[:1] == ["--check"]
    words = words[1:] if is_check else words
    is_json = is_check and words[:1] == ["--json"]
    words = words[1:] if is_json else words
    first: list[str] = []
    if words and words[0].startswith("-") and "--" in words:
        first, words = split(parser, words, "process number")
    # GDB's own options may take a number, so PID is the first or the last word.
    place = next((at for at in (0, len(words) - 1) if words and words[at].isascii() and words[at].isdigit()), None)
    if place is None:
        parser.error("a process number is missing: it has to come first, or after the `--` that ends GDB's arguments")
    pid = int(words[place])
    if not 0 < pid < 1 << 31:
        parser.error(f"{pid} is no process number")
    # exec keeps the process, so the kernel's answer for this process is also right for GDB.
    found = explain(pid)
    if is_json:
        print(json.dumps({"pid": pid, **found._asdict()}, ensure_ascii=False))
        return 0 if found.allowed else 1
    if not found.allowed:
        print(f"jitscope attach: {found.text}; type {found.fix}", file=sys.stderr)
        return 1
    if is_check:
        print(found.text)
        return 0
    become_gdb([*first, *words[:place], *words[place + 1 :], "-p", str(pid)])
