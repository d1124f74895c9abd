"""Commands about variables, where the selected frame is of code that a compiled function has called, such as malloc:
they are about that function."""

from __future__ import annotations

import contextlib
import re
from typing import Any, Iterator

import gdb

from ..base import console, report
from ..frames import c_library, frames, undescribed
from ..target import cells, target
from . import selection

# The implementations among which glibc chooses by the processor (sysdeps/x86_64/multiarch/, 2.36): __strlen_avx2.
_VARIANT = re.compile(r"__(\w+?)_(?:sse\d|ssse3|avx|evex|erms|fma)\w*$")


@contextlib.contextmanager
def left(debuggee: target.Target) -> Iterator[str]:
    """Select the compiled frame that has called the selected one's code as long as a command runs, and yield the line
    that says so; "": the selected frame is compiled or Python's. Raise Problem if that compiled frame has no debug
    information."""
    found = _innermost(debuggee)
    if found is None:
        yield ""
        return
    stopped = gdb.selected_frame()
    name = _name(stopped)
    selection.choose(debuggee, found)
    place = f" at {cells.base_name(found['file'])}:{found['line']}" if found["file"] and found["line"] else ""
    try:
        yield f"in {name}, called from {found['name']}{place}: the variables are those of {found['name']}"
    finally:
        if stopped.is_valid() and gdb.selected_frame().level() == found["frame"]:
            stopped.select()


def _innermost(debuggee: target.Target) -> dict[str, Any] | None:
    """Return the compiled frame of `jit bt` that has called the code of the selected frame: the innermost one outside
    of it, if only code that is not the user's is between them."""
    thread = gdb.selected_thread() if debuggee.has_process else None
    if thread is None or not thread.is_stopped():
        return None
    selected = gdb.selected_frame()
    own = frames.compiled_at(debuggee, selected)
    if own is not None and (selected.level() > 0 or own["kind"] in frames.WRITTEN and not _is_numbas(own)):
        return None
    if selection.chosen_python(debuggee) is not None:
        return None
    found = (each for each in selection.entries(debuggee) if _is_outside(each, selected.level()))
    entry = next((each for each in found if not _is_passed(debuggee, each)), None)
    if entry is None or "thread" in entry:
        return None
    if entry["kind"] in ("jit", "wrapper"):
        _expect_described(debuggee, entry)
    return entry if entry["kind"] == "jit" else None


def _is_outside(entry: dict[str, Any], level: int) -> bool:
    """True if the entry is GDB's frame of this number or has called it, as far as that is known."""
    number = entry["evaluation"] if entry["kind"] == "python" else entry["frame"]
    return level == 0 or "thread" in entry or number is None or number >= level


def _is_passed(debuggee: target.Target, entry: dict[str, Any]) -> bool:
    """True for code that is not the user's: a library's, and functions of Numba's that the user's code has called."""
    if entry["kind"] == "jit" and "thread" not in entry:
        function = frames.compiled_at(debuggee, _frame(entry))
        return function is not None and _is_numbas(function)
    return entry["kind"] in _PASSED


_PASSED = ("native", "runtime", "pool")


def _is_numbas(function: dict[str, Any]) -> bool:
    return not function["debug_info"] and (function["module"] or "").partition(".")[0] == "numba"


def _frame(entry: dict[str, Any]) -> Any:
    frame = gdb.newest_frame()
    while frame.level() < entry["frame"]:
        frame = frame.older()
    return frame


def _expect_described(debuggee: target.Target, entry: dict[str, Any]) -> None:
    """Raise Problem for a function without debug information, or a wrapper that LLVM has inlined such a one in."""
    frame = _frame(entry)
    if text := undescribed.without_variables(debuggee, frame):
        raise report.Problem(text)


def _name(frame: Any) -> str:
    name = frame.name()
    if name is None:  # the library has no symbols
        return console.base_name(gdb.solib_name(int(frame.pc())) or f"{int(frame.pc()):#x}")
    variant = _VARIANT.match(name) if c_library.holds(frame) else None
    return variant[1] if variant else str(c_library.name_of(frame, name))
