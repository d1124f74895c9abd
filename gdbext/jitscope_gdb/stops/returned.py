"""The value that a compiled function returned, or the exception that it raised, when a command leaves it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

import gdb
from jitscope_shared.base import native

from ..base import memory, report
from ..frames import folding, frames, return_convention
from ..present import printers
from ..target import target
from . import raising

_RAW = re.compile(r"(i\d+|.*\*|\W.*)$")
# frames of Numba and the interpreter between a compiled function and one that it calls through a wrapper, at most
_CALLS = 32
_SCALARS = {"int", "bool", "datetime", "timedelta", "enum"}


class Leaving:
    """A frame that is about to be left: the place where its caller goes on, and the result by the caller's registers.
    For an inlined function's frame, the outer function is taken, which may return at once.

    Raise report.Problem if no frame calls this one, or it is not a compiled function's."""

    def __init__(self, debuggee: target.Target, frame: Any):
        self._of = debuggee
        self._inlined = str(frame.name()) if frame.type() == gdb.INLINE_FRAME else ""
        self._raises = raised_at(debuggee, frame) if self._inlined else None
        frame = frames.outer(frame)
        function = frames.compiled_at(debuggee, frame)
        caller = frame.older()
        while caller is not None and caller.type() == gdb.INLINE_FRAME:
            caller = caller.older()
        if function is None or caller is None or function["kind"] not in frames.WRITTEN:
            raise report.Problem("this frame has no caller to return to")
        if not debuggee.is_live:
            raise report.Problem("a core cannot run: `run` or `attach` first")
        self.function = function
        self.back, self.stack = int(caller.pc()), frames.cfa(frame)
        self._thread = gdb.selected_thread().num
        calling = frames.compiled_at(debuggee, caller) if function["returns_status"] else None
        self._result = (
            return_convention.argument(caller, calling, return_convention.convention()["result"]) if calling else None
        )
        self._exception = (
            return_convention.argument(caller, calling, return_convention.convention()["exception"])
            if calling
            else None
        )

    def has_returned(self) -> bool:
        """True if the thread is after the call."""
        now = gdb.selected_thread()
        if now is None or not now.is_valid() or now.num != self._thread or not now.is_stopped():
            return False
        return self.is_after_call()

    def is_after_call(self) -> bool:
        """True if the selected thread is after the call, by its pc and stack pointer."""
        newest = gdb.newest_frame()
        return int(newest.pc()) == self.back and int(newest.read_register("sp")) & (1 << 64) - 1 == self.stack

    def found(self) -> dict[str, Any]:
        """Return the result as docs/schema/finish.json has it."""
        found = self._found()
        if not self._inlined:
            return found
        own = nothing(self._inlined)
        own.update(finished=found["finished"], raised=found["raised"])
        if found["finished"] and found["raised"] is not None and found["raised"] == self._raises:
            own["text"] = f"{self._inlined} raised {self._raises}, which has left {self.function['name']} too"
        elif found["finished"]:
            own["text"] = f"{found['text']}; {self._inlined} was inlined in it, and what that returned is not known"
        return own

    def _found(self) -> dict[str, Any]:
        found = nothing(self.function["name"])
        if not self.has_returned():
            return found
        found["finished"] = True
        if not self.function["returns_status"]:
            found["text"] = f"{self.function['name']} returned; with what is not known"
            return found
        status = _signed(frames.register_bytes(gdb.newest_frame(), "rax", 8))
        found["status"] = status
        _say(self._of, found, self.function, status, self._result, self._exception)
        if found["raised"] is None and self._was_block():
            name = self.function["name"]
            found.update(returned=None, text=f"{name} has left its block in object mode, and goes on behind it")
        return found

    def _was_block(self) -> bool:
        """True if the code was a block in object mode, which Numba compiles by itself, of a function that goes on after
        the block."""
        wrapper = frames.outer(gdb.newest_frame())
        function = frames.compiled_at(self._of, wrapper)
        if function is None or function["kind"] in frames.WRITTEN:
            return False
        inner = called_by_compiled(self._of, wrapper)
        around = frames.compiled_at(self._of, frames.outer(inner.older())) if inner is not None else None
        return around is not None and _is_around(self._of, around, self.function)


