"""Places where compiled code raises: in corrected objects, one symbol marks them all (program/hook/raises.c)."""

from __future__ import annotations

from typing import Any

import gdb

from ..base import events, memory, native, pickled_exception, report
from ..frames import frames, levels, return_convention, undescribed
from ..present import subscript_values
from ..target import cells, target

LOCATION = "-function jitscope.raise"
FUNCTION = "jit_raised"  # $jit_raised("TYPE"), the condition of a breakpoint there
_TEXTS = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_STRING)
_PICKLE_MAX = 1 << 20
_LEFT = 256  # bytes of a frame that are compared
# bytes below the stack pointer that are compared, too: a function that calls nothing uses them (the ABI's red zone)
_BELOW = 128


_CAUGHT = "raising-threads"


class Raise:
    """A raise. `exception`: None if it cannot be read; `is_called`: code that the frame has called raised it;
    `is_python`: the interpreter holds it; `has_line`: the frame's line is the one that raises."""

    def __init__(
        self,
        exception: pickled_exception.Exception_ | None,
        is_called: bool,
        is_python: bool = False,
        has_line: bool = True,
    ):
        self.exception = exception
        self.is_called = is_called
        self.is_python = is_python
        self.has_line = has_line

    def may_be(self, names: tuple[str, ...]) -> bool:
        """True if the exception has one of these names, or if its names are not known."""
        return not names or self.exception is None or any(map(self.exception.is_a, names))


def is_caught(debuggee: target.Target) -> bool:
    """True if a breakpoint of `jit catch` has stopped the selected thread here."""
    return gdb.selected_thread().num in debuggee.keep(target.STOP, _CAUGHT, set)


def here(debuggee: target.Target) -> Raise | None:
    """Return the exception that the selected thread is about to raise, at a breakpoint of `jit catch`; None if there is
    none, or if an inner frame raised it."""
    frame = gdb.newest_frame()
    if (stock := _stock(debuggee, frame)) is not None:
        return _here_in_stock(debuggee, frame, stock)
    if frames.compiled_at(debuggee, frame) is None:
        return None
    machine, means = return_convention.convention()["raise"], return_convention.convention()["status"]
    registers = machine["aarch64" if frame.architecture().name().startswith("aarch64") else "x86-64"]
    pointer, status = (int(gdb.parse_and_eval(f"({kind})${r}")) for kind, r in zip(("unsigned long", "int"), registers))
    if status in (means["none"], means["stop_iteration"]):
        return None
    if status == means["python_raised"]:
        return Raise(None, True, True)
    is_called = status != 0
    if not _is_first(debuggee, frame, pointer, is_called):
        return None
    return Raise(read(debuggee, pointer), is_called)


def _stock(debuggee: target.Target, frame: Any) -> dict[str, Any] | None:
    """Return js_program_raise's answer for the frame's instruction."""
    try:
        return native.json_of("js_program_raise", debuggee.program, int(frame.pc()))  # type: ignore[no-any-return]
    except native.NativeError:
        return None


def _here_in_stock(debuggee: target.Target, frame: Any, stock: dict[str, Any]) -> Raise | None:
    pointer = int.from_bytes(frames.numbered_register(frame, stock["register"]) or b"", "little")
    if not pointer:
        return None
    if not _is_first(debuggee, frame, pointer, not stock["made"]):
        return None
    exception = read(debuggee, pointer)
    said = exception.place if exception is not None else None
    at = frame.find_sal()
    if said is not None and at.symtab is not None and said == (at.symtab.filename, at.line):
        return Raise(exception, False)
    has_line = stock["line"] and (stock["called"] or (stock["made"] and said is None))
    return Raise(exception, stock["called"], has_line=has_line)


def _is_first(debuggee: target.Target, frame: Any, pointer: int, is_called: bool) -> bool:
    """True unless the exception comes from a call in which it has already stopped: then the frames that it has left
    since are unchanged below the stack pointer."""
    thread = gdb.selected_thread().ptid[:2]
    stack = int(frame.read_register("sp")) & (1 << 64) - 1
    # by thread: the last exception, the stack pointer, and the bytes around it
    last: dict[Any, tuple[int, int, bytes]] = debuggee.keep(target.PROCESS, "raised", dict)
    known, is_first = last.get(thread), True
    if is_called and known is not None and known[0] == pointer and known[1] < stack:
        left = known[2][: stack - known[1] + _BELOW]
        is_first = not left or _bytes(debuggee, known[1])[: len(left)] != left
    last[thread] = pointer, stack, _bytes(debuggee, stack)
    return is_first


def _bytes(debuggee: target.Target, stack: int) -> bytes:
    try:
        return bytes(debuggee.inferior.read_memory(stack - _BELOW, _BELOW + _LEFT))
    except gdb.MemoryError:
        return b""


def read(debuggee: target.Target, structure: int) -> pickled_exception.Exception_ | None:
    """Return the exception that Numba's structure at this address describes."""
    convention = return_convention.convention()
    try:
        size = memory.integer(debuggee.inferior, structure + convention["pickle_size"], 4)
        if not 0 < size <= _PICKLE_MAX:
            return None
        place = memory.integer(debuggee.inferior, structure + convention["pickle"])
        pickled = bytes(debuggee.inferior.read_memory(place, size))
    except (gdb.error, gdb.MemoryError):
        return None
    return pickled_exception.read(pickled)


# -- breakpoints


def breakpoints() -> list[Any]:
    """Return the breakpoints of `jit catch`, in order of their numbers."""
    return sorted((b for b in gdb.breakpoints() or () if is_catch(b)), key=lambda b: b.number)


