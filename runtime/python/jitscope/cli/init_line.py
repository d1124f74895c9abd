"""A line of a debugger's start file that makes it load jitscope: printed, added or removed."""

from __future__ import annotations

import argparse
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser, debugger: str) -> None:
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="add the line, once")
    action.add_argument("--remove", action="store_true", help="take the line out")
    parser.add_argument(
        "--file",
        type=Path,
        metavar="F",
        help=f"change F, which need not exist yet, and not the one that {debugger} reads",
    )


def run(
    arguments: argparse.Namespace, debugger: str, usual: Path, line: Callable[[], bytes], known: re.Pattern[bytes]
) -> int:
    """Do what the arguments ask for, and return the exit status. `usual`: the file that the debugger reads; `line`
    returns the line without its newline; `known`: jitscope's line for any place of installation."""
    file: Path = arguments.file or usual
    if arguments.write:
        changed = rewrite(file, line(), known)
        print(f"{file}: {f'jitscope is loaded when {debugger} starts' if changed else 'already has the line'}")
    elif arguments.remove:
        changed = rewrite(file, None, known)
        print(f"{file}: {'the line is removed' if changed else 'has no such line'}")
    else:
        if arguments.file:
            print("jitscope: --file goes with --write or --remove", file=sys.stderr)
            return 2
        sys.stdout.buffer.write(line() + b"\n")
    return 0


def rewrite(file: Path, line: bytes | None, known: re.Pattern[bytes]) -> bool:
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


def replace_line(before: bytes, line: bytes | None, known: re.Pattern[bytes]) -> bytes:
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
