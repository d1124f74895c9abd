"""Conditions and expressions that a front end gives by GDB/MI while the program is stopped. GDB parses them as C, and
refuses other languages before an extension sees them. So where GDB's standard input is a pipe, this module replaces it
by its own pipe: a thread forwards the bytes, and asks GDB's thread for a replacement of each line that gives one."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import stat
import struct
import termios
import threading
import time

import gdb

from ..base import console, events, report
from ..target import target
from . import conditions, front_end_lines

_CANDIDATE = re.compile(rb"\d*-(?:%s)[ \t]" % b"|".join(front_end_lines.COMMANDS))
_MAY_BECOME = re.compile(rb"\d{0,20}(?:-[a-z-]{0,15})?")
_LONGEST = 1 << 16  # bytes of a line that is held until its end
_PATIENCE = 2.0  # seconds that a line waits for GDB's thread

_is_forwarding = False
_is_reported = False


def start() -> None:
    """Put the pipe in place, once, and only where that is harmless. A terminal is not replaced, because it gives GDB
    more than bytes. A file is not replaced, because child processes read on from where GDB has stopped reading."""
    global _is_forwarding
    kind = os.fstat(0).st_mode
    if console.interpreter() != "mi" or not (stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)):
        return
    if not front_end_lines.create():
        return
    source = os.dup(0)
    reading, writing = os.pipe()
    os.dup2(reading, 0)
    os.close(reading)
    # the new thread must leave all signals to GDB's
    signals = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        threading.Thread(target=_forward, args=(source, writing), daemon=True, name="jitscope input").start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)
    _is_forwarding = True


@events.on("stop", order=55)
def stopped(_event: object) -> None:
    """Report, once there is a condition, its form for a front end whose input is not forwarded by this module."""
    global _is_reported
    if _is_reported or _is_forwarding or console.interpreter() != "mi" or not gdb.parameter("jitscope conditions"):
        return
    has_condition = any(conditions.of_breakpoint(each) for each in gdb.breakpoints() or ())
    if has_condition and target.current().feed.objects:
        _is_reported = True
        report.say(
            "jitscope: at code that is compiled already, this front end takes a condition that is no C (`and`, `in`, "
            '`//`) in the form $py("i // 3 == 4")'
        )


def _forward(source: int, writing: int) -> None:
    """Forward the input until it ends, in a thread of its own."""
    held, is_inside = b"", False
    while True:
        data = _read(source)
        if not data:
            break
        *lines, held = (held + data).split(b"\n")
        for line in lines:
            _write(writing, line + b"\n" if is_inside else _answered(line + b"\n", writing))
            is_inside = False
        if held and (is_inside or len(held) > _LONGEST or not _is_awaited(held)):
            _write(writing, held)
            held, is_inside = b"", True
    _write(writing, held)
    os.close(writing)
    os.close(source)


def _is_awaited(start: bytes) -> bool:
    """True if a line with this beginning may give a condition or an expression."""
    return _CANDIDATE.match(start) is not None or _MAY_BECOME.fullmatch(start) is not None


def _read(source: int) -> bytes:
    while True:
        try:
            return os.read(source, 1 << 16)
        except BlockingIOError:
            poll = select.poll()
            poll.register(source, select.POLLIN)
            poll.poll()
        except OSError:
            return b""


def _write(writing: int, data: bytes) -> None:
    while data:
        data = data[os.write(writing, data) :]


def _answered(line: bytes, writing: int) -> bytes:
    """Return the line that GDB is given for this one. The rest of the input waits meanwhile."""
    if _CANDIDATE.match(line) is None:
        return line
    found: list[front_end_lines.Answer] = []

    def ask() -> None:
        made = report.quietly(front_end_lines.answer)(line)
        if made is not None:
            found.append(made)

    if not _in_gdb(ask) or not found:
        return line
    if found[0].after is None:
        return found[0].line
    _write(writing, found[0].line)
    _in_gdb(report.quietly(found[0].after))
    return b""


def _in_gdb(function: object) -> bool:
    """Have GDB's thread call the function once it has executed the earlier lines. Return False if GDB's thread is
    busy."""
    end = time.monotonic() + _PATIENCE
    while struct.unpack("i", fcntl.ioctl(0, termios.FIONREAD, b"\0" * 4))[0]:
        if time.monotonic() > end:
            return False
        time.sleep(0.002)
    done = threading.Event()
    is_late = False

    def call() -> None:
        try:
            if not is_late:
                function()  # type: ignore[operator]
        finally:
            done.set()

    gdb.post_event(call)
    is_done = done.wait(_PATIENCE)
    is_late = not is_done
    return is_done