def is_catch(breakpoint: Any) -> bool:
    """True if `jit catch` has made the breakpoint. The location of a pending breakpoint may be the whole text that was
    typed."""
    return breakpoint.type == gdb.BP_BREAKPOINT and f"{breakpoint.location} ".startswith(f"{LOCATION} ")


@events.on("object_taken", order=10)
def _taken(debuggee: target.Target, number: int) -> None:
    if breakpoints():
        warn_of_hidden(debuggee, number)


def warn_of_hidden(debuggee: target.Target, number: int) -> None:
    """Warn that `jit catch` does not stop in some code of this object; each of the two reasons is given once for each
    process."""
    reported: list[str] = debuggee.keep(target.PROCESS, "hidden", list)
    if "hidden" not in reported and native.library.js_program_hides_raises(debuggee.program, number):
        reported.append("hidden")
        report.warn(
            "some code without the compiler hook does not show where it raises; `jit catch` does not stop there"
        )
    name = None if "undescribed" in reported else _undescribed(debuggee, number)
    if name is not None:
        reported.append("undescribed")
        report.warn(
            f"{name} has no debug information: `jit catch` does not stop in it; {undescribed.cure(debuggee, name)}"
        )


def _undescribed(debuggee: target.Target, number: int) -> str | None:
    try:
        return str(native.json_of("js_program_undescribed", debuggee.program, number))
    except native.NativeError:
        return None


class Raised(gdb.Function):
    """$jit_raised("TYPE", …): does compiled code raise an exception of one of these types here?
    Without a type: any. The condition of what `jit catch` makes."""

    def __init__(self) -> None:
        super().__init__(FUNCTION)

    def invoke(self, *types: Any) -> bool:
        if any(kind.type.strip_typedefs().code not in _TEXTS for kind in types):
            raise gdb.GdbError(f'Usage: ${FUNCTION}("TYPE", ...), in quotes')
        try:
            found = here(target.current())
            return found is not None and found.may_be(tuple(kind.string() for kind in types))
        except (gdb.error, gdb.MemoryError, native.NativeError) as error:
            raise gdb.GdbError(report.line_of(error)) from None


_FOR_CATCH = "$jit_exception() is for a stop of `jit catch`"


class Pending(gdb.Function):
    """$jit_exception(): the exception that compiled code raises where the selected thread has stopped, as its repr().
    An error where it raises none."""

    def __init__(self) -> None:
        super().__init__("jit_exception")

    def invoke(self) -> str:
        debuggee = target.current()
        if not debuggee.has_process:
            raise gdb.GdbError("no process: run or attach to a program, or open a core")
        try:
            found = here(debuggee)
        except (gdb.error, gdb.MemoryError, native.NativeError) as error:
            raise gdb.GdbError(report.line_of(error)) from None
        if found is None:
            raise gdb.GdbError(f"nothing is raised here: {_FOR_CATCH}")
        if found.exception is not None:
            return found.exception.text
        if found.is_python:
            raise gdb.GdbError("Python holds the exception, so it cannot be read here")
        if gdb.selected_thread().num in debuggee.keep(target.STOP, _CAUGHT, set):
            raise gdb.GdbError("the exception that is raised here cannot be read")
        raise gdb.GdbError(f"no exception is here: {_FOR_CATCH}")


@events.on("stop", order=100)
def arrived(event: Any) -> None:
    """Report, after a stop, the exception that is raised, in one line."""
    if isinstance(event, gdb.BreakpointEvent) and any(map(is_catch, event.breakpoints)):
        debuggee = target.current()
        debuggee.keep(target.STOP, _CAUGHT, set).add(gdb.selected_thread().num)
        if not gdb.parameter("jitscope notes"):
            return
        text = line_of(debuggee)
        if text:
            report.say(text)


def line_of(debuggee: target.Target) -> str | None:
    """Return a line such as "Exception ValueError('bad') raised in foo at x.py:12", or None."""
    found = here(debuggee)
    if found is None:
        return None
    frame = gdb.newest_frame()
    place = frame.find_sal()
    file = cells.base_name(place.symtab.filename) if place.symtab is not None else "?"
    name = frame.name() or (frames.compiled_at(debuggee, frame) or {}).get("name", "?")
    what = found.exception.text if found.exception else "(Python holds it)" if found.is_python else "of unknown type"
    if not found.has_line:
        raised = found.exception.place if found.exception else None
        merged = "a line that is not known, as the compiler may have merged it with others"
        where = f"{cells.base_name(raised[0])}:{raised[1]}" if raised else merged
        return f"Exception {what} leaves {name}, raised at {where}"
    how = " (in code without debug information that it calls)" if found.is_called and not found.is_python else ""
    raised = f"Exception {what} raised in {name} at {file}:{place.line}{how}"
    why = _why(debuggee, frame, found.exception, is_called=bool(how)) if found.exception is not None else ""
    return f"{raised}: {why}" if why else raised


def _why(debuggee: target.Target, frame: Any, exception: pickled_exception.Exception_, is_called: bool) -> str:
    """Return which index, key or divisor of the frame's line is why it raises; "" where that is not known. `is_called`:
    code that the line calls raises."""
    if exception.is_a("KeyError"):
        return subscript_values.missing_key(debuggee, frame) if is_called else ""
    if exception.is_a("IndexError"):
        return "; ".join(subscript_values.outside(debuggee, frame, items=is_called))
    function = frames.compiled_at(debuggee, frame)
    is_divided = exception.is_a("ZeroDivisionError") and not is_called
    if not is_divided or function is None or function["level"] not in levels.WITH_INLINED:
        return ""
    divisor = subscript_values.zero_divisor(debuggee, frame)
    return f"the divisor `{divisor}` is 0" if divisor else ""
