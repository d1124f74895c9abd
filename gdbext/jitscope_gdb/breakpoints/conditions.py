"""Conditions of breakpoints in compiled Python: the text means what Python means, and nothing runs in the program.

GDB parses a condition as C, at each place that a breakpoint has. So GDB is given `$py("TEXT")`, which it can parse at
any place, and which this module evaluates. In C and C++, `$py` evaluates TEXT as GDB does."""

from __future__ import annotations

import functools
from typing import Any, Iterator

import gdb
from jitscope_shared.base import native

from ..base import events, progress, report
from ..frames import around_loop, frames, levels, module_globals
from ..target import target
from . import library_places, unseen
from .breakpoint_places import BREAKS, WATCHES, Row, rows
from .condition_text import (
    FUNCTION,
    calls_function,
    check,
    is_gdb_expression,
    is_in_no_language,
    is_simple,
    is_wrapped,
    leave_old_code,
    names_python,
    note,
    place_of,
    read,
    refusal,
    tell_unknown,
    typed,
    unwrapped,
    wrap,
    wrap_for_print,
)
from .held_breakpoint import HeldBreakpoint

_TEXTS = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_STRING)
_FRAMES = 16  # at most between a watchpoint's stop and the compiled function that it is about

_waiting: set[int] = set()  # numbers of breakpoints that GDB disables: they got a condition before a place
_refused: set[int] = set()  # numbers of breakpoints whose condition GDB refused when they got a place
_of_watches: set[str] = set()  # conditions of watchpoints
_of_raises: set[str] = set()  # conditions of `jit catch`, which are also evaluated in functions that lack their names
nameless: dict[str, str] = {}  # by such a condition: why it had no answer, and where; "": it had one somewhere
_said: dict[tuple[str, str], str] = {}  # by text and place: why a condition was reported to hold nowhere or to fail
_gdb_conditions: dict[int, str] = {}  # by the breakpoint's number: its condition, which GDB evaluates
_wrapped_conditions: dict[int, str] = {}  # by the breakpoint's number: its condition, which jitscope evaluates


# -- giving a breakpoint its condition


def wrap_for_raises(text: str) -> str:
    """Like wrap(), for a condition at the places where any compiled function raises."""
    _of_raises.add(text)
    return wrap(text)


def set_condition(breakpoint: Any, text: str) -> None:
    """Give the breakpoint a condition ("": none). Raise Problem or gdb.error where the text can be none."""
    _refused.discard(breakpoint.number)
    if isinstance(breakpoint, HeldBreakpoint):
        breakpoint.release()
    if text and is_python(breakpoint, text):
        check(text)
        _give(breakpoint, text)
        return
    try:
        _give_gdb(breakpoint, text)
    except gdb.error:
        if not isinstance(breakpoint, HeldBreakpoint) or not _may_wait(text):
            raise
        breakpoint.hold(text, _judge)


def _may_wait(text: str) -> bool:
    """True if a condition that GDB refuses as C may be Python: without a process, its name is not known yet."""
    current = target.current()
    is_python = not is_left_to_gdb(text) and read(text)["error"] is None
    return is_python and not current.has_process and current.may_run_python()


def _give_gdb(breakpoint: Any, text: str) -> None:
    """Give GDB the condition as its own."""
    if text and isinstance(breakpoint, HeldBreakpoint) and _is_nowhere(breakpoint):
        breakpoint.hold(text, _judge)
        return
    _gdb_conditions[breakpoint.number] = text
    gdb.Breakpoint.condition.__set__(breakpoint, text or None)


def _judge(text: str) -> bool:
    """Return whether to stop at a breakpoint whose condition waits, as if GDB had the condition."""
    try:
        return holds(text)
    except (gdb.error, gdb.MemoryError, native.NativeError) as error:
        report.say(f"jitscope: the condition `{text}` cannot be evaluated, so this stops: {report.line_of(error)}")
        return True


def _give(breakpoint: Any, text: str) -> None:
    """Give GDB the condition in the form that this module evaluates."""
    _gdb_conditions.pop(breakpoint.number, None)
    if isinstance(breakpoint, HeldBreakpoint) and _is_nowhere(breakpoint):
        breakpoint.hold(text, _judge)
        return
    if breakpoint.pending and breakpoint.enabled:
        _waiting.add(breakpoint.number)
    if breakpoint.type in WATCHES:
        _of_watches.add(text)
    gdb.Breakpoint.condition.__set__(breakpoint, wrap(text))
    look(breakpoint)


