"""Places of a breakpoint in C and C++. They are disabled where the name means compiled Python: `break lookup` means the
user's function, and LLVM has 39 methods of that name."""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple

import gdb
from jitscope_source import defined

from ..base import console, events, report
from ..frames import frames
from ..target import target
from . import breakpoint_places

_NAME = re.compile(r"(?:-qualified )?(?:-function )?([^\W\d][\w.<>]*)$")  # a location that is a function's name
_COMPILER = re.compile(r"/lib(llvmlite|LLVM)[^/]*$")
_OWN = re.compile(r"/libjitscope[^/]*$")
_API = "jitscope_"  # the prefix of libjitscope.so's public functions
_NAMED = 3  # libraries that one line names
_SYMBOL = re.compile(r" in section \S+(?: of (?P<file>.+))?$", re.M)

_held: dict[int, set[int]] = {}  # by the breakpoint's number: addresses that this module has disabled
# by the breakpoint's number: its name, and addresses that are to be reported as disabled
_unreported: dict[int, tuple[str, set[int]]] = {}
_reported: set[int] = set()  # numbers of breakpoints that were reported: libraries come one by one
_wanted: set[int] = set()  # numbers of breakpoints whose places the user has all enabled
_is_busy = False


class Place(NamedTuple):
    index: int  # among the breakpoint's places, from 1
    enabled: bool
    address: int
    library: str  # the library's file; "": the place is in none


def name_in(location: str) -> str | None:
    """Return the function's name that a breakpoint's location is, None if it is no name; a pending breakpoint's
    location contains its condition."""
    match = _NAME.match(location.partition(" if ")[0].strip())
    return match[1] if match else None


@events.on("breakpoint_modified", order=10)
@report.quietly
def changed(breakpoint: Any) -> None:
    """Look at a breakpoint that was made or has got places."""
    global _is_busy
    debuggee = target.current()
    if _is_busy or breakpoint.number < 0 or breakpoint.type not in breakpoint_places.BREAKS:
        return
    if not debuggee.has_process or not debuggee.is_live:
        return
    name = name_in(breakpoint.location or "")
    if name is None:
        return
    _is_busy = True  # because disabling a place changes the breakpoint, too
    try:
        _hold(debuggee, breakpoint, name)
    finally:
        _is_busy = False


def deleted(breakpoint: Any) -> None:
    _held.pop(breakpoint.number, None)
    _unreported.pop(breakpoint.number, None)
    _reported.discard(breakpoint.number)
    _wanted.discard(breakpoint.number)


@events.on("process_ended", order=20)
def forget(_of: target.Target) -> None:
    """Forget the places of a process that has ended."""
    for each in (_held, _unreported, _reported):
        each.clear()


@events.on("stop", order=45)
@events.on("exited", order=12)
@report.quietly
def tell(*_: Any) -> None:
    """Report, once for each breakpoint, which of its places are disabled. By now the program's libraries and compiled
    code are there, whose places GDB numbers together."""
    for breakpoint in gdb.breakpoints() or () if _unreported else ():
        if found := _unreported.pop(breakpoint.number, None):
            name, addresses = found
            _report(breakpoint, name, [place for place in _places(breakpoint) if place.address in addresses])
    _unreported.clear()


def _hold(debuggee: target.Target, breakpoint: Any, name: str) -> None:
    found = _places(breakpoint)
    known = _held.setdefault(breakpoint.number, set())
    if _is_users():
        _note_wish(breakpoint, [place for place in found if place.address in known])
    if breakpoint.number in _wanted:
        return
    if not _is_users():
        for place in found:
            if place.address in known and place.enabled:
                breakpoint_places.enable(breakpoint, place.index, False)  # GDB has made the place anew
    for place in found:
        if place.address in known and _is_compiled(debuggee, place):
            known.discard(place.address)  # the address was disabled in a process before this one
            breakpoint_places.enable(breakpoint, place.index, True)
    fresh = [place for place in found if place.address not in known and not _is_compiled(debuggee, place)]
    if not fresh:
        return
    own = [place for place in fresh if _OWN.search(place.library) and not name.startswith(_API)]
    fresh = [place for place in fresh if place not in own]
    is_ours = any(_is_compiled(debuggee, place) for place in found) or _is_defined(debuggee, name, found)
    if is_ours is False:
        fresh = []
    elif is_ours:
        fresh = [place for place in fresh if place.library or _is_interpreter(debuggee, place)]
    else:  # it is not known whether the program defines the name
        fresh = [place for place in fresh if _COMPILER.search(place.library)]
        if any(_is_called(name, place.address) for place in fresh):
            fresh = []  # the user means the compiler's own function, by its full name
    for place in own + fresh:
        known.add(place.address)
        if place.enabled:
            breakpoint_places.enable(breakpoint, place.index, False)
    if fresh and breakpoint.number not in _reported:  # this library's own places are not reported
        _unreported.setdefault(breakpoint.number, (name, set()))[1].update(place.address for place in fresh)
        if _is_users():
            tell()


