"""What the body of a parallel loop is not passed, by the source's name at least, or does not keep: variables of the
function that started the loop, in the thread that waits for it. As the body assigns none of them, they are the body's,
too."""

from __future__ import annotations

import ast
import contextlib
import ctypes
import re
from typing import Any, Iterator

import gdb

from ..base import console, native, report
from ..frames import frames, python_frames
from ..source import files, syntax
from ..target import sources, target
from ..threads import selection, workers
from . import python_line, region_end

_EXPRESSIONS = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)  # statements that may have some

_KERNEL = re.compile(r"parfor_(5f)?gufunc|\.prange$")


def hook() -> None:
    """GDB lets nobody add a variable to a frame."""
    console.hook("info hookpost-locals", show)
    console.hook("info hookpost-args", show_arguments)


@report.quietly
def show_arguments() -> None:
    """Behind `info args`."""
    _show_python(target.current(), python_frames.ARGUMENTS)


def _show_python(of: target.Target, which: int) -> bool:
    """Show the variables of the Python frame that a step or `jit frame` has selected, for GDB has shown those of the C
    function that runs it. False: no such frame is selected."""
    entry = selection.chosen_python(of)
    if entry is None or python_line.is_shown():
        return entry is not None
    where = f" at {entry['file']}:{entry['line']}" if entry["file"] else ""
    found = python_frames.lines(python_frames.variables(of, entry["address"], which))
    nothing = "No arguments." if which == python_frames.ARGUMENTS else "No locals."
    lines = [console.plain(f"--- of the Python frame {entry['name']}{where} ---"), *(found or [nothing])]
    gdb.write(console.shown("\n".join(lines) + "\n"))
    return True


@report.quietly
def show() -> None:
    """Behind `info locals`."""
    of = target.current()
    if _show_python(of, python_frames.ALL):
        return
    try:
        frame = frames.selected(of)
        own = _own(of, frame)
    except (gdb.error, gdb.MemoryError, native.NativeError, report.Problem):
        return  # no frame of ours: GDB has said all
    found = variables(of, frame, own)
    if found:
        gdb.write(
            console.shown("\n".join([title(found), *(f"{each['name']} = {each['text']}" for each in found)]) + "\n")
        )


def title(found: list[dict[str, Any]]) -> str:
    """The line above such variables."""
    return f"--- of the function that started the loop, in thread {found[0]['thread']} ---"


@contextlib.contextmanager
def known(of: target.Target, frame: Any) -> Iterator[None]:
    """Expressions in the frame know them meanwhile."""
    found: list[_Found] = []

    def resolve(_context: Any, name: bytes, out: Any) -> int:
        try:
            if not found:
                found.append(_find(of, frame, _own(of, frame)))
            at = found[0].frame
            if at is None or all(each["name"] != name.decode() for each in found[0].variables):
                return native.ENOTFOUND
            out[0] = ctypes.addressof(at.struct)
            return 0
        except Exception:  # nothing may leave a callback
            return native.ENOTFOUND

    callback = native.EnclosingFn(resolve)
    native.library.js_program_set_enclosing(of.program, callback, None)
    try:
        yield
    finally:
        native.library.js_program_set_enclosing(of.program, native.EnclosingFn(), None)


def variable(of: target.Target, frame: Any, name: str) -> dict[str, Any] | None:
    """One of them; None: the name is none."""
    function = frames.compiled_at(of, frame)
    if function is None or not function["debug_info"]:
        return None
    return next((each for each in variables(of, frame, _own(of, frame)) if each["name"] == name), None)


def variables(of: target.Target, frame: Any, own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The exact ones, as js_program_locals has them, each with its "thread"; `own`: those of the body, this frame."""
    return _find(of, frame, own).variables


def _own(of: target.Target, frame: Any) -> list[dict[str, Any]]:
    at = frames.NativeFrame(frame, of.memory)
    return native.json_of("js_program_locals", of.program, at.pointer, 0, 0, frames.render_options(True))  # type: ignore[no-any-return]


class _Found:
    """Variables, and the frame that they are in, None where there are none."""

    def __init__(self, variables: list[dict[str, Any]] | None = None, frame: frames.HeldFrame | None = None) -> None:
        self.variables, self.frame = variables or [], frame


def _find(of: target.Target, frame: Any, own: list[dict[str, Any]]) -> _Found:
    function = frames.compiled_at(of, frame)
    if function is None or function["kind"] != "parfor-kernel" or not function["parent"]:
        return _Found()
    if frame.type() == gdb.INLINE_FRAME and not _KERNEL.search(frame.name() or ""):  # what the body calls
        return _Found()
    entry = workers.of_thread(of, gdb.selected_thread().num)
    if entry is None or len(entry["regions"]) != 1 or len(entry["callers"]) != 1:
        return _Found()
    line, found, at = _of_caller(of, entry["callers"][0], function["parent"])
    region = entry["regions"][0]
    path = sources.find(of, function["file"]) if function["file"] and region["region_line"] else None
    tree = files.tree_of(path, sources.born(of)) if path else None
    assigned = _assigned(tree, region["region_line"], (line or region["line"], region["line"])) if tree else None
    if tree is None or assigned is None:
        return _Found()
    assigned |= _hidden(tree, frame.find_sal().line, region["region_line"])
    known = assigned | {each["name"] for each in own if each["state"] in ("exact", "older")}
    return _Found([each for each in found if each["state"] in ("exact", "older") and each["name"] not in known], at)


def _of_caller(of: target.Target, number: int, name: str) -> tuple[int, list[dict[str, Any]], frames.HeldFrame | None]:
    """The line where it waits, its variables there, and its frame."""
    thread, selected = gdb.selected_thread(), gdb.selected_frame()
    try:
        next(other for other in of.inferior.threads() if other.num == number).switch()
        waiting = region_end.frame_of(of, name)
        at = frames.HeldFrame(waiting, of.memory)
        found = native.json_of("js_program_locals", of.program, at.pointer, 0, 0, frames.render_options())
        return waiting.find_sal().line, [{**each, "thread": number} for each in found], at
    except (gdb.error, gdb.MemoryError, native.NativeError, report.Problem):
        return 0, [], None
    finally:
        thread.switch()
        selected.select()


def _hidden(tree: ast.Module, line: int, header: int) -> set[str]:
    """The names that are those of a function that was inlined, where its line is."""
    bodies, _ = syntax.bodies(tree)
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
