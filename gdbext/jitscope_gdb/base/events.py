"""GDB's events and jitscope's own: a module registers a handler for an event, with its place in the order.

    @events.on("stop", order=120)
    def stopped(event): ...

At a stop, the handlers first forget the facts about the last stop (10) and read the present state of GDB and the
process (20 to 50). Then they explain the stop where it is (60, 70), select the frame that asked for it (80), and act on
it and report it (from 90 on). The other events have fewer handlers; tests/gdb/test_event_order.py lists them all."""

from __future__ import annotations

from typing import Any, Callable

import gdb

from . import report

_GDBS = (
    "stop", "cont", "exited", "before_prompt", "new_thread", "new_objfile", "free_objfile", "breakpoint_created",
    "breakpoint_modified", "breakpoint_deleted", "new_inferior", "memory_changed", "register_changed", "inferior_call",
)  # fmt: skip
# jitscope's own events, with the arguments of their handlers.
_OWN = {
    "object_taken": "of, number: an in-memory object is read here, and not by GDB",
    "stops_announced": "an object says that the program will stop for its debugger",
    "file_written": "of, numbers: GDB is about to read these objects",
    "objects_changed": "since: GDB has read objects, from this number on",
    "objects_cleared": "of: what GDB has of the process is about to be taken from it",
    "walk_ended": "of: all objects have come that were there when GDB came",
    "process_ended": "of",
    "only_process_ended": "no other one is debugged: addresses of the next process mean something else",
    "program_replaced": "the only process executes another program",
    "library_loaded": "name: the file, or None",
    "recompilation_begun": "of: the process can compile functions anew from now on",
    "breakpoint_noted": "number: the breakpoint has a new note",
    "displays_taken": "listed: `info display` as it was before GDB has deleted all displays with a symbol file",
}

Handler = Callable[..., Any]
_handlers: dict[str, list[tuple[int, Handler]]] = {name: [] for name in (*_GDBS, *_OWN)}


def on(event: str, order: int) -> Callable[[Handler], Handler]:
    """Have the decorated function handle the event, after handlers of a lower order."""

    def register(handler: Handler) -> Handler:
        known = _handlers[event]
        if any(order == other for other, _ in known):
            raise ValueError(f"two handlers of {event} have the order {order}")
        known.append((order, handler))
        known.sort(key=lambda pair: pair[0])
        return handler

    return register


def emit(event: str, *arguments: Any) -> None:
    """Call the handlers of one of jitscope's own events. The error of a handler becomes one line, and the next handler
    runs."""
    for _, handler in _handlers[event]:
        report.quietly(handler)(*arguments)


def connect() -> None:
    """Have GDB call the handlers of its events. If a handler fails, its error becomes one line, and no later handler of
    that event runs."""
    for name in _GDBS:
        if hasattr(gdb.events, name):
            getattr(gdb.events, name).connect(_all_of(name))


def _all_of(name: str) -> Handler:
    @report.quietly
    def happened(*arguments: Any) -> None:
        for _, handler in _handlers[name]:
            handler(*arguments)

    return happened
