"""The GDB events that a Target follows: the process runs, stops, loads a library, executes another program, or ends."""

from __future__ import annotations

import re
from typing import Any

import gdb
from jitscope_shared.base import private_files

from ..base import events
from . import object_feed, target

_LIBRARY = re.compile(r"/(?!ld[-.])[^/]+\.so\b[^/]*$")
_COMPILER = "llvm"  # a library with this in its name may have a descriptor of the JIT interface


@events.on("stop", order=10)
def _stopped(_event: Any) -> None:
    current = target.current()
    current.notice_program()
    current.forget(target.STOP)


@events.on("stop", order=40)
def _refresh(_event: Any) -> None:
    target.current().feed.refresh()


@events.on("cont", order=40)
@events.on("inferior_call", order=10)
def _runs(_event: Any) -> None:
    current = target.current()
    current.forget(target.STOP)
    current.feed.end_walk()


@events.on("memory_changed", order=10)
@events.on("register_changed", order=10)
def _written(_event: Any) -> None:
    current = target.current()
    if not current.is_writing:  # jitscope's own writes occur before anything is known of the stop that is being judged
        current.forget(target.STOP)


@events.on("exited", order=20)
def _exited(event: Any) -> None:
    if event.inferior.is_valid():
        if len(gdb.inferiors()) == 1:
            events.emit("only_process_ended")
        _end(target.of(event.inferior.progspace))


def _end(ended: target.Target) -> None:
    ended.has_ended = not ended.is_current  # remove-symbol-file works on the current program space only
    if not ended.has_ended:
        ended.feed.clear()
        events.emit("process_ended", ended)


@events.on("before_prompt", order=30)
def _prompt() -> None:
    for other in target.known():
        if other.has_ended and other.is_current:
            _end(other)
    if target.current().has_process:
        target.current().feed.flush()


@events.on("new_objfile", order=10)
def _new_objfile(event: Any) -> None:
    name = event.new_objfile.filename
    if private_files.is_ours(name):
        return
    debuggee = target.of(event.new_objfile.progspace)
    if _COMPILER in (name or "").lower():
        debuggee.feed.forget_descriptors()
    if debuggee.has_lost_program and len(gdb.inferiors()) == 1:
        # GDB is following an exec: breakpoints at addresses of the last program would end that.
        events.emit("program_replaced")
    if _LIBRARY.search(name or ""):
        # Files may be removed from GDB only now: the new program is mapped at the addresses that GDB has for it.
        debuggee.notice_program()
    debuggee.forget(target.OBJECT)  # the library may have code
    events.emit("library_loaded", name)


@events.on("free_objfile", order=10)
def _free_objfile(event: Any) -> None:
    match = object_feed.JITED.match(event.objfile.filename or "") if event.objfile.is_valid() else None
    if match:
        current = target.current()
        if current.has_process:
            current.feed.unregistered(int(match[1], 16))
