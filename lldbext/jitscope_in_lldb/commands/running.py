"""The `jit` commands that let the program run."""

from __future__ import annotations

from typing import Any

from jitscope_shared.commands import options

from .. import native_frames
from ..stops import returned
from .base import Command, selected_frame


class Finish(Command):
    """Use this to see what a compiled function returns or raises.
    Usage: jit finish

    The program runs until the function of the selected frame returns, as with LLDB's
    own `finish`, at whose stop the value is shown, too. The frame may be one of a C
    function that compiled code has called. The result of an inlined function is not
    known: the function that it is inlined in is finished.

    Example:
      (lldb) jit finish
      mean returned 12.5"""

    name = "finish"

    def run(self, debugger: Any, debuggee: Any, arguments: options.Arguments) -> str:
        return returned.step_out(debuggee, native_frames.expect_compiled(debuggee, selected_frame(debuggee)))
