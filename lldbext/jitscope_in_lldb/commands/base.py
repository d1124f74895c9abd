"""What each `jit` command does in the same way."""

from __future__ import annotations

import inspect
import json
from typing import Any

import lldb
from jitscope_shared.commands.command_syntax import CommandSyntax
from jitscope_shared.commands.options import Arguments

from .. import debuggee as debuggees
from .. import faults, joined_stack, native_frames, report
from ..jit_objects import of as objects_of
from ..report import Problem


class Command(CommandSyntax):
    """A `jit` command."""

    needs_process = True

    def __init__(self, _debugger: Any, _names: Any):
        pass

    # -- called by LLDB

    def get_short_help(self) -> str:
        return inspect.cleandoc(self.__doc__ or "").partition("\n")[0]

    def get_long_help(self) -> str:
        return inspect.cleandoc(self.__doc__ or "") + "\n"

    def __call__(self, debugger: Any, line: str, context: Any, result: Any) -> None:
        try:
            arguments = self.parse(line)
            if not arguments.rest and self.takes_argument and self.is_expression:
                raise Problem(self.usage())
            process = debugger.GetSelectedTarget().GetProcess()
            debuggee, fault = debuggees.of(process), None
            if debuggee is None and self.needs_process:
                raise Problem("no process: run or attach to a program, or open a core")
            if debuggee is not None:
                if process.GetState() == lldb.eStateRunning:
                    raise Problem("the process is running")
                objects_of(debuggee).refresh()
                fault = None if "-json" in arguments else faults.explain_core(debuggee)
            text = self.run(debugger, debuggee, arguments)
            text = f"{fault}\n{text}" if fault else text
            if text:
                result.PutCString(report.shown(text))
            result.SetStatus(lldb.eReturnStatusSuccessFinishResult)
        except (Exception, KeyboardInterrupt) as error:
            result.SetError(report.line_of(error))

    # -- for subclasses

    def run(self, debugger: Any, debuggee: Any, arguments: Arguments) -> str:
        """Return what the command writes."""
        raise NotImplementedError


def selected_thread(debuggee: debuggees.Debuggee) -> Any:
    thread = debuggee.process.GetSelectedThread()
    if not thread.IsValid():
        raise Problem("no thread is selected")
    return thread


def selected_frame(debuggee: debuggees.Debuggee) -> Any:
    frame = selected_thread(debuggee).GetSelectedFrame()
    if not frame.IsValid():
        raise Problem("no frame is selected")
    return frame


def place(debuggee: debuggees.Debuggee) -> tuple[Any, dict[str, Any] | None]:
    """Return the compiled frame that the selected one is or has been called by, or the Python frame. The other of the
    two is None."""
    frame = selected_frame(debuggee)
    try:
        return native_frames.expect_compiled(debuggee, frame), None
    except Problem:
        python = joined_stack.python_at(debuggee, frame)
        if python is None:
            raise
        return None, python


def json_text(value: Any) -> str:
    """Return the value as JSON with control characters escaped; JSON itself escapes only those below U+0020."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
