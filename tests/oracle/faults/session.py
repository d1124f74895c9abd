"""The command `leave-fault` of GDB: compiled code that made a fault returns to the interpreter, as if it had failed."""

from __future__ import annotations

import gdb

_KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15", "rsp", "rip")  # registers that a call does not change


def _is_compiled(address: int) -> bool:
    """True if the address is in memory that no file is mapped to."""
    with open(f"/proc/{gdb.selected_inferior().pid}/maps", encoding="utf-8") as maps:
        for line in maps:
            ends, _, rest = line.partition(" ")
            low, high = (int(end, 16) for end in ends.split("-"))
            if low <= address < high:
                return len(rest.split()) < 5
    return False


class LeaveFault(gdb.Command):
    """Return from the outermost of the compiled functions in a row to Python, with NULL for a result."""

    def __init__(self) -> None:
        super().__init__("leave-fault", gdb.COMMAND_USER)

    def invoke(self, argument: str, from_tty: bool) -> None:
        frame = gdb.newest_frame()
        while not _is_compiled(frame.pc()):
            frame = frame.older()
        while (older := frame.older()) is not None and _is_compiled(older.pc()):
            frame = older
        # GDB's `return` refuses all frames if the newest one is of an inlined function
        values = {name: int(older.read_register(name)) & (1 << 64) - 1 for name in _KEPT}
        gdb.newest_frame().select()
        for name, value in values.items():
            gdb.execute(f"set ${name} = {value}")
        gdb.execute("set $rax = 0")


LeaveFault()
