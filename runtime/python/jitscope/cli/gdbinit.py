"""`jitscope gdbinit`: prints, adds or removes the line that makes GDB load jitscope."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from jitscope.cli import init_line
from jitscope.paths import gdb_script

# jitscope's line, for any place of installation, and also if the user wrote it by hand.
LINE = re.compile(rb"\s*source\s+(?:\S.*/)?gdbext/jitscope\.py\s*")

DESCRIPTION = """\
Print the line that makes GDB load jitscope. With --write it is added to your
.gdbinit, with --remove it is taken out.

GDB reads ~/.gdbinit when it starts, or ~/.config/gdb/gdbinit in its place where
that exists. Only jitscope's own line is ever touched,
the rest of the file stays as it is, byte for byte: --write twice is --write
once, and when jitscope has moved since, --write puts the new place in the old
one's line. The file is replaced as a whole, with its mode kept; if it is a
symbolic link, the file that it points to is."""

EPILOG = """\
exit status:
  0  done, or there was nothing to do
  1  not done: the file cannot be read or written, or jitscope is not complete
  2  the command line is wrong

examples:
  jitscope gdbinit --write
      load jitscope in every GDB that you start
  gdb -ix <(jitscope gdbinit) -p PID
      load it in this one only
  jitscope gdbinit --write --file project/.gdbinit
      load it for one project (GDB asks for `set auto-load safe-path` there)"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "gdbinit",
        help="print, add or remove the line in .gdbinit that loads jitscope",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    init_line.add_arguments(parser, "GDB")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    return init_line.run(arguments, "GDB", home_file(), gdbinit_line, LINE)


def home_file() -> Path:
    """Return the user's file that GDB reads when it starts: gdb/gdbinit of XDG_CONFIG_HOME, if that exists, takes
    precedence over ~/.gdbinit. Source: GDB manual, "Initialization Files"."""
    folder = os.environ.get("XDG_CONFIG_HOME")
    preferred = Path(folder) if folder else Path.home() / ".config"
    preferred = preferred / "gdb" / "gdbinit"
    return preferred if preferred.is_file() else Path.home() / ".gdbinit"


def gdbinit_line() -> bytes:
    """Return the line without its newline. GDB's `source` takes the rest of its line as the name, spaces included."""
    path = os.fsencode(gdb_script())
    if b"\n" in path:
        raise OSError(f"GDB cannot source {str(gdb_script())!r}, whose path has a newline: install jitscope elsewhere")
    return b"source " + path
