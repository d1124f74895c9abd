"""What the body of a parallel loop is not passed, by the source's name at least: variables of the function that started
the loop, in the thread that waits for it. As the body assigns none of them, they are the body's as well."""

from __future__ import annotations

import ast
from typing import Any

import gdb

from . import console, frames, native, region_end, report, source_files, sources, target, workers


def hook() -> None:
    """GDB lets nobody add a variable to a frame."""
    console.hook("info hookpost-locals", "outside.show")


@report.quietly
def show() -> None:
    """Behind `info locals`."""
    of = target.current()
    try:
        frame = frames.selected(of)
        at = frames.NativeFrame(frame, of.memory)
        own = native.json_of("js_program_locals", of.program, at.pointer, 0, 0, frames.render_options(True))
    except (gdb.error, gdb.MemoryError, native.NativeError, report.Problem):
        return  # no frame of ours: GDB has said all
    found = variables(of, frame, own)
    if found:
        gdb.write("\n".join([title(found), *(f"{each['name']} = {each['text']}" for each in found)]) + "\n")


def title(found: list[dict[str, Any]]) -> str:
    """The line above such variables."""
    return f"--- of the function that started the loop, in thread {found[0]['thread']} ---"


def variables(of: target.Target, frame: Any, own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The exact ones, as js_program_locals has them, each with its "thread"; `own`: those of the body, this frame."""
    function = frames.compiled_at(of, frame)
    if function is None or function["kind"] != "parfor-kernel" or not function["parent"]:
        return []
    entry = workers.of_thread(of, gdb.selected_thread().num)
    if entry is None or len(entry["regions"]) != 1 or len(entry["callers"]) != 1:
        return []
    assigned = _assigned(of, function["file"], entry["regions"][0]["region_line"])
    if assigned is None:
        return []
    known = assigned | {each["name"] for each in own}
    found = _of_caller(of, entry["callers"][0], function["parent"])
    return [each for each in found if each["state"] == "exact" and each["name"] not in known]


def _of_caller(of: target.Target, number: int, name: str) -> list[dict[str, Any]]:
    thread, selected = gdb.selected_thread(), gdb.selected_frame()
    try:
        next(other for other in of.inferior.threads() if other.num == number).switch()
        at = frames.NativeFrame(region_end.frame_of(of, name), of.memory)
        found = native.json_of("js_program_locals", of.program, at.pointer, 0, 0, frames.render_options())
        return [{**each, "thread": number} for each in found]
    except (gdb.error, gdb.MemoryError, native.NativeError, report.Problem):
        return []
    finally:
        thread.switch()
        selected.select()


def _assigned(of: target.Target, file: str | None, header: int) -> set[str] | None:
    """The names that the loop gives anything to; None: the source does not tell."""
    path = sources.find(of, file) if file and header else None
    tree = source_files.tree_of(path, sources.born(of)) if path else None
    loops = [n for n in ast.walk(tree) if isinstance(n, ast.For) and n.lineno == header] if tree else []
    if len(loops) != 1:
        return None
    stored = (n for n in ast.walk(loops[0]) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    return {name.id for name in stored}
