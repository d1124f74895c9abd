"""The reads and writes of each worker of a parallel loop: functions at `steps` record them in the program
(libjitscope.so) while a word that they test is not 0."""

from __future__ import annotations

from typing import Any

from jitscope_shared import recorded_accesses
from jitscope_shared.base import contract, native

from ..base import report
from ..target import published, target


def switch(debuggee: target.Target, on: bool) -> None:
    """Switch recording on or off. Raise report.Problem if the program cannot record."""
    if not debuggee.is_live:
        raise report.Problem("a core cannot run: nothing more is recorded in it")
    published.write(debuggee, _address(debuggee), contract.Recorded, is_on=int(on))


def found(debuggee: target.Target) -> dict[str, Any]:
    """Return the recorded accesses of the newest loop, as js_program_records() gives them."""
    _address(debuggee)
    records: dict[str, Any] = native.json_of(
        "js_program_records", debuggee.program, debuggee.descriptor, debuggee.data_memory()
    )
    return records


def _address(debuggee: target.Target) -> int:
    descriptor = published.descriptor(debuggee)
    if descriptor is None:
        raise report.Problem(recorded_accesses.NO_JITSCOPE)
    if not descriptor.recording:
        raise report.Problem(recorded_accesses.NO_RECORDS)
    return int(descriptor.recording)
