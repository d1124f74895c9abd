"""Breakpoints of `jit break` and `jit catch`, and the notes on breakpoints at lines, one line for each."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any, Iterator, NamedTuple

import gdb
from jitscope_shared.base import native
from jitscope_shared.commands import break_words
from jitscope_source import function_lines

from ..base import events, report
from ..frames import frames, levels, recompiled, undescribed
from ..target import cells, sources, target
from . import conditions, library_places, unseen
from .breakpoint_places import BREAKS, Place, enable, has_places, places

_LINE = re.compile(r"(?:^|(?P<file>.*):)(?P<line>\d+)$|^(?:-source (?P<source>.*?) )?-line (?P<number>\d+)$")
_NAMED = re.compile(r"(?:-qualified )?(?:-source (?P<file>.*?) )?(?:-function )?(?:.*:)?(?P<name>[^\W\d][\w.<>]*)$")

_seen: dict[int, tuple[int, ...]] = {}  # by the breakpoint's number: its addresses when it was last looked at
_notices: dict[int, Notice] = {}
_is_making = False
_waits: set[int] = set()  # numbers of breakpoints with a note that holds only until more is compiled
_was_there: set[int] = set()  # numbers of breakpoints with a place on their own line, until the program has ended
_held: set[int] = set()  # numbers of breakpoints with a place that is disabled, since it is in another function


class Notice(NamedTuple):
    text: str = ""  # the note on a breakpoint
    never_stops: bool = False  # True if the text says that it never stops


@events.on("breakpoint_created", order=30)
def created(breakpoint: Any) -> None:
    levels.has_new_condition(breakpoint, conditions.of_breakpoint(breakpoint))
    library_places.changed(breakpoint)
    _look(breakpoint)


@contextlib.contextmanager
def making() -> Iterator[None]:
    """Mark the `with` block as the creation of a breakpoint, which gets the condition that was typed with it."""
    global _is_making
    _is_making = True
    try:
        yield
    finally:
        _is_making = False


@events.on("breakpoint_modified", order=30)
def modified(breakpoint: Any) -> None:
    """Repeat the note on a breakpoint with places when a condition is typed for it."""
    is_new = levels.has_new_condition(breakpoint, conditions.of_breakpoint(breakpoint))
    if is_new and not _is_making and _seen.get(breakpoint.number):
        _seen.pop(breakpoint.number)
        _notices.pop(breakpoint.number, None)
        _look(breakpoint)


@events.on("objects_changed", order=10)
def look(since: int) -> None:
    """Look at all breakpoints after compiled code has come, in objects from number `since` on: they may have got or
    lost places."""
    for breakpoint in gdb.breakpoints() or ():
        library_places.changed(breakpoint)
        _look(breakpoint, since)


@events.on("breakpoint_deleted", order=10)
def deleted(breakpoint: Any) -> None:
    _seen.pop(breakpoint.number, None)
    _notices.pop(breakpoint.number, None)
    _held.discard(breakpoint.number)
    _waits.discard(breakpoint.number)
    _was_there.discard(breakpoint.number)
    levels.deleted(breakpoint)
    library_places.deleted(breakpoint)


@events.on("exited", order=18)
def ended(_event: Any) -> None:
    _was_there.clear()


# -- breakpoints of `jit catch` and `jit break`


def split_condition(text: str) -> tuple[str, str]:
    """Return the text before `if` and the condition after it."""
    if (words := break_words.split(text)).condition == "":
        raise report.Problem("a condition is missing after `if`")
    return words.location, words.condition or ""


@events.on("recompilation_begun", order=10)
def expect(debuggee: target.Target) -> None:
    """Have the process compile for stepping, at once, what breakpoints wait for."""
    for breakpoint in gdb.breakpoints() or ():
        location = split_condition(breakpoint.location or "")[0]
        if breakpoint.number < 0 or breakpoint.type not in BREAKS or not breakpoint.pending:
            continue
        if match := _LINE.match(location):
            file = match["file"] or match["source"] or ""
            recompiled.expect(debuggee, sources.named(debuggee, file) or file, int(match["line"] or match["number"]))
        elif match := _NAMED.match(location):
            recompiled.expect(debuggee, match["name"], 0)


# -- notes on breakpoints at lines


def note_on(number: int) -> Notice:
    """Return the note on the breakpoint of this number; a Notice without text where there is none."""
    return _notices.get(number, Notice())


def is_astray(breakpoint: Any) -> bool:
    """True if GDB has set the breakpoint of a line only in other functions than the one that was meant."""
    match = _LINE.match(split_condition(breakpoint.location or "")[0])
    found = places(breakpoint) if match else []
    if match is None or not found:
        return False
    debuggee, line = target.current(), int(match["line"] or match["number"])
    meant = _meant_by(debuggee, found[0].file, line, [])
    return all(_is_past(debuggee, meant, line, place) for place in found)


def numbers_that_never_stop() -> set[int]:
    """Return the numbers of the breakpoints that never stop according to their notes."""
    return {number for number, notice in _notices.items() if notice.never_stops}


@events.on("objects_changed", order=25)  # after the handler that enables dprintfs
def look_at_unseen(since: int | None) -> None:
    """Like look(), but for dprintfs at lines."""
    debuggee = target.current()
    for number, location in unseen.locations().items() if debuggee.has_process and debuggee.feed.objects else ():
        if match := _LINE.match(location):
            _say(number, _notice_at_line(debuggee, unseen.UnseenBreakpoint(number), match, since))


def _say(number: int, notice: Notice) -> None:
    if notice.text and gdb.parameter("jitscope notes") and _notices.get(number) != notice:
        _notices[number] = notice
        report.say(f"jitscope: breakpoint {number}: {notice.text}")
        events.emit("breakpoint_noted", number)


def _look(breakpoint: Any, since: int | None = None) -> None:
    debuggee = target.current()
    if breakpoint.number < 0 or breakpoint.type not in BREAKS or not debuggee.has_process or not debuggee.feed.objects:
        return
    # a pending breakpoint's location contains its condition
    location, typed = split_condition(breakpoint.location or "")
    if match := _LINE.match(location):
        notice = _notice_at_line(debuggee, breakpoint, match, since)
    elif match := _NAMED.match(location):
        is_own = match["name"].startswith(recompiled.OWN)
        notice = Notice() if is_own else _notice_at_name(debuggee, breakpoint, match["name"], bool(typed))
    else:
        return
    _say(breakpoint.number, notice)
    levels.report_fastmath(debuggee, [place.address for place in places(breakpoint)], notice.text)


def _notice_at_name(debuggee: target.Target, breakpoint: Any, name: str, is_conditional: bool) -> Notice:
    found = places(breakpoint)
    if not found:
        recompiled.expect(debuggee, name, 0)
    asked = recompiled.note_at_name(debuggee, found)
    if asked is not None:
        return Notice(asked)
    text = _of_function(debuggee, breakpoint, name)
    if not (text or is_conditional or conditions.of_breakpoint(breakpoint)):
        text = undescribed.note(debuggee, name)
    never = "" if text or has_places(breakpoint) else undescribed.of_interpreted(debuggee, name)
    return Notice(text or never or _of_copies(debuggee, breakpoint), bool(never))


def _notice_at_line(debuggee: target.Target, breakpoint: Any, match: re.Match[str], since: int | None) -> Notice:
    found = places(breakpoint)
    addresses = tuple(place.address for place in found)
    file = found[0].file if found else match["file"] or match["source"] or ""
    line = int(match["line"] or match["number"])
    asked = recompiled.note_at_line(debuggee, found, file, line)
    if asked is not None:
        return Notice(asked)
    if found and _seen.get(breakpoint.number) == addresses:
        text = _of_function(debuggee, breakpoint, found[0].function)
        is_moved = all(place.line != line for place in found)
        is_open = is_moved or breakpoint.number not in _notices or breakpoint.number in _waits
        if text or not is_open or since is None:
            return Notice(text)
        return _newly_without_place(debuggee, breakpoint, file, line, found, since)
    had_places = bool(_seen.get(breakpoint.number))
    _seen[breakpoint.number] = addresses
    if not found and had_places:
        return Notice()  # its code was taken back, as all code is when the interpreter ends
    if not found:
        without = _note_without_places(debuggee, file, line)
        entries = [] if without.text else lines_of(debuggee, file, line, since or 0)
        return _moved(debuggee, breakpoint, file, line, found, entries) if entries else without
    _hold(debuggee, breakpoint, file, line, found)
    if any(place.line == line for place in found):
        _was_there.add(breakpoint.number)
    elif breakpoint.number in _was_there:
        return Notice()
    return _note(debuggee, file, line, found, breakpoint)


def _newly_without_place(
    debuggee: target.Target, breakpoint: Any, file: str, line: int, found: list[Place], since: int
) -> Notice:
    """Return the note for a function that was compiled since and has the line, but no place for it."""
    entries = lines_of(debuggee, file, line, since)
    if all(place.line != line for place in found):
        is_own = any(entry["state"] == "gone" and not entry["within"] for entry in entries)
        if is_own and (breakpoint.number not in _notices or breakpoint.number in _waits):
            return _moved(debuggee, breakpoint, file, line, found, entries)
        stops, function = {place.function for place in found}, _function_of(debuggee, file, line, entries)
        gone = [
            entry
            for entry in entries
            if entry["state"] == "gone" and entry["within"] not in stops and _is_of(entry, function)
        ]
        why = f"{gone[0]['why']}: it does not stop there" if gone else ""
        return Notice(sentence({**gone[0], "why": why})) if gone else Notice()
    gone = [entry for entry in entries if entry["state"] == "gone" and entry["within"]]
    return Notice(sentence(gone[0]) if gone else "")


def _hold(debuggee: target.Target, breakpoint: Any, file: str, line: int, found: list[Place]) -> None:
    """Disable the places where the breakpoint must not stop. Until the line's function is compiled, GDB sets the
    breakpoint in the function after it; if the function never reaches the line, GDB sets it at a later line."""
    entries = lines_of(debuggee, file, line)
    function, is_unreached = _meant_by(debuggee, file, line, entries), _why_unreached(debuggee, file, line, entries)
    held = [_is_past(debuggee, function, line, place) or bool(is_unreached) and place.line != line for place in found]
    for place, is_held in zip(found, held):
        # GDB keeps a place disabled if its function has the same name, as two classes' methods may have.
        if place.enabled == is_held and (is_held or breakpoint.number in _held):
            _enable(breakpoint, place, not is_held)
    if any(held):
        _held.add(breakpoint.number)
    elif breakpoint.number in _held:
        _held.discard(breakpoint.number)
        if not hasattr(breakpoint, "locations"):
            breakpoint.enabled = True  # GDB has disabled it with its only place, and it may have several by now


def _why_unreached(debuggee: target.Target, file: str, line: int, entries: list[dict[str, Any]]) -> str:
    """Return why the line never runs; "" where it may. Numba removes the branches that it knows not to be taken, from
    types such as None's and from constants; at level steps it removes nothing else that the interpreter runs."""
    function = _function_of(debuggee, file, line, entries)
    gone = [entry for entry in entries if entry["state"] == "gone" and not entry["within"]]
    if function in (None, function_lines.NONE) or not gone or len(gone) < len(entries):
        return ""
    if function is None or any(function.name != _own_name(entry) for entry in gone):
        return ""
    compiled = [frames.functions(debuggee).at(entry["low"]) for entry in gone]
    if any(each is None or each["level"] != "steps" for each in compiled):
        return ""
    return f"line {line} of {function.name} is never reached as it is called so far: it does not stop there until it is"


