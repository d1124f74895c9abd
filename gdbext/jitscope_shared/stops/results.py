"""What a compiled function has returned or raised, once its call has ended: the status in a register, the value where
the first argument points to, the exception where the second one does."""

from __future__ import annotations

import re
from typing import Any, Callable, Iterable, NamedTuple

from ..base import native
from ..debugged_process import DebuggedProcess
from . import raised
from .raised import Read, convention

_RAW = re.compile(r"(i\d+|.*\*|\W.*)$")
_SCALARS = {"int", "bool", "datetime", "timedelta", "enum"}
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")


class Debugger(NamedTuple):
    """What a debugger gives."""

    debuggee: DebuggedProcess
    read: Read  # reads memory
    render: Callable[[bytes, bytes, bool], Any]  # writes a value: its type's name, its contents, True for JSON
    # the instructions of a function from an address to another, as call_setup.of_argument() has them; [] if they cannot
    # be read
    code: Callable[[int, int], Iterable[dict[str, Any]]]
    symbol_at: Callable[[int], str]  # the name of the symbol at an address, or ""


class Call(NamedTuple):
    """A call that has ended. `result`, `exception`: what the first two arguments were; None: that is not known."""

    function: dict[str, Any]
    status: int | None
    result: int | None
    exception: int | None


def nothing(name: str) -> dict[str, Any]:
    """Return the result, as docs/schema/finish.json has it, for a function that has not returned."""
    return {
        "function": name,
        "finished": False,
        "status": None,
        "returned": None,
        "raised": None,
        "text": "",
        "output": "",
    }


def status_of(register: bytes | None) -> int | None:
    """Return the status, which is an int32 in the register for results."""
    return None if register is None else int.from_bytes(register[:4], "little", signed=True)


def of_call(debugger: Debugger, call: Call) -> dict[str, Any]:
    """Return the result as docs/schema/finish.json has it."""
    found, means = nothing(call.function["name"]), convention()["status"]
    name = call.function["name"]
    found.update(finished=True, status=call.status)
    if call.status is None or not call.function["returns_status"]:
        found["text"] = f"{name} returned; with what is not known"
    elif call.status == means["returned"]:
        value = _returned(debugger, call)
        found["returned"] = value
        found["text"] = f"{name} returned {value['text']}"
    elif call.status == means["none"]:
        found["returned"] = {"type": "none", "state": "exact", "value": None, "text": "None"}
        found["text"] = f"{name} returned None"
    elif call.status == means["stop_iteration"]:
        found["raised"] = "StopIteration"
        found["text"] = f"{name} ended its iteration (StopIteration)"
    elif call.status == means["python_raised"]:
        found["raised"] = "an exception that Python holds"
        found["text"] = f"{name} raised an exception that Python holds"
    else:
        found["raised"] = _raised(debugger.read, call.exception) or "an exception"
        found["text"] = f"{name} raised {found['raised']}"
    return found


def _returned(debugger: Debugger, call: Call) -> dict[str, Any]:
    kind = _result_type(debugger, call.function)
    value: dict[str, Any] = {"type": kind, "state": "unknown", "value": None, "text": ""}
    if call.result is None:
        value["text"] = f"<unknown: the caller's code does not show where the {kind or 'value'} is>"
        return value
    if kind is None:
        value["text"] = "<unknown: the debug information does not name its type>"
        return value
    layout = native.json_of("js_api_type_json", debugger.debuggee.types, kind.encode(), None)
    if layout["kind"] == "optional":  # the status says whether it is None, so the result is the value alone
        layout = layout["target"]
        kind = layout["name"]
    contents = debugger.read(call.result, layout["size"]) if layout["size"] else b""
    if contents is None:
        value["text"] = f"<unreadable: {call.result:#x}>"
        return value
    if kind.endswith("*") and not any(contents):
        return {"type": "none", "state": "exact", "value": None, "text": "None"}
    if layout["kind"] == "opaque" or _RAW.match(kind):
        value["text"] = "<unknown: the debug information does not name its type>"
        return value
    value["text"] = debugger.render(kind.encode(), contents, False)
    if not value["text"].startswith("<unknown"):
        value["state"] = "exact"
        value["value"] = debugger.render(kind.encode(), contents, True)
    return value


def _result_type(debugger: Debugger, function: dict[str, Any]) -> str | None:
    """Return the name of the result's type. The debug information gives layouts only, so a scalar's name is used only
    if the wrapper agrees."""
    debuggee = debugger.debuggee
    typed = native.json_of("js_program_functions", debuggee.program, None, 1, 1)
    found: dict[str, Any] = next((each for each in typed if each["low"] == function["low"]), {})
    kind: str | None = found.get("returns")
    kind = convention()["scalars"].get(kind, kind)
    if kind is None or kind.endswith("*"):
        return kind
    layout = native.json_of("js_api_type_json", debuggee.types, kind.encode(), None)
    if layout["kind"] not in _SCALARS:
        return kind
    made = _boxing(debugger, _wrapper(debuggee, function))
    if made == "bool" and layout["size"] == 1:
        return "bool"
    if made in ("int", "uint"):
        return f"{made}{8 * layout['size']}"
    return None


def _wrapper(debuggee: DebuggedProcess, function: dict[str, Any]) -> dict[str, Any] | None:
    """Return the wrapper that makes Python objects of this function's results."""
    for other in native.json_of("js_program_functions", debuggee.program, None, 0, 1):
        if other["kind"] == "cpython-wrapper" and other["linkage_name"].endswith(_tail(function["linkage_name"])):
            return other  # type: ignore[no-any-return]
    return None


def _tail(linkage_name: str) -> str:
    """Return the part that the names of a function and its wrapper have in common: all after the `_ZN` or `_Z`."""
    return re.sub(r"^_ZN?", "", linkage_name)


def _boxing(debugger: Debugger, wrapper: dict[str, Any] | None) -> str | None:
    """Return int, uint, bool or float if this wrapper makes such an object of the result, and nothing else; else
    None."""
    if wrapper is None:
        return None
    known, others = convention()["boxing"], re.compile(convention()["boxing_others"])
    found = set()
    for instruction in debugger.code(wrapper["low"], wrapper["high"]):
        for word in _ADDRESS.findall(instruction["asm"]):
            symbol = debugger.symbol_at(int(word, 16))
            if others.match(symbol):
                return None
            if symbol in known:
                found.add(known[symbol])
    return found.pop() if len(found) == 1 else None


def _raised(read: Read, address: int | None) -> str | None:
    """Return the text of the exception in the structure that the pointer at `address` points to, or None."""
    data = read(address, 8) if address else None
    pointer = int.from_bytes(data, "little") if data else 0
    found = raised.read(read, pointer) if pointer else None
    return found.text if found else None


def is_block(debuggee: DebuggedProcess, around: dict[str, Any], block: dict[str, Any]) -> bool:
    """True if `block` is a block in object mode, which Numba compiles by itself, of the function `around`, which goes
    on after it. The block has the function's name, and the function itself is not in object mode."""
    if (around["name"], around["file"]) != (block["name"], block["file"]):
        return False
    named = rf"(^|\.){re.escape(around['name'].rpartition('.')[2])}$".encode()
    typed = native.json_of("js_program_functions", debuggee.program, named, 1, 0)
    modes = {each["low"]: each["mode"] for each in typed}
    return bool(modes.get(block["low"]) == "object" and modes.get(around["low"]) == "nopython")
