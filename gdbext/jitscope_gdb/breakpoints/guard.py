"""A process beside GDB that outlives it (runtime/inspect/guard.c): if GDB is killed, it lets the programs go on that
GDB was attached to. The kernel kills a program that GDB has started."""

from __future__ import annotations

import atexit
import functools
import os
import socket
import subprocess
from typing import Any

import gdb
from jitscope_shared.base import native

from ..base import events
from ..frames import frames
from ..target import published, target
from . import breakpoint_places

_PLACES = 4096  # the limit in guard.c

_pipe: socket.socket | None = None
_process: Any = None  # kept, so that Python does not wait for the process to end
_sent = b""
_signal_values: dict[int, int] = {}  # by process: the value of the signal that has it take breakpoints out; 0: none


def tell(leaving: Any = None) -> None:
    """Send the guard the processes that GDB is attached to now, without the inferior that is `leaving`."""
    global _sent
    attached = [each for each in gdb.inferiors() if each.pid and each.was_attached and each != leaving]
    for pid in [pid for pid in _signal_values if pid not in [each.pid for each in attached]]:
        del _signal_values[pid]
    line = (
        " ".join(f"{each.pid}:{_signal_values.get(each.pid, 0)}{_places(each)}" for each in attached).encode() + b"\n"
    )
    if line != _sent and (_pipe is not None or attached):
        _sent = line
        try:
            _start().send(line, socket.MSG_NOSIGNAL)
        except OSError:
            pass  # the guard cannot be started, or was killed: GDB works as without it


@events.on("cont", order=30)  # because of new breakpoints
@events.on("before_prompt", order=10)
@events.on("new_thread", order=10)  # because a program is attached to
@events.on("objects_changed", order=50)
def _changed(*_: Any) -> None:
    tell()


@events.on("exited", order=10)
def _exited(event: Any) -> None:
    tell(leaving=event.inferior)


def _places(inferior: Any) -> str:
    """Return the addresses where GDB may have breakpoints in compiled code, with the bytes that were there; "" if the
    process itself takes breakpoints out."""
    debuggee = target.of(inferior.progspace)
    if _signal_values.get(inferior.pid) or not debuggee.is_current or not debuggee.feed.objects:
        return ""
    functions, found = frames.functions(debuggee), {}
    for breakpoint in gdb.breakpoints() or ():
        for address in breakpoint_places.addresses(breakpoint) if breakpoint.enabled else ():
            if functions.at(address) is not None and len(found) < _PLACES:
                found[address] = debuggee.keep(
                    target.OBJECT, ("byte", address), functools.partial(_byte, inferior, address)
                )
    return "".join(f"@{address:x}={byte:x}" for address, byte in sorted(found.items()))


def _byte(inferior: Any, address: int) -> int:
    return bytes(inferior.read_memory(address, 1))[0]


@events.on("stop", order=110)
def stopped(_event: Any = None) -> None:
    """Look again, at a stop, whether the process has loaded the function that takes breakpoints out."""
    debuggee = target.current()
    pid = debuggee.inferior.pid
    if pid and debuggee.inferior.was_attached and not _signal_values.get(pid):
        _signal_values[pid] = _value(debuggee)
        tell()


def _value(debuggee: target.Target) -> int:
    descriptor = published.descriptor(debuggee)
    return int(descriptor.leftover) if descriptor is not None else 0


def _start() -> socket.socket:
    global _pipe, _process
    if _pipe is None:
        _pipe, theirs = socket.socketpair()
        with theirs:
            _process = subprocess.Popen(
                [os.path.join(os.path.dirname(native.path), "jitscope-guard")],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,  # a signal to GDB's whole job does not reach it
            )
        atexit.register(_quit)
    return _pipe


def _quit() -> None:
    """Tell the guard to end, because GDB ends and has detached from all processes by itself."""
    try:
        if _pipe is not None:
            _pipe.send(b"\n", socket.MSG_NOSIGNAL)
    except OSError:
        pass