def _enable(breakpoint: Any, place: Place, on: bool) -> None:
    enable(breakpoint, place.index, on)
    if not hasattr(breakpoint, "locations"):
        breakpoint.enabled = breakpoint.enabled or on  # the note on a breakpoint's only place is about the breakpoint


def _is_past(debuggee: target.Target, function: function_lines.Function | None, line: int, place: Place) -> bool:
    """True if GDB has set the breakpoint of a line in another function, below the one that was meant."""
    if function != function_lines.NONE:
        return function is not None and place.line > function.end
    path = sources.find(debuggee, place.file)
    return path is not None and function_lines.is_past_def(path, line, place.line)


def _of_function(debuggee: target.Target, breakpoint: Any, name: str) -> str:
    """Return the note on a function without a place to stop at, because LLVM has computed its result at compilation; ""
    for other functions."""
    gone = native.json_of("js_program_gone", debuggee.program, name.encode())
    if not gone:
        return ""
    files = {os.path.basename(place.file) for place in places(breakpoint)}
    there = [entry for entry in gone if os.path.basename(entry["file"]) in files]
    return sentence(there[0]) if there else ""


def _of_copies(debuggee: target.Target, breakpoint: Any) -> str:
    """Return the note where GDB sets the breakpoint only in the first copy of a function that is inlined into a loop
    which LLVM has unrolled."""
    found = places(breakpoint)
    addresses = tuple(place.address for place in found)
    if _seen.get(breakpoint.number) == addresses:
        return _notices.get(breakpoint.number, Notice()).text
    _seen[breakpoint.number] = addresses
    for file, line in dict.fromkeys((place.file, place.line) for place in found if frames.inlined_at(place.address)):
        for entry in lines_of(debuggee, file, line):
            if entry["state"] in ("vectorised", "unrolled"):
                at = f"{cells.base_name(file)}:{line}"
                return f"{sentence(entry)}; `break {at}` stops in each piece of the line"
    return ""


