"""The order in which jitscope's modules handle GDB's events: each list is complete, from a real session."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence

import pytest

from tests.gdb import harness
from tests.interpreters import ROOT, first_gdb, newest_python

RECORDER = ROOT / "tests" / "gdb" / "event_order.py"
ORDER = {
    "stop": (
        "target.notice_program",
        "debugged_process.forget",
        "breakpoint_places.hold_all",
        "libraries.settle",
        "object_feed.refresh",
        "past_main.stopped",
        "conditions.stopped",
        "front_end_input.stopped",
        "stop_notes.explain",
        "source_notes.tell",
        "levels.stopped",
        "displays.stopped",
        "requested_stops.arrived",
        "line_arrivals.stopped",
        "raising.arrived",
        "guard.stopped",
        "several_types.stopped",
        "thread_names.stopped",
        "worker_breaks.arrived",
        "region_end.arrived",
        "step_out.arrived",
        "python_stepping.arrived",
        "requests.arrived",
        "skips.stopped",
    ),
    "cont": (
        "python_line.forget",
        "thread_names.continued",
        "line_arrivals.continued",
        "guard.tell",
        "debugged_process.forget",
        "several_types.runs",
    ),
    "exited": (
        "guard.tell",
        "displaced_stepping.ended",
        "never_set.ended",
        "breakpoints.ended",
        "requested_stops.forget",
        "line_arrivals.forget",
        "requests.ended",
        "object_feed.clear",
        "conditions.forget",
        "library_places.forget",
        "past_main.ended",
        "displays.forget",
        "skips.exited",
        "python_stepping.settle",
    ),
    "before_prompt": (
        "guard.tell",
        "displaced_stepping.choose",
        "displays.settle",
        "gdb_print.call_failed",
        "stepping.settle",
        "object_feed.flush",
        "failed_attaches.seen",
        "past_main.at_prompt",
        "several_types.selected",
    ),
    "new_thread": ("guard.tell", "displaced_stepping.choose"),
    "new_objfile": (
        "breakpoint_places.hold_all",
        "target.notice_program",
        "debugged_process.forget",
        "libraries.loaded",
        "lapack.loaded",
        "unseen.library_came",
    ),
    "free_objfile": ("breakpoint_places.hold_all", "object_feed.unregistered"),
    "breakpoint_created": (
        "breakpoint_places.hold",
        "lapack.created",
        "watching.created",
        "breakpoints.created",
        "conditions.created",
        "never_set.created",
    ),
    "breakpoint_modified": (
        "breakpoint_places.hold",
        "library_places.changed",
        "conditions.created",
        "breakpoints.modified",
    ),
    "breakpoint_deleted": ("breakpoints.deleted", "conditions.deleted"),
    "new_inferior": ("requested_stops.another_inferior",),
    "memory_changed": ("debugged_process.forget",),
    "register_changed": ("debugged_process.forget",),
    "inferior_call": ("debugged_process.forget",),
    # jitscope's own events: GDB is given a file of compiled code, or files of a process are taken from it
    "object_feed._write": (
        "cells.compiled",
        "breakpoints.look",
        "conditions.look_at_all",
        "breakpoints.look_at_unseen",
        "line_arrivals.look",
        "requests.look",
        "never_set.look",
        "guard.tell",
        "displaced_stepping.choose",
        "python_stepping.changed",
    ),
    "object_feed.clear": (
        "python_line.forget",
        "cells.forget",
        "object_feed.forget_descriptors",
        "debugged_process.forget",
    ),
}
# Handlers that run in other cases: without a process, and when the compiler's library is loaded.
ALSO = {
    "before_prompt": (
        "guard.tell",
        "displaced_stepping.choose",
        "displays.settle",
        "gdb_print.call_failed",
        "stepping.settle",
        "failed_attaches.note",
        "past_main.at_prompt",
        "several_types.selected",
    ),
    "new_objfile": ("breakpoint_places.hold_all", "object_feed.forget_descriptors", *ORDER["new_objfile"][1:]),
}


@pytest.fixture(scope="module")
def seen() -> dict[str, list[list[str]]]:
    """Return by event the sequences of functions in a session in one GDB."""
    commands = ["break foo", "run", "set var $rax = $rax", "set var *(char *) $sp = *(char *) $sp"]
    commands += ["print (int) getpid()", "break chk.py:1", "delete 2", "next", "delete", "continue"]
    commands += ["add-inferior", "remove-inferiors 2", "show version"]
    gdb = [first_gdb(), "-nx", "-q"]
    for setting in harness.QUICK:
        gdb += ["-iex", setting]
    for script in (RECORDER, harness.JITSCOPE, RECORDER):
        gdb += ["-ex", f"source {script}"]
    gdb += ["--args", newest_python(), str(harness.PROGRAMS / "chk.py")]
    names = sorted({name for order in (*ORDER.values(), *ALSO.values()) for name in order} | {"object_feed._write"})
    env = harness.lean({"EVENT_ORDER": " ".join(names), "TERM": "dumb"})
    done = subprocess.run(
        gdb, input="\n".join(commands) + "\n", env=env, capture_output=True, text=True, timeout=120, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("EVENTS ")]
    assert lines, done.stdout + done.stderr
    found: dict[str, list[list[str]]] = json.loads(lines[0].partition(" ")[2])
    return found


@pytest.mark.parametrize("event", ORDER)
def test_handlers_run_in_this_order(seen: dict[str, list[list[str]]], event: str) -> None:
    """One of the event's sequences is the whole list, and each other one is a part of it."""
    assert list(ORDER[event]) in seen[event], seen[event]
    for sequence in seen[event]:
        assert is_part(sequence, ORDER[event]) or is_part(sequence, ALSO.get(event, ())), sequence


def is_part(sequence: Sequence[str], whole: Sequence[str]) -> bool:
    """True if the sequence is the whole with some names left out."""
    rest = iter(whole)
    return all(name in rest for name in sequence)


def test_handlers_of_an_event_have_different_orders() -> None:
    done = harness.run(["python from jitscope_gdb.base import events", "python events.on('stop', order=10)(print)"])
    assert "two handlers of stop have the order 10" in done.text, done.text


def test_a_handler_that_fails_is_said_and_the_next_one_runs() -> None:
    commands = ["python from jitscope_gdb.base import events"]
    commands += ["python events.on('library_loaded', order=1)(lambda name: 1 / 0)"]
    commands += ["python events.on('library_loaded', order=2)(lambda name: print('next:', name))"]
    commands += ["python events.emit('library_loaded', 'libx.so')"]
    said = harness.run(commands).of(commands[-1])
    assert "jitscope failed (ZeroDivisionError: division by zero)" in said and "next: libx.so" in said, said
    assert "Traceback" not in said, said
