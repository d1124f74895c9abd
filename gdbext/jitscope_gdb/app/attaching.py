"""A program that has started this GDB itself is attached to (handshake.py)."""

from __future__ import annotations

import gdb

from ..stops import requested_stops
from ..target import failed_attaches, libraries
from . import startup


def attach(here: str, pid: int, places: list[tuple[int, str]], commands: bool) -> str | None:
    """Attaches and watches the places, addresses with words for them. Returns why not, or None. commands: some follow
    at the first stop."""
    with libraries.quick_settings():
        return _attach(here, pid, places, commands)


def _attach(here: str, pid: int, places: list[tuple[int, str]], commands: bool) -> str | None:
    problem = startup.start(here)
    try:
        gdb.execute(f"attach {pid}", False, True)
    except gdb.error as error:
        said = " ".join(str(error).split())
        return said if problem else failed_attaches.line_of(failed_attaches.explain(pid)) or said
    libraries.start(pid)
    if commands:
        libraries.finish()
    if problem:
        print("jitscope: " + problem)
    else:
        startup.scan_again()
    try:
        gdb.execute("set breakpoint always-inserted on", False, True)
        for address, word in places:
            if address:
                requested_stops.watch(address, word)
    finally:
        gdb.execute("set breakpoint always-inserted off", False, True)
    return None