def lines_of(debuggee: target.Target, file: str, line: int, since: int = 0) -> list[dict[str, Any]]:
    """Return the state of the line in each compiled function that has it, in objects from number `since` on."""
    if not 0 < line < 1 << 31:
        return []
    entries = native.json_of("js_program_line", debuggee.program, os.fsencode(file), line, since)
    return [{key: entry[key] for key in entry if key != "markers"} for entry in entries]


def why(debuggee: target.Target, file: str, line: int) -> list[dict[str, Any]]:
    """Return the entries of lines_of() without those that the source says are no statement, and without functions
    whose parallel loops have the line."""
    entries = lines_of(debuggee, file, line)
    function = _function_of(debuggee, file, line, entries)
    kernels = {entry["function"] for entry in entries if entry["state"] != "gone"}
    gone = [e for e in entries if _is_of(e, function) and f"{e['function']}.prange" not in kernels]
    return [entry for entry in entries if entry["state"] != "gone" or entry in gone]


def sentence(entry: dict[str, Any]) -> str:
    """Return the note for one line entry: why it is inexact and, if there is one, the advice."""
    return f"{entry['why']}; {entry['advice']}" if entry["advice"] else str(entry["why"])


def _no_code(debuggee: target.Target, file: str, line: int, function: function_lines.Function) -> Notice:
    """Return why there is no code of the function to stop in."""
    path = sources.find(debuggee, file) or file
    for outer in function_lines.around(path, function):
        if undescribed.is_described(debuggee, path, outer.name, range(outer.begin, outer.end + 1)):
            return Notice(f"no code is left of line {line} in {function.name}, which is inlined in {outer.name}", True)
    never = _never(debuggee, path, function)
    if never.text:
        return never
    yet = f"{function.name} is not compiled yet: it stops there once it is"
    return Notice(undescribed.stencil(path, function) or yet)


