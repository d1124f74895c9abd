"""Notes at the program's end: on breakpoints at Python that never had a place, and on conditions of `jit catch` that
never had an answer, where no note was possible before."""

from __future__ import annotations

import re
from typing import Any

import gdb

from ..base import events, native, report
from ..target import target
from . import breakpoint_places, breakpoints, condition_text, conditions, library_places, unseen

_LINES = (
    "nothing that this process has compiled with debug information has that line (debug=True in its @njit, or "
    "NUMBA_DEBUGINFO=1 for the program; for stencils and object mode jitscope installed, too)"
)
_NAMES = "this process has compiled nothing of that name"

# By location: the note on a breakpoint that a command made where the user named no place.
of_commands: dict[str, str] = {}

_were_set: set[int] = set()  # numbers of breakpoints that have had a place in this run of the program
# by the name of a breakpoint without a place: full names of functions that end in it
_full_names: dict[str, set[str]] = {}


@events.on("breakpoint_created", order=50)
def created(breakpoint: Any) -> None:
    """Note a breakpoint that has a place from the start."""
    if breakpoint.number not in _were_set and any(row.enabled for row in breakpoint_places.rows(breakpoint)):
        _were_set.add(breakpoint.number)


@events.on("objects_changed", order=45)
def look(_since: int | None) -> None:
    """Look at all breakpoints after compiled code has come, because the code may be gone when the program ends."""
    for breakpoint in (*(gdb.breakpoints() or ()), *map(breakpoints.Unseen, unseen.locations())):
        created(breakpoint)
    _find_full_names(target.current())


def _find_full_names(debuggee: target.Target) -> None:
    """Look for functions whose names end in those of breakpoints without a place, as a method's does, because the
    functions are gone when the program has ended."""
    for location in _without_place().values():
        name = library_places.name_in(location)
        if name and debuggee.has_process:
            ends = rf"\.{re.escape(name)}$".encode()
            found = native.json_of("js_program_functions", debuggee.program, ends, 0, 0)
            _full_names[name] = {each["name"] for each in found if each["kind"] == "function"}


@events.on("exited", order=15)
@report.quietly
def ended(event: Any) -> None:
    """Write the notes when the program has ended."""
    debuggee = target.current()
    if event.inferior != debuggee.inferior:
        return
    if hasattr(event, "exit_code") and gdb.parameter("jitscope notes") and debuggee.may_run_python():
        _report()
    _were_set.clear()
    _full_names.clear()


def _report() -> None:
    lines, names = [], []
    reported = breakpoints.numbers_that_never_stop()
    for number, location in sorted(_without_place().items()):
        location = location.partition(" if ")[0].strip()
        if number in reported:
            continue
        if location in of_commands:
            report.say(f"jitscope: the program has ended, and breakpoint {number} {of_commands[location]}")
        elif condition_text.names_python(location):
            lines.append((number, location))
        elif name := library_places.name_in(location):
            names.append((number, name))
    _say(lines, _LINES)
    for number, name in names:
        if full := sorted(_full_names.get(name, ())):
            _say([(number, name)], f"compiled functions end in it: {', '.join(full)}; `break {full[0]}`")
    _say([(number, name) for number, name in names if not _full_names.get(name)], _NAMES)
    for text, reason in conditions.nameless.items():
        for number in conditions.numbers_with(text) if reason else ():
            report.say(f"jitscope: breakpoint {number}: `{text}` had no answer where exceptions were raised: {reason}")


def _without_place() -> dict[int, str]:
    dprintfs = {number: location for number, location in unseen.locations().items() if number not in _were_set}
    return dprintfs | {
        breakpoint.number: breakpoint.location or ""
        for breakpoint in gdb.breakpoints() or ()
        if breakpoint.number > 0
        and breakpoint.enabled
        and breakpoint.type in breakpoint_places.BREAKS
        and breakpoint.number not in _were_set
    }


def _say(found: list[tuple[int, str]], why: str) -> None:
    if found:
        listed = ", ".join(f"{number} ({location})" for number, location in found)
        many = "s" * (len(found) > 1)
        report.say(
            f"jitscope: the program has ended, and breakpoint{many} {listed} {'were' if many else 'was'} never set: "
            f"{why}"
        )
