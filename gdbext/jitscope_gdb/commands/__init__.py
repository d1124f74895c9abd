"""One file a command, with a create() that makes it known to GDB."""

from __future__ import annotations


def create() -> None:
    """Makes `jit` and its commands known to GDB."""
    from . import base

    base.Jit()
    from . import (  # noqa: I001
        apply, args, array, breakpoint, bt, catch, finish, frame, functions, gather, gdb_break, gdb_dprintf, gdb_watch,
        locals, next_iteration, print, region, status, tbreak, threads, why,
    )  # fmt: skip

    for module in (
        apply, args, array, breakpoint, bt, catch, finish, frame, functions, gather, gdb_break, gdb_dprintf, gdb_watch,
        locals, next_iteration, print, region, status, tbreak, threads, why,
    ):  # fmt: skip
        module.create()