def _is_nowhere(breakpoint: Any) -> bool:
    """True if the breakpoint's only places are in C and stay off, since compiled Python of its name comes first."""
    return bool(breakpoint.pending) or library_places.has_no_other_place(breakpoint)


def may_be_python(location: str) -> bool:
    """True if compiled Python may come to have this location, as far as its text and the program show."""
    return names_python(location) or target.current().may_run_python()


def is_for_pending(text: str, location: str) -> bool:
    """True if jitscope will evaluate the condition at a location that nothing has yet."""
    if is_left_to_gdb(text):
        return False
    return names_python(location) or read(text)["error"] is None


def is_python_location(location: str) -> bool:
    """True if the location is in Python, by its text or by the code that has it by now."""
    if not gdb.parameter("jitscope conditions"):
        return False
    if names_python(location):
        return True
    debuggee = target.current()
    known = frames.functions(debuggee) if debuggee.has_process else None
    try:
        places = gdb.decode_line(location)[1] or ()
    except gdb.error:
        return False
    return known is not None and any(known.at(place.pc) is not None for place in places)


def check_early(text: str, location: str) -> None:
    """Raise Problem where the text can be no condition at its location, before there is a breakpoint."""
    if not text:
        return
    if not is_python_location(location):
        is_theirs = is_left_to_gdb(text) or not target.current().may_run_python()
        if not is_theirs and is_in_no_language(text, not unseen.is_place(location)):
            check(text)
    elif not is_gdb_expression(text):
        check(text)
    elif calls_function(text):
        raise report.Problem(f"`{text}` calls a function of the program, which a condition may not do")


def check_watch(text: str) -> None:
    """Raise Problem where the text can be no condition of a watchpoint that is set in the selected frame."""
    if text and not is_left_to_gdb(text) and _is_in_python():
        check(text)


def is_left_to_gdb(text: str) -> bool:
    """True if GDB evaluates the condition at any location."""
    return is_gdb_expression(text) or not gdb.parameter("jitscope conditions")


def _is_in_python() -> bool:
    """True if the selected frame is compiled Python."""
    current = target.current()
    has_frame = current.has_process and gdb.selected_thread() is not None
    return has_frame and frames.runs_python(current, gdb.selected_frame())


def is_python(breakpoint: Any, text: str) -> bool:
    """True if jitscope evaluates the condition: at compiled Python, or at a place that may become compiled Python."""
    if is_left_to_gdb(text):
        return False
    current = target.current()
    if breakpoint.type in WATCHES:
        return _is_in_python()
    if breakpoint.type not in BREAKS:
        return False
    if _is_nowhere(breakpoint):
        return is_for_pending(text, breakpoint.location or "")
    return any(compiled_places(current, breakpoint))


def compiled_places(debuggee: target.Target, breakpoint: Any) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Yield the breakpoint's places in compiled Python, and their functions."""
    if not debuggee.has_process or not debuggee.feed.objects:
        return
    known = frames.functions(debuggee)
    for place in rows(breakpoint):
        function = known.at(place.address)
        if function is not None and function["kind"] in frames.WRITTEN:
            yield place, function


def of_breakpoint(breakpoint: Any) -> str:
    """Return the breakpoint's condition as it was typed; "" if it has none."""
    return getattr(breakpoint, "held", "") or typed(gdb.Breakpoint.condition.__get__(breakpoint)) or ""


@events.on("breakpoint_created", order=40)
@events.on("breakpoint_modified", order=20)
def created(breakpoint: Any) -> None:
    """Look at a breakpoint that was created or changed by any means: GDB may have read its condition as C."""
    number, condition = breakpoint.number, gdb.Breakpoint.condition.__get__(breakpoint)
    if not of_breakpoint(breakpoint):
        note(number, "")
    if number in _waiting and not breakpoint.enabled and breakpoint.pending:
        _waiting.discard(number)  # the user has disabled it: GDB sends no event when it disables a breakpoint itself
    if number < 0 or not condition or _gdb_conditions.get(number) == condition:
        return
    if is_wrapped(condition):
        if _wrapped_conditions.get(number) != condition:
            _wrapped_conditions[number] = condition
            if breakpoint.pending and breakpoint.enabled:
                _waiting.add(number)
            look(breakpoint)
        return
    if breakpoint.type not in BREAKS | WATCHES or hasattr(breakpoint, "stop"):
        return
    if is_python(breakpoint, condition) and read(condition)["error"] is None:
        _give(breakpoint, condition)
    else:
        _gdb_conditions[number] = condition


