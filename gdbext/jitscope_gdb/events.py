"""What happens to the target, and what has to follow from it."""

from __future__ import annotations

from typing import Any

import gdb

from . import feed, report, target


def _stopped(event: Any) -> None:
    current = target.current()
    current.forget(target.STOP)
    current.feed.refresh()
    from .present import stop_notes

    stop_notes.explain(current, event)


def _continued(event: Any) -> None:
    target.current().forget(target.STOP)


def _exited(event: Any) -> None:
    inferior = event.inferior
    if inferior.is_valid():
        _end(target.of(inferior.progspace))


def _end(ended: target.Target) -> None:
    if ended.is_current:
        ended.feed.clear()
        _ended.discard(ended)
    else:  # remove-symbol-file works on the current program space only
        _ended.add(ended)


_ended: set[target.Target] = set()


def _prompt() -> None:
    for ended in list(_ended):
        if not ended.progspace.is_valid():
            _ended.discard(ended)
        elif ended.is_current:
            _end(ended)
    if target.current().has_process:
        target.current().feed.flush()


def _new_objfile(event: Any) -> None:
    name = event.new_objfile.filename
    if not feed.is_ours(name) and "llvm" in (name or "").lower():
        target.of(event.new_objfile.progspace).feed.forget_descriptors()


def _free_objfile(event: Any) -> None:
    match = feed.JITED.match(event.objfile.filename or "") if event.objfile.is_valid() else None
    if match:
        current = target.current()
        if current.has_process:
            current.feed.unregistered(int(match[1], 16))


def _state_changed(event: Any) -> None:
    target.current().forget(target.STOP)


HANDLERS = {
    "stop": _stopped,
    "cont": _continued,
    "exited": _exited,
    "before_prompt": _prompt,
    "new_objfile": _new_objfile,
    "free_objfile": _free_objfile,
    "memory_changed": _state_changed,
    "register_changed": _state_changed,
    "inferior_call": _state_changed,
}


def connect() -> None:
    for name, handler in HANDLERS.items():
        if hasattr(gdb.events, name):
            getattr(gdb.events, name).connect(report.quietly(handler))
