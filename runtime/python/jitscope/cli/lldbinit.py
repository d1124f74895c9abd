"""`jitscope lldbinit`: prints, adds or removes the line that makes LLDB load jitscope."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from jitscope.cli.gdbinit import rewrite
from jitscope.paths import lldb_script

# jitscope's line, for any place of installation, and also if the user wrote it by hand.
LINE = re.compile(rb"\s*command script import\s+.*lldbext/jitscope_lldb\.py\"?\s*")

DESCRIPTION = """\
Print the line that makes LLDB load jitscope. With --write it is added to your
.lldbinit, with --remove it is taken out.

LLDB reads ~/.lldbinit when it starts; lldb-dap and CodeLLDB take the same line
in their initCommands. Only jitscope's own line is ever touched, the rest of the
file stays as it is, byte for byte."""

EPILOG = """\
exit status:
  0  done, or there was nothing to do
  1  not done: the file cannot be read or written, or jitscope is not complete
  2  the command line is wrong

examples:
  jitscope lldbinit --write
      load jitscope in every LLDB that you start
  lldb -o "$(jitscope lldbinit)" -p PID
      load it in this one only"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "lldbinit",
        help="print, add or remove the line in .lldbinit that loads jitscope",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="add the line, once")
    action.add_argument("--remove", action="store_true", help="take the line out")
    parser.add_argument(
        "--file", type=Path, metavar="F", help="change F, which need not exist yet, and not the one that LLDB reads"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    file: Path = arguments.file or Path.home() / ".lldbinit"
    if arguments.write:
        changed = rewrite(file, lldbinit_line(), LINE)
        print(f"{file}: {'jitscope is loaded when LLDB starts' if changed else 'already has the line'}")
    elif arguments.remove:
        changed = rewrite(file, None, LINE)
        print(f"{file}: {'the line is removed' if changed else 'has no such line'}")
    else:
        if arguments.file:
            print("jitscope: --file goes with --write or --remove", file=sys.stderr)
            return 2
        sys.stdout.buffer.write(lldbinit_line() + b"\n")
    return 0


def lldbinit_line() -> bytes:
    """Return the line without its newline. Raise OSError for a path that LLDB cannot read."""
    path = os.fsencode(lldb_script())
    if any(sign in path for sign in b'\n"\\'):
        raise OSError(f"LLDB cannot import {str(lldb_script())!r}: install jitscope in a folder with a simpler name")
    return b'command script import "%s"' % path if b" " in path else b"command script import " + path
