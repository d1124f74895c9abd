"""What each thread does, as lines and as the name that LLDB shows of a thread."""

from __future__ import annotations

from typing import Any

from jitscope_shared import python_activity, worker_text
from jitscope_shared.base.escaping import plain

from . import debuggee as debuggees
from . import native_frames, workers

_SETTINGS = ("thread-format", "thread-stop-format")
_NAME = "${thread.name}"

_learnt: dict[int, dict[int, str]] = {}  # by LLDB's number of a process: names by the kernel's number of the thread


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


def learn_names(debuggee: debuggees.Debuggee) -> None:
    """Note what the process's workers run, which name() gives until the next stop."""
    entries = workers.all_threads(debuggee) if native_frames.functions(debuggee).has_kernels else []
    running = (entry for entry in entries if entry["regions"])
    names = {entry["native_id"]: plain(worker_text.text_of(entry, brief=True)) for entry in running}
    _learnt[int(debuggee.process.GetUniqueID())] = names


def name(thread: Any, _names: Any = None) -> str:
    """Return what a worker runs, or the kernel's name of another thread. LLDB calls this for
    `${script.thread:jitscope_in_lldb.threads.name}` in a setting or in an editor's format of threads, in a thread of
    its own while a command may run; so it reads nothing from the process."""
    number = int(thread.GetThreadID())
    found = next((names[number] for names in list(_learnt.values()) if number in names), None)
    return found or plain(thread.GetName() or f"Thread {thread.GetIndexID()}")


def show_names(debugger: Any) -> None:
    """Have `thread list`, `thread info` and stops show what a worker runs as its name. LLDB cannot rename a thread, but
    its formats can call Python."""
    for setting in _SETTINGS:
        found = debugger.GetInternalVariableValue(setting, debugger.GetInstanceName())
        text = found.GetStringAtIndex(0) if found.GetSize() else None
        if text and _NAME in text:
            new = text.replace(_NAME, f"${{script.thread:{__name__}.name}}")
            debugger.SetInternalVariable(setting, new, debugger.GetInstanceName())
