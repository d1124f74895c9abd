"""`jitscope gdbinit`: prints, adds or removes the line that makes GDB load jitscope."""

from __future__ import annotations

import argparse
import os
import re
import stat
import sys
import tempfile
from pathlib import Path

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
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="add the line, once")
    action.add_argument("--remove", action="store_true", help="take the line out")
    parser.add_argument(
        "--file", type=Path, metavar="F", help="change F, which need not exist yet, and not the one that GDB reads"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    file: Path = arguments.file or home_file()
    if arguments.write:
        changed = rewrite(file, gdbinit_line())
        print(f"{file}: {'jitscope is loaded when GDB starts' if changed else 'already has the line'}")
    elif arguments.remove:
        changed = rewrite(file, None)
        print(f"{file}: {'the line is removed' if changed else 'has no such line'}")
    else:
        if arguments.file:
            print("jitscope: --file goes with --write or --remove", file=sys.stderr)
            return 2
        sys.stdout.buffer.write(gdbinit_line() + b"\n")
    return 0


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


def rewrite(file: Path, line: bytes | None, known: re.Pattern[bytes] = LINE) -> bool:
    """Make `file` contain `line` once, in place of jitscope's line (`known`) or at the end; None removes the line.
    Return True if the file had to change. Raise OSError if it cannot be read or written."""
    target = Path(os.path.realpath(file))
    try:
        before = target.read_bytes()
    except FileNotFoundError:
        before = b""
    after = replace_line(before, line, known)
    if after == before:
        return False
    replace_file(target, after)
    return True


def replace_line(before: bytes, line: bytes | None, known: re.Pattern[bytes] = LINE) -> bytes:
    """Return `before` with jitscope's lines (`known`) replaced by one `line`, or by nothing."""
    kept = []
    placed = line is None
    for old in before.split(b"\n"):
        if not known.fullmatch(old):
            kept.append(old)
        elif not placed and line is not None:
            kept.append(line)
            placed = True
    after = b"\n".join(kept)
    if not placed and line is not None:
        # In either case, the file is as before when the line is removed again.
        after += line + b"\n" if not after or after.endswith(b"\n") else b"\n" + line
    return after


def replace_file(target: Path, content: bytes) -> None:
    """Write `content` to `target` completely or not at all, with the mode and owner that the file had."""
    try:
        old: os.stat_result | None = target.stat()
    except FileNotFoundError:
        old = None
    descriptor, temporary = tempfile.mkstemp(prefix=target.name, dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            if old is None:
                mask = os.umask(0)
                os.umask(mask)
                os.fchmod(stream.fileno(), 0o666 & ~mask)
            else:
                os.fchmod(stream.fileno(), stat.S_IMODE(old.st_mode))
                if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
                    os.fchown(stream.fileno(), old.st_uid, old.st_gid)
            os.fsync(stream.fileno())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