def called_by_compiled(debuggee: target.Target, wrapper: Any) -> Any:
    """Return the frame that a compiled function has called, among the frames that lead to this wrapper of the
    compiler's; None if interpreted code runs between the two, or there is no such function."""
    inner = wrapper
    for _ in range(_CALLS):
        older = frames.outer(inner.older())
        if older is None or folding.classify(debuggee, older, older.name()) == folding.EVALUATION:
            return None
        function = frames.compiled_at(debuggee, older)
        if function is not None and function["kind"] in frames.WRITTEN:
            return inner
        inner = older
    return None


def _is_around(debuggee: target.Target, function: dict[str, Any], block: dict[str, Any]) -> bool:
    """True if `block` is a part of the function. The block has the function's name, and the function itself is not in
    object mode."""
    if (function["name"], function["file"]) != (block["name"], block["file"]):
        return False
    named = rf"(^|\.){re.escape(function['name'].rpartition('.')[2])}$".encode()
    typed = native.json_of("js_program_functions", debuggee.program, named, 1, 0)
    modes = {each["low"]: each["mode"] for each in typed}
    return modes.get(block["low"]) == "object" and modes.get(function["low"]) == "nopython"


_leaving: Leaving | None = None
_is_asked = False


@contextlib.contextmanager
def asked() -> Iterator[None]:
    """Note, around a `finish`, that `jit finish` itself shows the returned value."""
    global _is_asked
    _is_asked = True
    try:
        yield
    finally:
        _is_asked = False


@report.quietly
def begin() -> None:
    """Prepare GDB's `finish` of the selected frame."""
    global _leaving
    _leaving = None
    debuggee = target.current()
    try:
        frame = gdb.selected_frame()
        is_own = frames.compiled_at(debuggee, frame) is not None
        _leaving = Leaving(debuggee, frame) if is_own and debuggee.is_live and not _is_asked else None
    except (gdb.error, gdb.MemoryError, report.Problem):
        pass  # `finish` itself reports the error


def is_asked() -> bool:
    """True if `jit finish` itself shows the returned value."""
    return _is_asked


def arrived(is_said: bool) -> None:
    """Report the returned value at a stop, because GDB does not show it for code whose debug information says `void`.
    `is_said`: it was reported already."""
    global _leaving
    left, _leaving = _leaving, None
    if left is None or is_said or not gdb.parameter("jitscope notes"):
        return
    found = left.found()
    if found["finished"]:
        report.say(found["text"])


def nothing(name: str) -> dict[str, Any]:
    """Return the result's entry for a function that has not returned."""
    return {
        "function": name,
        "finished": False,
        "status": None,
        "returned": None,
        "raised": None,
        "text": "",
        "output": "",
    }


def _say(
    debuggee: target.Target,
    found: dict[str, Any],
    function: dict[str, Any],
    status: int | None,
    result: int | None,
    exception: int | None,
) -> None:
    name, means = function["name"], return_convention.convention()["status"]
    if status is None:
        found["text"] = f"{name} returned; with what is not known"
    elif status == means["returned"]:
        value = _returned(debuggee, function, result)
        found["returned"] = value
        found["text"] = f"{name} returned {value['text']}"
    elif status == means["none"]:
        found["returned"] = {"type": "none", "state": "exact", "value": None, "text": "None"}
        found["text"] = f"{name} returned None"
    elif status == means["stop_iteration"]:
        found["raised"] = "StopIteration"
        found["text"] = f"{name} ended its iteration (StopIteration)"
    elif status == means["python_raised"]:
        found["raised"] = "an exception that Python holds"
        found["text"] = f"{name} raised an exception that Python holds"
    else:
        found["raised"] = _raised(debuggee, exception) or "an exception"
        found["text"] = f"{name} raised {found['raised']}"


