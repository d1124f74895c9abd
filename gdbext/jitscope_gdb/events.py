"""What happens to the target, and what has to follow from it."""

from __future__ import annotations

import re
from typing import Any

import gdb

from . import (
    adapter,
    arrivals,
    attempts,
    breakpoints,
    conditions,
    feed,
    front_end_input,
    guard,
    lapack,
    levels,
    libraries,
    library_places,
    private_files,
    raising,
    region_end,
    report,
    requests,
    returned,
    stepping,
    stops,
    target,
    thread_names,
    unseen,
    watching,
    worker_breaks,
)

_LIBRARY = re.compile(r"/(?!ld[-.])[^/]+\.so\b[^/]*$")


def _stopped(event: Any) -> None:
    current = target.current()
    current.notice_program()
    current.forget(target.STOP)
    adapter.extend()
    libraries.settle()
    current.feed.refresh()
    conditions.stopped()
    front_end_input.stopped()
    from .present import stop_notes

    stop_notes.explain(current, event)
    levels.stopped(current)
    stops.arrived(current, event)
    arrivals.stopped()
    raising.arrived(current, event)
    guard.stopped(current)
    thread_names.stopped(current)
    worker_breaks.arrived(current, event)
    region_end.arrived(current, event)
    returned.arrived()
    requests.arrived(current)


def _continued(event: Any) -> None:
    thread_names.continued()
    arrivals.continued()
    guard.tell()  # of breakpoints that are new
    target.current().forget(target.STOP)


def _exited(event: Any) -> None:
    inferior = event.inferior
    guard.tell(leaving=inferior)
    if inferior.is_valid():
        if len(gdb.inferiors()) == 1:
            stops.forget()
            arrivals.forget()
            requests.ended()
        _end(target.of(inferior.progspace))


def _end(ended: target.Target) -> None:
    if ended.is_current:
        ended.feed.clear()
        raising.forget()
        conditions.forget()
        library_places.forget()
        _ended.discard(ended)
    else:  # remove-symbol-file works on the current program space only
        _ended.add(ended)


_ended: set[target.Target] = set()


def _prompt() -> None:
    guard.tell()
    stepping.settle()
    for ended in list(_ended):
        if not ended.progspace.is_valid():
            _ended.discard(ended)
        elif ended.is_current:
            _end(ended)
    if target.current().has_process:
        target.current().feed.flush()
        attempts.seen()
    else:
        attempts.note()


def _new_objfile(event: Any) -> None:
    name = event.new_objfile.filename
    if private_files.is_ours(name):
        return
    if "llvm" in (name or "").lower():
        target.of(event.new_objfile.progspace).feed.forget_descriptors()
    of = target.of(event.new_objfile.progspace)
    if of.has_lost_program and len(gdb.inferiors()) == 1:
        # GDB is following an exec: breakpoints at addresses of the last program would end that.
        stops.forget()
        arrivals.forget()
    if _LIBRARY.search(name or ""):
        # Only by now may files be taken from GDB: the new program is mapped where GDB has it.
        of.notice_program()
    of.forget(target.OBJECT)  # code has come
    libraries.loaded(name)
    lapack.loaded(name)
    unseen.library_came()


def _free_objfile(event: Any) -> None:
    match = feed.JITED.match(event.objfile.filename or "") if event.objfile.is_valid() else None
    if match:
        current = target.current()
        if current.has_process:
            current.feed.unregistered(int(match[1], 16))


def _new_thread(event: Any) -> None:
    guard.tell()  # a program is attached to


def _created(breakpoint: Any) -> None:
    lapack.created(breakpoint)
    watching.created(breakpoint)
    breakpoints.created(breakpoint)
    conditions.created(breakpoint)


def _modified(breakpoint: Any) -> None:
    library_places.changed(breakpoint)
    conditions.created(breakpoint)
    breakpoints.modified(breakpoint)


def _deleted(breakpoint: Any) -> None:
    breakpoints.deleted(breakpoint)
    conditions.deleted(breakpoint)


def _state_changed(event: Any) -> None:
    target.current().forget(target.STOP)


def _user_wrote(event: Any) -> None:
    if stops.is_leaving() or target.current().is_writing:  # nothing is known yet of the stop that is being judged
        return
    _state_changed(event)


HANDLERS = {
    "stop": _stopped,
    "cont": _continued,
    "exited": _exited,
    "before_prompt": _prompt,
    "new_thread": _new_thread,
    "new_objfile": _new_objfile,
    "breakpoint_created": _created,
    "breakpoint_modified": _modified,
    "breakpoint_deleted": _deleted,
    "new_inferior": stops.another_inferior,
    "free_objfile": _free_objfile,
    "memory_changed": _user_wrote,
    "register_changed": _user_wrote,
    "inferior_call": _state_changed,
}


def connect() -> None:
    for name, handler in HANDLERS.items():
        if hasattr(gdb.events, name):
            getattr(gdb.events, name).connect(report.quietly(handler))
