"""Variables of the function that started a parallel loop which the loop's body does not have itself. They are read in
the thread that waits for the loop. The body assigns none of them, so they are the body's variables, too."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import gdb
from jitscope_shared.base import native, stack_text
from jitscope_source import files, outer_names

from ..base import console, report
from ..frames import around_loop, frames, python_frames
from ..stacks import selection
from ..target import sources, target
from ..threads import workers
from . import python_line, region_end

_WITH_VALUE = ("exact", "older")


def hook() -> None:
    """Add hooks to `info locals` and `info args`: GDB has no way to add a variable to a frame."""
    console.hook("info hookpost-locals", show)
    console.hook("info hookpost-args", show_arguments)


@report.quietly
def show_arguments() -> None:
    """Show the arguments of the selected Python frame, if there is one, after `info args`."""
    _show_python(target.current(), python_frames.ARGUMENTS)


def _show_python(debuggee: target.Target, which: int) -> bool:
    """Show the variables of the Python frame that a step or `jit frame` has selected, because GDB has shown those of
    the C function that runs it. Return False if no such frame is selected."""
    entry = selection.chosen_python(debuggee)
    if entry is None or python_line.is_shown():
        return entry is not None
    where = f" at {entry['file']}:{entry['line']}" if entry["file"] else ""
    found = stack_text.variables(python_frames.variables(debuggee, entry["address"], which))
    nothing = "No arguments." if which == python_frames.ARGUMENTS else "No locals."
    lines = [console.plain(f"--- of the Python frame {entry['name']}{where} ---"), *(found or [nothing])]
    gdb.write(console.shown("\n".join(lines) + "\n"))
    return True


@report.quietly
def show() -> None:
    """Show the variables after `info locals`."""
    debuggee = target.current()
    if _show_python(debuggee, python_frames.ALL):
        return
    try:
        frame = frames.selected(debuggee)
        own = _own(debuggee, frame)
    except (gdb.error, gdb.MemoryError, native.NativeError, report.Problem):
        return  # the frame is not compiled, and GDB has shown all
    # GDB shows the names of the others
    found = [each for each in variables(debuggee, frame, own) if each["state"] in _WITH_VALUE]
    if found:
        gdb.write(
            console.shown("\n".join([title(found), *(f"{each['name']} = {each['text']}" for each in found)]) + "\n")
        )


def title(found: list[dict[str, Any]]) -> str:
    """Return the line above such variables."""
    return f"--- of the function that started the loop, in thread {found[0]['thread']} ---"


@contextlib.contextmanager
def known(debuggee: target.Target, frame: Any) -> Iterator[None]:
    """Let expressions in the frame use these variables within the `with` block."""
    found: list[_Found] = []

    def find(name: str) -> frames.HeldFrame | None:
        if not found:
            found.append(_find(debuggee, frame, _own(debuggee, frame)))
        return found[0].frame if any(each["name"] == name for each in found[0].variables) else None

    with debuggee.resolving_variables(find):
        yield


def why(debuggee: target.Target, frame: Any, name: str) -> dict[str, Any] | None:
    """Explain one of these variables, as js_program_why() does. Return None if the name is none of them."""
    function = frames.compiled_at(debuggee, frame)
    if function is None or not function["debug_info"]:
        return None
    found = _find(debuggee, frame, _own(debuggee, frame))
    entry = next((each for each in found.variables if each["name"] == name), None)
    if entry is None or found.frame is None:
        return None
    said = native.json_of("js_program_why", debuggee.program, found.frame.pointer, name.encode())
    has_it = "the function that started the loop has it, in thread"
    lacks_it = f"in the function that started the loop, in thread {entry['thread']}: {said['why']}"
    return {**said, "why": f"{has_it} {entry['thread']}" if said["state"] == "exact" else lacks_it}


def variables(debuggee: target.Target, frame: Any, own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the variables as js_program_locals() has them, each with its "thread". `own`: the variables of the body,
    which is this frame. A variable without a value is included if the body's list does not have its name."""
    return _find(debuggee, frame, own).variables


def _own(debuggee: target.Target, frame: Any) -> list[dict[str, Any]]:
    at = frames.NativeFrame(frame, debuggee.memory)
    return native.json_of("js_program_locals", debuggee.program, at.pointer, 0, 0, frames.render_options(True))  # type: ignore[no-any-return]


class _Found:
    """Variables, and the frame that they are in; None if there are none."""

    def __init__(self, variables: list[dict[str, Any]] | None = None, frame: frames.HeldFrame | None = None) -> None:
        self.variables, self.frame = variables or [], frame


def _find(debuggee: target.Target, frame: Any, own: list[dict[str, Any]]) -> _Found:
    function = frames.compiled_at(debuggee, frame)
    if function is None or function["kind"] != "parfor-kernel" or not function["parent"]:
        return _Found()
    if around_loop.is_called_by_body(frame):
        return _Found()
    entry = workers.of_thread(debuggee, gdb.selected_thread().num)
    if entry is None or len(entry["regions"]) != 1 or len(entry["callers"]) != 1:
        return _Found()
    line, found, at = _of_caller(debuggee, entry["callers"][0], function["parent"])
    region = entry["regions"][0]
    path = sources.find(debuggee, function["file"]) if function["file"] and region["region_line"] else None
    tree = files.tree_of(path, sources.born(debuggee)) if path else None
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


def _of_caller(
    debuggee: target.Target, number: int, name: str
) -> tuple[int, list[dict[str, Any]], frames.HeldFrame | None]:
    """Return the line where the thread with this number waits, its variables there, and its frame."""
    thread, selected = gdb.selected_thread(), gdb.selected_frame()
    try:
        next(other for other in debuggee.inferior.threads() if other.num == number).switch()
        waiting = region_end.frame_of(debuggee, name)
        at = frames.HeldFrame(waiting, debuggee.memory)
        found = native.json_of("js_program_locals", debuggee.program, at.pointer, 0, 0, frames.render_options())
        return waiting.find_sal().line, [{**each, "thread": number} for each in found], at
    except (gdb.error, gdb.MemoryError, native.NativeError, report.Problem):
        return 0, [], None
    finally:
        thread.switch()
        selected.select()
