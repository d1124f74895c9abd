"""`jit finish`: run to the end of the compiled function and show what it returned, or raised."""

from __future__ import annotations

import re
from typing import Any

import gdb

from .. import console, frames, native, raising, region_end, report, returns, target
from ..present import printers
from .base import Arguments, JitCommand, write, write_json

_RAW = re.compile(r"(i\d+|.*\*|\W.*)$")
_SCALARS = {"int", "bool", "datetime", "timedelta", "enum"}


class Finish(JitCommand):
    """Run until the selected compiled function returns; show its value or its exception.
    Usage: jit finish [-json]
           jit finish -region

    When something else stops the program first, that stop is shown. What a function returns that the
    compiler has put in line is not told.
      -json    as docs/schema/finish.json says
      -region  until the parallel loop that the thread is in has ended: stops behind
               it, in the thread that started it. Breakpoints stop as ever."""

    name = "finish"
    options = ("-json", "-region")
    category = gdb.COMMAND_RUNNING

    def run(self, of: target.Target, arguments: Arguments) -> None:
        if "-region" in arguments:
            if "-json" in arguments:
                raise report.Problem(self.usage())
            region_end.run(of)
            return
        selected = frames.selected(of)
        is_inline = selected.type() == gdb.INLINE_FRAME
        found = _finish_inline(of, selected) if is_inline else finish(of, selected)
        if "-json" in arguments:
            write_json(found)
        else:
            write(found["output"] + found["text"] if found["finished"] else found["output"].rstrip("\n"))


def finish(of: target.Target, frame: Any) -> dict[str, Any]:
    function = frames.compiled_at(of, frame)
    caller = frame.older()
    while caller is not None and caller.type() == gdb.INLINE_FRAME:
        caller = caller.older()
    if function is None or caller is None:
        raise report.Problem("this frame has no caller to return to")
    if not of.is_live:
        raise report.Problem("a core does not run")
    back, stack = int(caller.pc()), frames.cfa(frame)
    thread = gdb.selected_thread()
    calling = frames.compiled_at(of, caller) if function["returns_status"] else None
    result = returns.argument(caller, calling, returns.convention()["result"]) if calling else None
    exception = returns.argument(caller, calling, returns.convention()["exception"]) if calling else None
    output = _run_out_of(frame)
    found = _found(function["name"])
    now = gdb.selected_thread()
    if now is None or not now.is_valid() or now.num != thread.num or not now.is_stopped():
        found["output"] = output
        return found
    newest = gdb.newest_frame()
    if int(newest.pc()) != back or int(newest.read_register("sp")) & (1 << 64) - 1 != stack:
        found["output"] = output
        return found
    found["finished"] = True
    if not function["returns_status"]:
        found["text"] = f"{function['name']} returned; with what is not known"
        return found
    status = _signed(frames.register_bytes(newest, "rax", 8))
    found["status"] = status
    _say(of, found, function, status, result, exception)
    return found


def _finish_inline(of: target.Target, frame: Any) -> dict[str, Any]:
    """Out of a function that has no frame of its own: nothing says what it returned."""
    if not of.is_live:
        raise report.Problem("a core does not run")
    thread, (real, depth) = gdb.selected_thread(), _within(frame)
    stack = frames.cfa(real)
    found = _found(str(frame.name()))
    output = _run_out_of(frame)
    now = gdb.selected_thread()
    if now is not None and now.is_valid() and now.num == thread.num and now.is_stopped():
        real, now_depth = _within(gdb.newest_frame())
        found["finished"] = frames.cfa(real) == stack and now_depth < depth
    if found["finished"]:
        found["text"] = f"{found['function']} returned; it was put in line, and with what is not known"
    else:
        found["output"] = output
    return found


def _within(frame: Any) -> tuple[Any, int]:
    """The frame that one put in line is part of, and how many stand between."""
    depth = 0
    while frame.type() == gdb.INLINE_FRAME and frame.older() is not None:
        frame, depth = frame.older(), depth + 1
    return frame, depth