@events.on("breakpoint_deleted", order=20)
def deleted(breakpoint: Any) -> None:
    _refused.discard(breakpoint.number)
    _gdb_conditions.pop(breakpoint.number, None)
    _wrapped_conditions.pop(breakpoint.number, None)
    _waiting.discard(breakpoint.number)


@events.on("process_ended", order=10)
def forget(_of: target.Target) -> None:
    """Forget, after the process has ended, which notes were written."""
    _said.clear()
    nameless.clear()


# -- notes when the breakpoint gets its places


@events.on("stop", order=50)
def stopped(_event: Any) -> None:
    """Give GDB, at a stop, the conditions that waited for code of a library."""
    for breakpoint in gdb.breakpoints() or ():
        report.quietly(_settle)(breakpoint)
    unseen.settle()


@events.on("objects_changed", order=20)
def look_at_all(_since: int) -> None:
    """Look at all breakpoints after compiled code has come: they may have got places."""
    for breakpoint in gdb.breakpoints() or ():
        report.quietly(look)(breakpoint)
    unseen.settle()


def look(breakpoint: Any) -> None:
    """Look at a breakpoint after compiled code has come: say, once for each place, why its condition can never be known
    there."""
    if breakpoint.number < 0:
        return
    _settle(breakpoint)
    condition = gdb.Breakpoint.condition.__get__(breakpoint)
    if not condition:
        return
    if not is_wrapped(condition):
        _look_at_other(breakpoint, condition)
        return
    current = target.current()
    text = unwrapped(condition)
    if text is None:  # `jit catch` is also at places of functions that its condition is not about
        return
    places = list(compiled_places(current, breakpoint))
    if _are_simple(current, breakpoint, text, places):
        _gdb_conditions[breakpoint.number] = text
        gdb.Breakpoint.condition.__set__(breakpoint, text)
        return
    leave_old_code(current, breakpoint, text, places)
    # The others are disabled by the user, or because the line is another function's.
    is_old = functools.partial(levels.can_be_recompiled, current)
    enabled = [(place.address, function) for place, function in places if place.enabled and not is_old(function)]
    tell_unknown(current, breakpoint.number, text, enabled, _said)


def _are_simple(debuggee: target.Target, breakpoint: Any, text: str, places: list[tuple[Row, dict[str, Any]]]) -> bool:
    """True if GDB, which reads the text as C, gives Python's answer at each of the places. GDB disables a place in C
    that lacks a name, with a warning."""
    if not places or breakpoint.type not in BREAKS or len(places) != len(rows(breakpoint)):
        return False
    return all(is_simple(debuggee, text, place.address) for place, _ in places)


def _look_at_other(breakpoint: Any, text: str) -> None:
    """Look at a condition that GDB evaluates: the breakpoint may be at compiled Python by now."""
    places = list(compiled_places(target.current(), breakpoint))
    if _are_simple(target.current(), breakpoint, text, places):
        return
    _gdb_conditions.pop(breakpoint.number, None)
    created(breakpoint)
    places = list(compiled_places(target.current(), breakpoint))
    if places and not is_gdb_expression(text) and _gdb_conditions.get(breakpoint.number) == text:
        problem = read(text)["error"]
        if problem and gdb.parameter("jitscope conditions") and (text, "") not in _said:
            _said[text, ""] = f"`{text}` is no condition in Python ({problem})"
            report.say(f"jitscope: breakpoint {breakpoint.number}: {_said[text, '']}")
            note(breakpoint.number, _said[text, ""])


def _settle(breakpoint: Any) -> None:
    """Give a breakpoint that has got a place the condition that waited for it."""
    number = breakpoint.number
    if breakpoint.pending or number in _refused and not any(compiled_places(target.current(), breakpoint)):
        return
    if isinstance(breakpoint, HeldBreakpoint) and breakpoint.held:
        if library_places.has_no_other_place(breakpoint):
            return  # its condition is for the code that is still to come
        text, was_refused = breakpoint.release(), number in _refused
        try:
            set_condition(breakpoint, text)
        except (gdb.error, report.Problem) as error:
            breakpoint.hold(text, lambda _: False)
            _refused.add(number)
            if not was_refused:  # each object that comes tries again
                does = refusal(number, text, report.line_of(error))
                report.say(f"jitscope: breakpoint {number} {does}")
                note(number, f"it {does}")
    if number in _waiting:
        _waiting.discard(number)
        breakpoint.enabled = True


# -- evaluation