def _note_without_places(debuggee: target.Target, file: str, line: int) -> Notice:
    """Return the note for a line that no compiled code has: the line may be in a function without lines."""
    path = sources.named(debuggee, file)
    if asked := recompiled.expect(debuggee, path or file, line):
        return Notice(asked)
    function = function_lines.meant_by(path, line, sources.born(debuggee)) if path else None
    if path is None or function is None:
        return Notice()
    if function == function_lines.NONE:
        return _between(debuggee, path, line) if function_lines.is_between_functions(path, line) else Notice()
    return _never(debuggee, path, function)


def _between(debuggee: target.Target, path: str, line: int) -> Notice:
    at = f"{cells.base_name(path)}:{line}"
    return Notice(undescribed.in_no_function(at, path, line), True)


def _never(debuggee: target.Target, path: str, function: function_lines.Function) -> Notice:
    """Return why nothing stops at the function's lines; a Notice without text where something may."""
    if text := undescribed.at_line(debuggee, path, function_lines.qualname_of(path, function)):
        return Notice(text, True)
    if function_lines.may_be_compiled(path, function):
        return Notice()
    return Notice(undescribed.interpreted(function.name), True)


def _note(debuggee: target.Target, file: str, line: int, found: list[Place], breakpoint: Any) -> Notice:
    """Return the note on a breakpoint that was set at this line; its text is "" where there is nothing to say."""
    if all(place.line != line for place in found):
        return _moved(debuggee, breakpoint, file, line, found, lines_of(debuggee, file, line))
    entries = lines_of(debuggee, file, line)
    for state in ("vectorised", "unrolled", "strided", "repeated", "entered", "unkept", "gone"):
        there = [entry for entry in entries if entry["state"] == state and (state != "gone" or entry["within"])]
        if there:
            return Notice(sentence(there[0]))
    return Notice()


