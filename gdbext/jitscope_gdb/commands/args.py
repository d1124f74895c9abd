"""`jit args`: the arguments of a compiled frame."""

from __future__ import annotations

from ..frames.frame_variables import ARGUMENTS
from ..target import target
from .base import Arguments, JitCommand
from .locals import show


class Args(JitCommand):
    """Use this to see what the function was called with.
    Usage: jit args [-versions] [-json]

    It shows the arguments of the selected frame in full. Where Python has called the
    function with a number that the conversion to the argument's type has changed, the
    number follows: n = 1 (passed as 1.5). The options are those of `jit locals`.

    Example, at `total += a[i]`:
      (gdb) jit args
      a = array([0., 1., 2.])
      n = 5"""

    name = "args"
    is_about_variables = True
    options = ("-versions", "-json")

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        show(debuggee, arguments, ARGUMENTS)


def create() -> None:
    Args()
