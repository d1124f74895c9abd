"""Variables of the function that started a parallel loop which the loop's body is not passed, by the source's name at
least, or does not keep. They are read in the thread that waits for the loop. As the body assigns none of them, they
count as the body's, too."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import gdb
from jitscope_source import files, outer_names

from ..base import console, native, report
from ..frames import around_loop, frames, python_frames
from ..target import sources, target
from ..threads import selection, workers
from . import python_line, region_end

_WITH_VALUE = ("exact", "older")


def hook() -> None:
    """Hook `info locals` and its like: GDB has no way to add a variable to a frame."""
    console.hook("info hookpost-locals", show)
    console.hook("info hookpost-args", show_arguments)


@report.quietly
def show_arguments() -> None:
    """Show them after `info args`."""
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
    """Show them after `info locals`."""
    of = target.current()
    if _show_python(of, python_frames.ALL):
        return
    try:
        frame = frames.selected(of)
        own = _own(of, frame)
    except (gdb.error, gdb.MemoryError, native.NativeError, report.Problem):
        return  # no frame of ours: GDB has said all
    found = [each for each in variables(of, frame, own) if each["state"] in _WITH_VALUE]  # GDB names the others
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

    def find(name: str) -> frames.HeldFrame | None:
        if not found:
            found.append(_find(of, frame, _own(of, frame)))
        return found[0].frame if any(each["name"] == name for each in found[0].variables) else None

    with around_loop.given(of, find):
        yield


def why(of: target.Target, frame: Any, name: str) -> dict[str, Any] | None:
    """Explain one of them, as js_program_why() does. None: the name is none."""
    function = frames.compiled_at(of, frame)
    if function is None or not function["debug_info"]:
        return None
    found = _find(of, frame, _own(of, frame))
    entry = next((each for each in found.variables if each["name"] == name), None)
    if entry is None or found.frame is None:
        return None
    said = native.json_of("js_program_why", of.program, found.frame.pointer, name.encode())
    has_it = "the function that started the loop has it, in thread"
    lacks_it = f"in the function that started the loop, in thread {entry['thread']}: {said['why']}"
    return {**said, "why": f"{has_it} {entry['thread']}" if said["state"] == "exact" else lacks_it}


def variables(of: target.Target, frame: Any, own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the variables as js_program_locals() has them, each with its "thread". `own`: those of the body, this
    frame. One without a value is among them where the body's list does not have its name."""
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
    if around_loop.is_called_by_body(frame):
        return _Found()
    entry = workers.of_thread(of, gdb.selected_thread().num)
    if entry is None or len(entry["regions"]) != 1 or len(entry["callers"]) != 1:
        return _Found()
    line, found, at = _of_caller(of, entry["callers"][0], function["parent"])
    region = entry["regions"][0]
    path = sources.find(of, function["file"]) if function["file"] and region["region_line"] else None
    tree = files.tree_of(path, sources.born(of)) if path else None
    lines = line or region["line"], region["line"]
    at_line = frame.find_sal().line
    assigned = outer_names.body_names(tree, at_line, region["region_line"], lines) if tree else None
    if assigned is None:
        return _Found()
    named = {each["name"] for each in own}
    known = {each["name"] for each in own if each["state"] in _WITH_VALUE}
    return _Found(
        [each for each in found if each["name"] not in assigned | (known if each["state"] in _WITH_VALUE else named)],
        at,
    )


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