def _moved(
    debuggee: target.Target, breakpoint: Any, file: str, line: int, found: list[Place], entries: list[dict[str, Any]]
) -> Notice:
    _waits.discard(breakpoint.number)
    if text := _why_unreached(debuggee, file, line, entries):
        return Notice(text, True)
    function, meant = _function_of(debuggee, file, line, entries), _meant_by(debuggee, file, line, entries)
    there = [place for place in found if not _is_past(debuggee, meant, line, place)]
    place = min(there, key=lambda one: one.line) if there else None
    stops = f"it stops at line {place.line} ({place.function})" if place else "it stops nowhere"
    for entry in entries:
        if entry["state"] == "lifted" and _is_of(entry, function):
            _waits.add(breakpoint.number)
            return Notice(f"{entry['why']}; until then {stops}")
        if entry["state"] == "gone" and _is_of(entry, function):
            return Notice(sentence({**entry, "why": f"{entry['why']}: {stops}"}))
    if place is not None:
        return Notice(f"{undescribed.no_statement(file, line)}: {stops}")
    if meant == function_lines.NONE:
        return _between(debuggee, sources.find(debuggee, file) or file, line)
    return _no_code(debuggee, file, line, meant) if found and meant else Notice()


def _function_of(
    debuggee: target.Target, file: str, line: int, entries: list[dict[str, Any]]
) -> function_lines.Function | None:
    """Like function_lines.function_of(), for the source that the entries name."""
    path = sources.find(debuggee, entries[0]["file"] if entries else file)
    return None if path is None else function_lines.function_of(path, line, sources.born(debuggee))


def _meant_by(
    debuggee: target.Target, file: str, line: int, entries: list[dict[str, Any]]
) -> function_lines.Function | None:
    """Like function_lines.meant_by(), for the source that the entries name."""
    path = sources.find(debuggee, entries[0]["file"] if entries else file)
    return None if path is None else function_lines.meant_by(path, line, sources.born(debuggee))


def _is_of(entry: dict[str, Any], function: function_lines.Function | None) -> bool:
    """True if the entry is of the line's function, and not of a function around it."""
    return function is None or function.name == _own_name(entry)


def _own_name(entry: dict[str, Any]) -> str:
    return str(entry["function"].rpartition(".")[2])