def _note_wish(breakpoint: Any, held: list[Place]) -> None:
    """Note whether the user has enabled all places that this module disabled: then places in libraries that come later
    stay enabled, too."""
    if held and all(place.enabled for place in held):
        _wanted.add(breakpoint.number)
    elif held:
        _wanted.discard(breakpoint.number)


def is_held(breakpoint: Any, address: int) -> bool:
    """True if this module has disabled this place."""
    return breakpoint.number not in _wanted and address in _held.get(breakpoint.number, ())


def has_no_other_place(breakpoint: Any) -> bool:
    """True if the breakpoint has no place except those that this module has disabled."""
    found = _places(breakpoint)
    return bool(found) and all(is_held(breakpoint, place.address) for place in found)


def _report(breakpoint: Any, name: str, fresh: list[Place]) -> None:
    if not fresh or not gdb.parameter("jitscope notes"):
        return
    _reported.add(breakpoint.number)
    libraries = sorted({os.path.basename(place.library) or "the interpreter" for place in fresh})
    named = ", ".join(libraries[:_NAMED]) + (f" and {len(libraries) - _NAMED} more" * (len(libraries) > _NAMED))
    is_one = len(fresh) == 1
    numbers = " ".join(f"{breakpoint.number}.{each}" for each in _ranges([place.index for place in fresh]))
    report.say(
        f"jitscope: breakpoint {breakpoint.number}: {len(fresh)} place{'s' * (not is_one)} of {name} in {named} "
        f"{'is' if is_one else 'are'} off, since compiled Python comes first: `enable {numbers}` "
        f"turns {'it' if is_one else 'them'} on"
    )


def _ranges(indices: list[int]) -> list[str]:
    """Return the numbers as ranges: "3-5", "9" for 3, 4, 5, 9."""
    starts = [each for each in indices if each - 1 not in indices]
    ends = [each for each in indices if each + 1 not in indices]
    return [f"{start}-{end}" if end > start else str(start) for start, end in zip(starts, ends)]


def _is_compiled(debuggee: target.Target, place: Place) -> bool:
    function = frames.functions(debuggee).at(place.address)
    return function is not None and function["kind"] in frames.WRITTEN


def _is_users() -> bool:
    """True if the user has changed the breakpoint, that is, if the program is stopped."""
    thread = gdb.selected_thread()
    return thread is not None and bool(thread.is_stopped())


def _is_defined(debuggee: target.Target, name: str, found: list[Place]) -> bool | None:
    """Like defined.in_program(), but evaluated once for each process."""
    compiler = next((each.library for each in found if _COMPILER.search(each.library)), "")
    packages = os.path.dirname(os.path.dirname(os.path.dirname(compiler)))  # …/llvmlite/binding/libllvmlite.so
    return debuggee.keep(  # type: ignore[no-any-return]
        target.PROCESS, ("defined", name, packages), lambda: defined.in_program(debuggee.inferior.pid, name, packages)
    )


def _is_interpreter(debuggee: target.Target, place: Place) -> bool:
    """True if the place is in the program itself, and the program is an interpreter of Python."""
    program = os.path.realpath(debuggee.progspace.filename or "")
    if place.library or not os.path.basename(program).startswith("python") or _is_compiled(debuggee, place):
        return False
    match = _SYMBOL.search(console.text_of(f"info symbol {place.address:#x}"))
    return match is not None and (match["file"] is None or os.path.realpath(match["file"]) == program)


def _is_called(name: str, address: int) -> bool:
    return re.match(rf"{re.escape(name)}(\(| |$)", console.text_of(f"info symbol {address:#x}")) is not None


def _places(breakpoint: Any) -> list[Place]:
    """Return all places of the breakpoint, also those without a line."""
    return [Place(*row, gdb.solib_name(row.address) or "") for row in breakpoint_places.rows(breakpoint)]
