"""What each thread does, as lines and as the name that LLDB shows of a thread."""

from __future__ import annotations

from typing import Any

from jitscope_shared import python_activity, worker_text
from jitscope_shared.escaping import plain

from . import debuggee as debuggees
from . import jit_objects, native_frames, workers

_SETTINGS = ("thread-format", "thread-stop-format")
_NAME = "${thread.name}"


def lines(debuggee: debuggees.Debuggee, selected: Any) -> list[str]:
    """Return a line for each thread."""
    entries = workers.all_threads(debuggee)
    width = len(str(max((entry["thread"] for entry in entries), default=0)))
    shown = []
    for entry in entries:
        mark = "*" if selected.IsValid() and entry["thread"] == selected.GetIndexID() else " "
        text = worker_text.text_of(entry) + python_activity.text_of(entry)
        shown.append(f"{mark} {entry['thread']:<{width}}  {plain(text)}")
    return shown


def name(thread: Any, _names: Any = None) -> str:
    """Return what a worker runs, or the kernel's name of another thread. LLDB calls this for
    `${script.thread:jitscope_in_lldb.threads.name}` in a setting or in an editor's format of threads."""
    own = plain(thread.GetName() or f"Thread {thread.GetIndexID()}")
    try:
        debuggee = debuggees.of(thread.GetProcess())
        if debuggee is not None:
            jit_objects.of(debuggee).refresh()  # LLDB calls no stop hook where it attaches
        if debuggee is None or not native_frames.functions(debuggee).has_kernels:
            return own
        entry = workers.of_thread(debuggee, thread)
        return plain(worker_text.text_of(entry, brief=True)) if entry is not None and entry["regions"] else own
    except Exception:  # LLDB would leave the whole line out
        return own


def show_names(debugger: Any) -> None:
    """Have `thread list`, `thread info` and stops show what a worker runs as its name. LLDB cannot rename a thread, but
    its formats can call Python."""
    for setting in _SETTINGS:
        found = debugger.GetInternalVariableValue(setting, debugger.GetInstanceName())
        text = found.GetStringAtIndex(0) if found.GetSize() else None
        if text and _NAME in text:
            new = text.replace(_NAME, f"${{script.thread:{__name__}.name}}")
            debugger.SetInternalVariable(setting, new, debugger.GetInstanceName())