def _returned(debuggee: target.Target, function: dict[str, Any], address: int | None) -> dict[str, Any]:
    kind = _result_type(debuggee, function)
    value: dict[str, Any] = {"type": kind, "state": "unknown", "value": None, "text": ""}
    if address is None:
        value["text"] = f"<unknown: the caller's code does not show where the {kind or 'value'} is>"
        return value
    if kind is None:
        value["text"] = "<unknown: the debug information does not name its type>"
        return value
    layout = native.json_of("js_api_type_json", debuggee.types, kind.encode(), None)
    if layout["kind"] == "optional":  # the status says whether it is None, so the result is the value alone
        layout = layout["target"]
        kind = layout["name"]
    try:
        contents = bytes(debuggee.inferior.read_memory(address, layout["size"])) if layout["size"] else b""
    except gdb.MemoryError:
        value["text"] = f"<unreadable: {address:#x}>"
        return value
    if kind.endswith("*") and not any(contents):
        return {"type": "none", "state": "exact", "value": None, "text": "None"}
    if layout["kind"] == "opaque" or _RAW.match(kind):
        value["text"] = "<unknown: the debug information does not name its type>"
        return value
    value["text"] = printers.render(debuggee, kind.encode(), contents)
    if not value["text"].startswith("<unknown"):
        value["state"] = "exact"
        value["value"] = printers.render(debuggee, kind.encode(), contents, as_json=True)
    return value


def _result_type(debuggee: target.Target, function: dict[str, Any]) -> str | None:
    """Return the name of the result's type. The debug information gives layouts only, so a scalar's name is used only
    if the wrapper agrees."""
    found = next(
        (
            f
            for f in native.json_of("js_program_functions", debuggee.program, None, 1, 1)
            if f["low"] == function["low"]
        ),
        {},
    )
    kind = found.get("returns")
    kind = return_convention.convention()["scalars"].get(kind, kind)
    if kind is None or kind.endswith("*"):
        return kind  # type: ignore[no-any-return]
    layout = native.json_of("js_api_type_json", debuggee.types, kind.encode(), None)
    if layout["kind"] not in _SCALARS:
        return kind  # type: ignore[no-any-return]
    made = return_convention.boxing(_wrapper(debuggee, function))
    if made == "bool" and layout["size"] == 1:
        return "bool"
    if made in ("int", "uint"):
        return f"{made}{8 * layout['size']}"
    return None


def _wrapper(debuggee: target.Target, function: dict[str, Any]) -> dict[str, Any] | None:
    """Return the wrapper that makes Python objects of this function's results."""
    for other in native.json_of("js_program_functions", debuggee.program, None, 0, 1):
        if other["kind"] == "cpython-wrapper" and other["linkage_name"].endswith(_tail(function["linkage_name"])):
            return other  # type: ignore[no-any-return]
    return None


def _tail(linkage_name: str) -> str:
    """Return the part that the names of a function and its wrapper have in common: all after the `_ZN` or `_Z`."""
    return re.sub(r"^_ZN?", "", linkage_name)


def raised_at(debuggee: target.Target, frame: Any) -> str | None:
    """Return the text of the exception that the frame is about to raise, or None."""
    is_asked = frame == gdb.newest_frame() and raising.is_caught(debuggee)
    here = raising.here(debuggee) if is_asked else None
    return here.exception.text if here is not None and here.exception is not None else None


def _raised(debuggee: target.Target, address: int | None) -> str | None:
    """Return the text of the exception in the structure that the pointer at `address` points to, or None."""
    try:
        pointer = memory.integer(debuggee.inferior, address) if address else 0
    except gdb.MemoryError:
        return None
    found = raising.read(debuggee, pointer) if pointer else None
    return found.text if found else None


def _signed(data: bytes | None) -> int | None:
    """Return the status, which is an int32 in eax."""
    return None if data is None else int.from_bytes(data[:4], "little", signed=True)
