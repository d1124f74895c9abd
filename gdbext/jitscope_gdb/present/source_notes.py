"""Notes on the source at a stop in compiled code, one line for each file: the source is not the one that the program
runs, or it cannot be read."""

from __future__ import annotations

import os
import sys
from typing import Any

import gdb
from jitscope_source import files

from ..base import events, report
from ..frames import frames
from ..target import cells, outdated, sources, target

_reported = "source notes"  # the key in the target's cache: files that were reported, and when they were written


@events.on("stop", order=62)
def tell(_event: Any) -> None:
    debuggee = target.current()
    if not gdb.parameter("jitscope notes") or not debuggee.has_process:
        return
    frame = gdb.selected_frame()
    if frames.compiled_at(debuggee, frame) is None:
        return
    symtab = frame.find_sal().symtab
    path = symtab.fullname() if symtab else ""
    path = cells.copied_from(debuggee, path) or path
    try:
        key = path, os.stat(path).st_mtime_ns
    except OSError:
        return  # GDB itself reports that there is no file
    reported = debuggee.keep("process", _reported, set)
    if key in reported:
        return
    reported.add(key)
    text = _problem(debuggee, path)
    if text:
        report.say(text, is_important=True)


def _problem(debuggee: target.Target, path: str) -> str | None:
    name = cells.base_name(path)
    if outdated.has(debuggee, path):
        return (
            f"{name} was changed after code of it was compiled and saved in Numba's cache, from which the program has "
            "loaded it: the lines that are shown may not be those that run, and more values are labelled; delete the "
            "cache (*.nbi and *.nbc)"
        )
    if sources.is_changed(debuggee, path):
        return (
            f"{name} was changed after the program started: the lines that are shown may not be those that run, and "
            "more values are labelled"
        )
    found = sources.find(debuggee, path)
    # code of other JITs is in other languages
    problem = files.problem_of(found) if found and found.endswith(".py") else None
    if problem is None:
        return None
    version = ".".join(map(str, sys.version_info[:2]))
    return f"{name} cannot be read by the Python {version} of this GDB ({problem}): more values are labelled"
