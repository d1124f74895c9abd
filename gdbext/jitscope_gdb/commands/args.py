"""`jit args`: the arguments of a compiled frame."""

from __future__ import annotations

from ..frames.frame_variables import ARGUMENTS
from ..target import target
from .base import Arguments, JitCommand
from .locals import show


class Args(JitCommand):
    """Show the arguments of the selected compiled or Python frame.
    Usage: jit args [-versions] [-json]

    The options are those of `jit locals`."""

    name = "args"
    options = ("-versions", "-json")

    def run(self, of: target.Target, arguments: Arguments) -> None:
        show(of, arguments, ARGUMENTS)


def create() -> None:
    Args()
