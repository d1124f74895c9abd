"""What the body of a parallel loop is not passed, by the source's name at least, or does not keep: variables of the
function that started the loop, in the thread that waits for it. As the body assigns none of them, they are the body's,
too."""

from __future__ import annotations

import ast
import re
from typing import Any

import gdb

from . import console, frames, native, region_end, report, source_files, source_syntax, sources, target, workers

_EXPRESSIONS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)  # statements that may have some

_KERNEL = re.compile(r"parfor_(5f)?gufunc|\.prange$")


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
    if frame.type() == gdb.INLINE_FRAME and not _KERNEL.search(frame.name() or ""):  # what the body calls
        return []
    entry = workers.of_thread(of, gdb.selected_thread().num)
    if entry is None or len(entry["regions"]) != 1 or len(entry["callers"]) != 1:
        return []
    line, found = _of_caller(of, entry["callers"][0], function["parent"])
    region = entry["regions"][0]
    path = sources.find(of, function["file"]) if function["file"] and region["region_line"] else None
    tree = source_files.tree_of(path, sources.born(of)) if path else None
    assigned = _assigned(tree, region["region_line"], (line or region["line"], region["line"])) if tree else None
    if tree is None or assigned is None:
        return []
    assigned |= _hidden(tree, frame.find_sal().line, region["region_line"])
    known = assigned | {each["name"] for each in own if each["state"] in ("exact", "older")}
    return [each for each in found if each["state"] in ("exact", "older") and each["name"] not in known]


def _of_caller(of: target.Target, number: int, name: str) -> tuple[int, list[dict[str, Any]]]:
    """The line where it waits, and its variables there."""
    thread, selected = gdb.selected_thread(), gdb.selected_frame()
    try:
        next(other for other in of.inferior.threads() if other.num == number).switch()
        waiting = region_end.frame_of(of, name)
        at = frames.NativeFrame(waiting, of.memory)
        found = native.json_of("js_program_locals", of.program, at.pointer, 0, 0, frames.render_options())
        return waiting.find_sal().line, [{**each, "thread": number} for each in found]
    except (gdb.error, gdb.MemoryError, native.NativeError, report.Problem):
        return 0, []
    finally:
        thread.switch()
        selected.select()


def _hidden(tree: ast.Module, line: int, header: int) -> set[str]:
    """The names that are those of a function that was put in line, where its line is."""
    bodies, _ = source_syntax.bodies(tree)
    return {
        name
        for name, lines in bodies.items()
        if any(first <= line <= last and not first <= header <= last for first, last in lines)
    }


def _assigned(tree: ast.Module, header: int, lines: tuple[int, ...]) -> set[str] | None:
    """The names that the loop, or the array expression, gives anything to, and what is there from and to the lines of
    the threads: Numba joins it to others. None: the source does not tell."""
    found = [n for n in ast.walk(tree) if isinstance(n, (ast.For, *_EXPRESSIONS)) and n.lineno == header]
    found = [n for n in found if isinstance(n, ast.For)] or found  # its body may stand behind it
    if len(found) != 1:
        return None
    first, last = min(header, *lines), max(found[0].end_lineno or header, *lines)
    named = (n for n in ast.walk(tree) if isinstance(n, ast.Name) and first <= n.lineno <= last)
    return {name.id for name in named if not isinstance(name.ctx, ast.Load)}
