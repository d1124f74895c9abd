"""The `jit` commands that only GDB has: in LLDB, each says so in one line."""

from __future__ import annotations

from typing import Any

# What helps in LLDB instead.
INSTEAD = {
    "apply": "`thread backtrace all` and `jit threads` show all threads",
    "frame": "`frame select N` selects a frame of `jit bt`",
    "gather": "run the program in GDB to stop once when all workers are there",
    "level": "`jit functions` shows levels; JITSCOPE_LEVEL=steps in the environment chooses one",
    "next-iteration": "`jit break FILE:LINE if CONDITION` stops in an iteration",
    "trap": "run the program in GDB to stop at the first NaN or infinity",
}


class _OfGdb:
    name = ""

    def __init__(self, _debugger: Any, _names: Any):
        pass

    def get_short_help(self) -> str:
        return f"`jit {self.name}` is a command of GDB's alone."

    def get_long_help(self) -> str:
        return f"{self.get_short_help()} In LLDB, {INSTEAD[self.name]}.\n"

    def __call__(self, _debugger: Any, _line: str, _context: Any, result: Any) -> None:
        result.SetError(f"`jit {self.name}` is GDB's alone: {INSTEAD[self.name]}")


def create(debugger: Any) -> None:
    """Make the commands known to LLDB, which finds their classes by their names in this module."""
    for name in INSTEAD:
        of_python = name.replace("-", "_").capitalize()
        globals()[of_python] = type(of_python, (_OfGdb,), {"name": name, "__doc__": f"jit {name}"})
        debugger.HandleCommand(f"command script add -c {__name__}.{of_python} jit {name}")
