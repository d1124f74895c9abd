"""The activity of each Python thread: its function, whether it holds the GIL, and the lock that it waits for."""

from __future__ import annotations

import ctypes
from typing import Any, Callable

from .base import contract, native
from .frame_classes import is_asking_file, is_asking_function
from .thread_entries import OTHER, PYTHON
from .worker_text import base_name


def fill(entry: dict[str, Any], python: Any, pthread: int, register: Callable[[str], bytes | None]) -> None:
    """Complete the entry of docs/schema/threads.json of a thread, if the interpreter knows the thread. `python`: a
    js_python; `register`: gives a register of the thread's innermost frame by its name."""
    call = native.call_of(register)
    try:
        found = native.json_of("js_python_activity", python, entry["native_id"], pthread, ctypes.byref(call))
    except native.NativeError:  # the interpreter does not know the thread
        return
    entry["holds_gil"], entry["waits_for"] = found["holds_gil"], found["waits"]
    entry["caller"] = _place(found["caller"])
    here = _place(found["frame"])
    if here is not None and is_asking_file(here["file"] or ""):
        here = _requesting_frame(python, entry["native_id"], pthread) or here
    if entry["role"] == OTHER and here is not None:
        entry["role"] = PYTHON
    is_known = entry["function"] is not None and not is_asking_function(entry["function"])
    if entry["role"] == PYTHON and not is_known and here is not None:
        entry.update(here)


def _requesting_frame(python: Any, native_id: int, pthread: int) -> dict[str, Any] | None:
    """Return the innermost Python frame that does not request a stop on behalf of others."""
    try:
        found = native.json_of("js_python_frames_json", python, native_id, pthread, 0, contract.PollFn(), None)
    except native.NativeError:
        return None
    return next((_place(each) for each in found["frames"] if not is_asking_file(each["file"] or "")), None)


def _place(frame: dict[str, Any] | None) -> dict[str, Any] | None:
    if frame is None:
        return None
    name = frame["qualname"] or frame["function"] or "?"
    return {"function": name, "file": frame["file"], "line": frame["line"]}


def join(entries: list[dict[str, Any]], by_pthread: dict[int, int]) -> None:
    """Note which thread holds the lock that another one waits for. `by_pthread`: the debugger's numbers of threads."""
    holder = next((entry["thread"] for entry in entries if entry["holds_gil"]), None)
    numbers = {entry["native_id"]: entry["thread"] for entry in entries}
    by_number = {number: native_id for native_id, number in numbers.items()}
    for entry in entries:
        waits = entry["waits_for"]
        if waits is not None:
            owner = waits.pop("owner") or {"native_id": 0, "pthread": 0, "certain": True, "task": None}
            if not owner["certain"]:
                waits["certain"] = False
            if owner["task"] is not None:
                waits["task"] = owner["task"]
            known = numbers.get(owner["native_id"], by_pthread.get(owner["pthread"]))
            waits["thread"] = holder if waits["for"] == "gil" else known
            waits["native_id"] = by_number.get(waits["thread"])


def text_of(entry: dict[str, Any]) -> str:
    """Return the text about the thread that follows its function."""
    text = ""
    caller, waits = entry["caller"], entry["waits_for"]
    if caller is not None:
        text += f", called by {caller['function']} ()"
        if caller["file"] and caller["line"]:
            text += f" at {base_name(caller['file'])}:{caller['line']}"
    if waits is not None:
        text += f", {_wait_text(entry, waits)}"
    return text + (", holds the GIL" if entry["holds_gil"] else "")


def _wait_text(entry: dict[str, Any], waits: dict[str, Any]) -> str:
    """Return what the thread waits for in words, which are those of `jitscope stack`."""
    number, task = waits["thread"], waits.get("task")
    text = f"task '{task}' of thread {number}" if task is not None else f"thread {number}"
    is_itself = number == entry["thread"] and task is None
    owner = None if number is None else b"" if is_itself else text.encode("utf-8", "replace")
    reason = b"seeming-lock" if owner is not None and not waits.get("certain", True) else waits["for"].encode()
    return native.fill_text(lambda out: native.library.js_python_put_wait(out, reason, owner), "a wait")
