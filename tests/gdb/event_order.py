"""A recorder inside GDB, sourced before and again after jitscope: it records which of jitscope's functions run at each
of GDB's events.

EVENT_ORDER names the functions that are recorded. The second reading starts the recording, and when GDB ends it writes
a line of JSON after EVENTS: by event, and by function, the sequences of recorded functions that were called from there,
without those that one of these calls."""

from __future__ import annotations

import atexit
import json
import os
import sys
from collections import defaultdict
from typing import Any

import gdb

EVENTS = (
    "stop", "cont", "exited", "before_prompt", "new_thread", "new_objfile", "free_objfile", "breakpoint_created",
    "breakpoint_modified", "breakpoint_deleted", "new_inferior", "memory_changed", "register_changed", "inferior_call",
)  # fmt: skip


class Recorder:
    """The calls so far, as a stack of sequences: one for each event or recorded function that has begun."""

    def __init__(self, names: list[str]):
        self.names = set(names)
        self.seen: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self.open: list[tuple[str, list[str]]] = []

    def begin(self, name: str) -> None:
        self.open.append((name, []))

    def end(self, name: str) -> None:
        while self.open:
            begun, found = self.open.pop()
            self.seen[begun].add(tuple(found))
            if begun == name:
                return

    def profile(self, frame: Any, what: str, argument: Any) -> None:
        path = frame.f_code.co_filename
        if what not in ("call", "return") or not ("/jitscope_gdb/" in path or "/jitscope_shared/" in path):
            return
        module = os.path.basename(path).rpartition(".")[0]
        name = f"{module}.{frame.f_code.co_name}"
        if name not in self.names:
            return
        if what == "call":
            if self.open:
                self.open[-1][1].append(name)
            self.begin(name)
        else:
            self.end(name)


def connect(end: bool) -> None:
    """Connect the recorder to all events. GDB calls an event's handlers in the order in which they were connected."""
    for name in EVENTS:
        if hasattr(gdb.events, name):
            note = recorder.end if end else recorder.begin
            getattr(gdb.events, name).connect(lambda *_, note=note, name=name: note(name))


def write() -> None:
    sys.setprofile(None)
    found = {name: sorted(sequences) for name, sequences in recorder.seen.items()}
    print("\nEVENTS " + json.dumps(found), flush=True)


recorder = getattr(gdb, "_event_order", None)
if recorder is None:
    recorder = gdb._event_order = Recorder(os.environ["EVENT_ORDER"].split())
    connect(end=False)
else:
    connect(end=True)
    sys.setprofile(recorder.profile)
    atexit.register(write)