class If(gdb.Function):
    """$py("CONDITION"): 1 if this Python expression is true in the selected frame, else 0.
    This is the form in which GDB keeps a condition on compiled Python that was typed as
    `break FILE:LINE if CONDITION`. In a frame of C or C++ CONDITION is GDB's expression.
    A condition that fails at a place stops the program once, with a line that says why; that
    of a dprintf, $py("CONDITION",1), prints nothing there."""

    def __init__(self) -> None:
        super().__init__(FUNCTION)

    def invoke(self, *arguments: Any) -> bool:
        try:
            if not 1 <= len(arguments) <= 2 or arguments[0].type.strip_typedefs().code not in _TEXTS:
                raise report.Problem(f'Usage: ${FUNCTION}("CONDITION"), in quotes')
            return holds(arguments[0].string(), prints=len(arguments) == 2)
        except gdb.GdbError:
            raise
        except (Exception, KeyboardInterrupt) as error:
            raise gdb.GdbError(report.line_of(error)) from None


def holds(text: str, prints: bool = False) -> bool:
    """True if the condition holds in the selected frame, or fails there for the first time and does not belong to a
    dprintf. A watchpoint may also stop in a function that the compiled function has called."""
    debuggee = target.current()
    debuggee.forget(target.STOP)
    frame = gdb.selected_frame()
    depth = _FRAMES if text in _of_watches else 1
    while frame is not None and depth and not frames.runs_python(debuggee, frame):
        frame, depth = frame.older(), depth - 1
    if frame is None or not depth or is_gdb_expression(text):
        try:
            return bool(gdb.parse_and_eval(text))
        except gdb.error:
            if not prints:
                raise
            return False  # a C function that has the name of the compiled one
    found = _evaluate(debuggee, frame, read(text)["text"])
    if "holds" in found:
        nameless[text] = ""
        return bool(found["holds"])
    return _fails(debuggee, text, frame, found, prints)


def _evaluate(debuggee: target.Target, frame: Any, text: str) -> dict[str, Any]:
    """Return js_program_condition's answer."""
    pointer = frames.NativeFrame(frame, debuggee.memory)
    with module_globals.known(debuggee, frame), around_loop.known(debuggee, frame), progress.Progress() as shown:
        return native.json_of(  # type: ignore[no-any-return]
            "js_program_condition",
            debuggee.program,
            pointer.pointer,
            text.encode("utf-8", "replace"),
            debuggee.data_memory(),
            shown.callback,
            None,
        )


def _fails(debuggee: target.Target, text: str, frame: Any, found: dict[str, Any], prints: bool) -> bool:
    """Report, once for each place, that the condition has no answer here. Return True if the program is to stop for
    it."""
    at, given = place_of(frames.lookup_pc(frame)), wrap_for_print(text) if prints else text
    if (given, at) in _said:
        return False
    _said[given, at] = ""
    numbers, kind = (unseen.numbers(given), "dprintf") if prints else (numbers_with(text), "breakpoint")
    who = f"jitscope: {kind} {' and '.join(map(str, numbers))}" if numbers else "jitscope"
    if text in _of_raises and not found["name"] and found["error"].startswith("NameError"):
        nameless.setdefault(text, f"{found['error']} at {at}")
        return False
    if found["state"] == "unassigned":
        report.say(f"{who}: `{found['name']}` is not assigned yet at {at}, so `{text}` does not hold")
        return False
    does = "prints nothing" if prints else "stops there this once"
    fails = f"`{text}` fails at {at}, and {does}: {found['error']}{_advice(debuggee, frame, text, found)}"
    _said[given, at] = fails
    report.say(f"{who}: {fails}")
    for number in numbers if not prints else ():
        note(number, fails)
    return not prints


def numbers_with(text: str) -> list[int]:
    """Return the numbers of the breakpoints that have the condition; that of `jit catch` ends with it."""
    found = {b.number: of_breakpoint(b) for b in gdb.breakpoints() or ()}
    return [number for number, its in found.items() if text == its or its.endswith(f" && ({text})")]


def _advice(debuggee: target.Target, frame: Any, text: str, found: dict[str, Any]) -> str:
    """Return the advice that makes the variable known which the condition needs."""
    if not found["name"]:
        return around_loop.explained(debuggee, frame, found["error"], text)
    pointer = frames.NativeFrame(frame, debuggee.memory)
    why = native.json_of("js_program_why", debuggee.program, pointer.pointer, found["name"].encode())
    return f" ({why['why']}); {why['advice']}" if why["advice"] else f" ({why['why']})"


def create() -> None:
    If()
