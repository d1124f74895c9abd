"""`jitscope lldbinit`: prints, adds or removes the line that makes LLDB load jitscope."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from jitscope.cli import init_line
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
    init_line.add_arguments(parser, "LLDB")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    return init_line.run(arguments, "LLDB", Path.home() / ".lldbinit", lldbinit_line, LINE)


def lldbinit_line() -> bytes:
    """Return the line without its newline. Raise OSError for a path that LLDB cannot read."""
    path = os.fsencode(lldb_script())
    if any(sign in path for sign in b'\n"\\'):
        raise OSError(f"LLDB cannot import {str(lldb_script())!r}: install jitscope in a folder with a simpler name")
    return b'command script import "%s"' % path if b" " in path else b"command script import " + path
