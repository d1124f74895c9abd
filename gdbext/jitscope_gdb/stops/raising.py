"""Places where compiled code raises: in corrected objects, one symbol marks them all (program/hook/raises.c)."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared.base import native, pickled_exception
from jitscope_shared.stops import raised

from ..base import events, report
from ..frames import frames, levels, undescribed
from ..present import subscript_values
from ..target import cells, target

LOCATION = f"-function {raised.SYMBOL}"
FUNCTION = "jit_raised"  # $jit_raised("TYPE"), the condition of a breakpoint there
_TEXTS = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_STRING)
_CAUGHT = "raising-threads"


def is_caught(debuggee: target.Target) -> bool:
    """True if a breakpoint of `jit catch` has stopped the selected thread here."""
    return gdb.selected_thread().num in debuggee.keep(target.STOP, _CAUGHT, set)


def here(debuggee: target.Target) -> raised.Raise | None:
    """Return the exception that the selected thread is about to raise, at a breakpoint of `jit catch`; None if there is
    none, or if an inner frame raised it."""
    frame = gdb.newest_frame()
    at = frame.find_sal()
    stop = raised.Stop(
        program=debuggee.program,
        thread=gdb.selected_thread().ptid[:2],
        pc=int(frame.pc()),
        stack=int(frame.read_register("sp")) & (1 << 64) - 1,
        place=(at.symtab.filename, at.line) if at.symtab is not None else None,
        is_compiled=frames.compiled_at(debuggee, frame) is not None,
        machine="aarch64" if frame.architecture().name().startswith("aarch64") else "x86-64",
        register=lambda name: int(gdb.parse_and_eval(f"(unsigned long)${name}")),
        numbered=lambda number: frames.numbered_register(frame, number),
        read=lambda address, size: _read(debuggee, address, size),
    )
    return raised.here(stop, debuggee.keep(target.PROCESS, "raised", dict))


def _read(debuggee: target.Target, address: int, size: int) -> bytes | None:
    try:
        return bytes(debuggee.inferior.read_memory(address, size))
    except (gdb.error, gdb.MemoryError):
        return None


def read(debuggee: target.Target, structure: int) -> pickled_exception.Exception_ | None:
    """Return the exception that Numba's structure at this address describes."""
    return raised.read(lambda address, size: _read(debuggee, address, size), structure)


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
    text = found.text(name, file, place.line, cells.base_name)
    if not found.has_line or found.exception is None:
        return text
    why = _why(debuggee, frame, found.exception, is_called=found.is_called_elsewhere)
    return f"{text}: {why}" if why else text


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
