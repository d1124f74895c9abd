"""All of jitscope's commands, and those of GDB's that it replaces."""

from __future__ import annotations

from .commands import (
    apply,
    args,
    array,
    base,
    breakpoint,
    bt,
    catch,
    finish,
    frame,
    functions,
    gather,
    gdb_break,
    gdb_dprintf,
    gdb_watch,
    locals,
    next_iteration,
    print,
    region,
    status,
    tbreak,
    threads,
    why,
)


def create() -> None:
    """Makes `jit` and its commands known to GDB."""
    base.Jit()
    for module in (
        apply, args, array, breakpoint, bt, catch, finish, frame, functions, gather, gdb_break, gdb_dprintf, gdb_watch,
        locals, next_iteration, print, region, status, tbreak, threads, why,
    ):  # fmt: skip
        module.create()
