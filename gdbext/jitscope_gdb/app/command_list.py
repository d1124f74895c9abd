"""All of jitscope's commands, and the GDB commands that it replaces."""

from __future__ import annotations

from ..commands import apply, args, array, bt, frame, functions, help, level, locals, print, status, threads, why
from ..run_commands import (
    breakpoint,
    catch,
    finish,
    gather,
    gdb_break,
    gdb_dprintf,
    gdb_print,
    gdb_set,
    gdb_up,
    gdb_watch,
    next_iteration,
    region,
    tbreak,
    trap,
)


def create() -> None:
    """Make `jit` and its commands known to GDB."""
    help.create()  # first, because it makes the prefix
    for module in (
        apply, args, array, breakpoint, bt, catch, finish, frame, functions, gather, gdb_break, gdb_dprintf, gdb_print,
        gdb_set, gdb_up, gdb_watch, level, locals, next_iteration, print, region, status, tbreak, threads, trap, why,
    ):  # fmt: skip
        module.create()
