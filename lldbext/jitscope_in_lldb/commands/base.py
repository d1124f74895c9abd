"""What each `jit` command does in the same way."""

from __future__ import annotations

import inspect
import json
from typing import Any

import lldb
from jitscope_shared.commands import options

from .. import debuggee as debuggees
from .. import faults, joined_stack, native_frames, report
from ..jit_objects import of as objects_of
from ..report import Problem


class Command:
    """A `jit` command. A subclass's docstring is its help."""

    name = ""
    options: tuple[str, ...] = ()
    valued: tuple[str, ...] = ()  # options that have a value
    takes_argument = False
    is_expression = False
    abbreviates = True
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
            syntax = options.Syntax(self.options, self.valued, self.is_expression, self.abbreviates)
            arguments = options.parse(line, syntax)
            if arguments.rest and not self.takes_argument:
                raise Problem(f"unknown argument {arguments.rest!r}. {self.usage()}")
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
            result.PutCString(report.shown(text))
            result.SetStatus(lldb.eReturnStatusSuccessFinishResult)
        except options.Unknown as unknown:
            result.SetError(f"jit {self.name} {unknown}. {self.usage()}")
        except options.Bad as bad:
            result.SetError(f"{bad}. {self.usage()}")
        except (Exception, KeyboardInterrupt) as error:
            result.SetError(report.line_of(error))

    def usage(self) -> str:
        text = (self.__doc__ or "").partition("Usage: ")[2].partition("\n")[0]
        return f"Usage: {text}"

    # -- for subclasses

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
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
