"""Breakpoints in functions that are not compiled for stepping: the program is asked to compile them anew."""

from __future__ import annotations

import os
import re
from typing import Any

import gdb
from jitscope_shared.base import contract, native
from jitscope_source import function_lines

from ..target import recompilation, sources, target
from . import frames, levels, running_calls

_PACKAGES = re.compile(r"/(site|dist)-packages/")
OWN = "jitscope."  # names of functions and of places that the hook adds begin with it


def note_at_line(debuggee: target.Target, found: list[Any], file: str, line: int) -> str | None:
    """Like note(), also for a line without code: the compiler may have removed it, or it is still to come."""
    if not recompilation.is_possible(debuggee):
        return None
    entry = _find(debuggee, file, line)
    if entry is not None and entry.state == contract.WANTED_COMPILED:
        return ""  # the functions' old code needs no note
    asked = note(debuggee, found, line)
    if asked is None and found and all(place.line != line for place in found):
        asked = _note_on_removed(debuggee, file, line)
        if asked is None:
            asked = expect(debuggee, file, line) or None
    return "" if asked is None and entry is not None and entry.state == contract.WANTED_ASKED else asked


def expect(debuggee: target.Target, file: str, line: int) -> str:
    """Have a package's function that is not compiled yet compiled for stepping at once, as a user's own function is.
    A function may be there without code of its own, as a part of callers from Numba's cache, or because Numba writes it
    into its callers. These are compiled anew then: return the note on the latter, "" for other functions. `file`: its
    path, or the end of its path; where `line` is 0, the function's name."""
    is_own = not line and file.startswith(OWN)
    if is_own or not gdb.parameter("jitscope recompile") or not recompilation.is_possible(debuggee):
        return ""
    inlined = _inlined(debuggee, file, line)
    is_left = recompilation.usual_level() in ("lines", "exact")  # also functions of the user's own
    is_late = _is_late(debuggee)
    if inlined or is_left or is_late or not line or not os.path.isabs(file) or _PACKAGES.search(file):
        entry = _find(debuggee, file, line, contract.WANTED_NEW)
        if entry is None:
            recompilation.ask(debuggee, file, line, "steps", contract.WANTED_NEW, is_for_old=is_late)
        if inlined and (entry is None or entry.state == contract.WANTED_ASKED):
            return f"{inlined}: compiled for stepping in its callers, at their next call from Python"
    return ""


def _inlined(debuggee: target.Target, file: str, line: int) -> str:
    """Return the name of the function with inline="always" that has the line, where its callers may have been compiled;
    "" if none has."""
    path = sources.find(debuggee, file) if line else None
    function = function_lines.meant_by(path, line, sources.born(debuggee)) if path else None
    its = function_lines.inlined_always(path, function.name) if path and function else None
    if its is None or function is None or its.end != function.end:
        return ""
    return its.name if _is_late(debuggee) else ""


def _is_late(debuggee: target.Target) -> bool:
    """True if the process has functions that were compiled before anything was asked for."""
    return any(levels.can_be_recompiled(debuggee, each) for each in frames.functions(debuggee).all)


def note(debuggee: target.Target, found: list[Any], line: int) -> str | None:
    """Ask the program for the functions of a user's breakpoint at this line, and return the note on that. It is "" when
    they have been compiled, and None where nothing is asked for. `found`: the breakpoint's places
    (breakpoint_places.Place)."""
    known = frames.functions(debuggee)
    asked = {}
    for place in found:
        function = known.at(place.address)
        is_old = levels.can_be_recompiled(debuggee, function) and not _has_newer(debuggee, function)
        if place.line == line and is_old and not place.function.startswith(OWN):
            asked.setdefault(_name(place), (place.file, function))
    return _note(debuggee, asked, line)


def note_at_name(debuggee: target.Target, found: list[Any]) -> str | None:
    """Like note(), for a breakpoint at a function's name."""
    texts = [note(debuggee, found, line) for line in dict.fromkeys(place.line for place in found)]
    said = [text for text in texts if text is not None]
    return "; ".join(filter(None, said)) if said else None


def _has_newer(debuggee: target.Target, old: dict[str, Any] | None) -> bool:
    """True if the function has been compiled anew on request, and is called in that form."""
    if old is None or all(entry.state != contract.WANTED_COMPILED for entry in recompilation.entries(debuggee)):
        return False
    same = [each for each in frames.functions(debuggee).all if each["name"] == old["name"]]
    return any(
        each["level"] == "steps" and all(each[key] == old[key] for key in ("signature", "file", "line"))
        for each in same
    )


def _note_on_removed(debuggee: target.Target, file: str, line: int) -> str | None:
    known = frames.functions(debuggee)
    asked = {}
    for entry in native.json_of("js_program_line", debuggee.program, os.fsencode(file), line, 0):
        function = known.at(entry["low"])
        is_old = levels.can_be_recompiled(debuggee, function) and not _has_newer(debuggee, function)
        if entry["state"] == "gone" and is_old:
            asked.setdefault(entry["function"], (entry["file"], function))
    return _note(debuggee, asked, line)


def _note(debuggee: target.Target, asked: dict[str, Any], line: int) -> str | None:
    requests = {name: (_request(debuggee, file, line), function) for name, (file, function) in asked.items()}
    served = {name: (entry, function) for name, (entry, function) in requests.items() if entry is not None}
    if not served:
        return None
    return "; ".join(
        f"{name}: compiled for stepping {running_calls.next_one(debuggee, asked[name][0], name)}"
        f"{_running_then(debuggee, function, entry)}"
        for name, (entry, function) in served.items()
        if entry.state == contract.WANTED_ASKED
    )


def _running_then(debuggee: target.Target, function: dict[str, Any], entry: Any) -> str:
    """Return what was said of running calls when the request was made: a note that differs would be written again."""
    key = ("running", entry.file, entry.line)
    return debuggee.keep(target.PROCESS, key, lambda: running_calls.text(debuggee, function))  # type: ignore[no-any-return]


def _request(debuggee: target.Target, file: str, line: int) -> Any:
    """Return the request about the line, which is made if there is none; None where it was refused."""
    entry = _find(debuggee, file, line)
    if entry is None:
        recompilation.ask(debuggee, file, line, "steps")
        entry = _find(debuggee, file, line)
    return entry if entry is not None and entry.state in recompilation.IN_FORCE else None


def _find(debuggee: target.Target, file: str, line: int, flags: int = 0) -> Any:
    """Return the request about the function that has this line, or None: one is enough for all of its lines, and for
    empty ones between them."""
    path = sources.find(debuggee, file) if line else None

    def meant_by(at: int) -> function_lines.Function:
        found = function_lines.meant_by(path, at, sources.born(debuggee)) if path else None
        return found or function_lines.NONE

    function = meant_by(line)

    def is_of_function(other: int) -> bool:
        if other == line or not path:
            return other == line
        its = meant_by(other)
        return its.begin <= line <= its.end and function in (its, function_lines.NONE)

    return recompilation.find(debuggee, file, is_of_function, flags)


def _name(place: Any) -> str:
    name = place.function
    return name[: -len(".prange")] if name.endswith(".prange") else name


def is_asked(debuggee: target.Target, function: dict[str, Any] | None, address: int) -> bool:
    """True if the address is in the function's old code, and the function is compiled anew on request."""
    place = gdb.find_pc_line(address)
    if place.symtab is None or not levels.can_be_recompiled(debuggee, function):
        return False
    entry = _find(debuggee, place.symtab.fullname(), place.line)
    return entry is not None and entry.state in recompilation.IN_FORCE