def _run_out_of(frame: Any) -> str:
    """GDB's own finish; what was selected stays so where it refuses."""
    selected = gdb.selected_frame()
    frame.select()
    try:
        return console.text_of("finish")
    except gdb.error:
        if selected.is_valid():
            selected.select()
        raise


def _found(name: str) -> dict[str, Any]:
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
    of: target.Target,
    found: dict[str, Any],
    function: dict[str, Any],
    status: int | None,
    result: int | None,
    exception: int | None,
) -> None:
    name, means = function["name"], returns.convention()["status"]
    if status is None:
        found["text"] = f"{name} returned; with what is not known"
    elif status == means["returned"]:
        value = _returned(of, function, result)
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
        found["raised"] = _raised(of, exception) or "an exception"
        found["text"] = f"{name} raised {found['raised']}"


def _returned(of: target.Target, function: dict[str, Any], address: int | None) -> dict[str, Any]:
    kind = _result_type(of, function)
    value: dict[str, Any] = {"type": kind, "state": "unknown", "value": None, "text": ""}
    if address is None:
        value["text"] = f"<unknown: the caller's code does not show where the {kind or 'value'} is>"
        return value
    if kind is None:
        value["text"] = "<unknown: the debug information does not name its type>"
        return value
    layout = native.json_of("js_api_type_json", of.types, kind.encode(), None)
    try:
        contents = bytes(of.inferior.read_memory(address, layout["size"])) if layout["size"] else b""
    except gdb.MemoryError:
        value["text"] = f"<unreadable: {address:#x}>"
        return value
    if kind.endswith("*") and not any(contents):
        return {"type": "none", "state": "exact", "value": None, "text": "None"}
    if layout["kind"] == "opaque" or _RAW.match(kind):
        value["text"] = "<unknown: the debug information does not name its type>"
        return value
    value["text"] = printers.render(of, kind.encode(), contents)
    if not value["text"].startswith("<unknown"):
        value["state"] = "exact"
        value["value"] = printers.render(of, kind.encode(), contents, as_json=True)
    return value


def _result_type(of: target.Target, function: dict[str, Any]) -> str | None:
    """The type's name. The debug information tells layouts only, so scalars are believed where the wrapper agrees."""
    found = next(
        (f for f in native.json_of("js_program_functions", of.program, None, 1, 1) if f["low"] == function["low"]),
        {},
    )
    kind = found.get("returns")
    kind = returns.convention()["scalars"].get(kind, kind)
    if kind is None or kind.endswith("*"):
        return kind  # type: ignore[no-any-return]
    layout = native.json_of("js_api_type_json", of.types, kind.encode(), None)
    if layout["kind"] not in _SCALARS:
        return kind  # type: ignore[no-any-return]
    made = returns.boxing(_wrapper(of, function))
    if made == "bool" and layout["size"] == 1:
        return "bool"
    if made in ("int", "uint"):
        return f"{made}{8 * layout['size']}"
    return None


def _wrapper(of: target.Target, function: dict[str, Any]) -> dict[str, Any] | None:
    """The wrapper that makes Python objects of what this function returns."""
    for other in native.json_of("js_program_functions", of.program, None, 0, 1):
        if other["kind"] == "cpython-wrapper" and other["linkage_name"].endswith(_tail(function["linkage_name"])):
            return other  # type: ignore[no-any-return]
    return None


def _tail(linkage_name: str) -> str:
    """What a function's name and its wrapper's have in common: all behind the `_ZN` or `_Z`."""
    return re.sub(r"^_ZN?", "", linkage_name)


def _raised(of: target.Target, address: int | None) -> str | None:
    """The exception that the structure at the pointer at `address` holds."""
    try:
        pointer = int.from_bytes(bytes(of.inferior.read_memory(address, 8)), "little") if address else 0
    except gdb.MemoryError:
        return None
    found = raising.read(of, pointer) if pointer else None
    return found.text if found else None


def _signed(data: bytes | None) -> int | None:
    """The status is an int32 in eax."""
    return None if data is None else int.from_bytes(data[:4], "little", signed=True)


def create() -> None:
    Finish()
