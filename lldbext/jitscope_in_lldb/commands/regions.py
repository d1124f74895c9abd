"""The parallel loops that run now, and the program's record of what workers have read and written."""

from __future__ import annotations

from typing import Any

import lldb
from jitscope_shared import published, recorded_accesses, running_loops
from jitscope_shared.base import contract, native
from jitscope_source.statements import reductions

from .. import debuggee as debuggees
from .. import report, source_facts, workers
from ..report import Problem


def current(debuggee: debuggees.Debuggee, thread: Any) -> list[dict[str, Any]]:
    """Return the loop that a thread is in or waits for, or all loops, as docs/schema/region.json has them."""
    number = int(thread.GetIndexID()) if thread.IsValid() else None
    found = running_loops.current(debuggee, workers.all_threads(debuggee), number)
    for region in found:
        path = source_facts.find(debuggee, region["file"]) if region["file"] and region["line"] else None
        region["last_line"] = running_loops.last_line(path, region["line"]) if path else None
    return found


def records(debuggee: debuggees.Debuggee) -> dict[str, Any]:
    """Return the recorded accesses of the newest loop, as docs/schema/writes.json has them."""
    _recorded(debuggee)
    given = debuggee.program, debuggee.descriptor, debuggee.data_memory()
    found: dict[str, Any] = native.json_of("js_program_records", *given)
    if problem := recorded_accesses.missing(found):
        raise Problem(problem)
    return found


def notes(debuggee: debuggees.Debuggee, records: dict[str, Any]) -> list[str]:
    """Return a line for each reduction variable that the recorded loop's body reads."""
    path = source_facts.find(debuggee, records["file"]) if records["file"] and records["line"] else None
    found = reductions.reads(path, records["line"], debuggee.born()) if path else []
    return [recorded_accesses.reduction_note(name, line) for name, line in found]


def record(debuggee: debuggees.Debuggee, is_on: bool) -> None:
    """Switch recording on or off."""
    if not debuggee.is_live:
        raise Problem("a core cannot run: nothing more is recorded in it")
    place = _recorded(debuggee)
    for offset, data in published.fields(contract.Recorded, {"is_on": int(is_on)}):
        error = lldb.SBError()
        debuggee.process.WriteMemory(place + offset, data, error)
        report.succeeded(error, "the program's memory cannot be written")


def _recorded(debuggee: debuggees.Debuggee) -> int:
    """Return the address of the program's jitscope_recorded."""
    place = debuggee.descriptor
    descriptor = published.structure(debuggee.read, place, contract.Descriptor) if place else None
    if descriptor is None:
        raise Problem(recorded_accesses.NO_JITSCOPE)
    if not descriptor.recording:
        raise Problem(recorded_accesses.NO_RECORDS)
    return int(descriptor.recording)
