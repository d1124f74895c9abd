"""`jit locals`: the variables of a compiled frame, each with its state."""

from __future__ import annotations

from typing import Any

from jitscope_shared.base import stack_text

from ..base import console
from ..frames import frames, python_frames, undescribed
from ..frames.frame_variables import ALL, ARGUMENTS, mark_passed, read
from ..stacks import selection
from ..stops import enclosing_variables
from ..target import target
from .base import Arguments, JitCommand, write, write_json


class Locals(JitCommand):
    """Use this to see the variables here, each with its value or a label.
    Usage: jit locals [-versions] [-json]

    The variables are those of the selected frame, arguments included. In a frame of the
    interpreter they are those of the Python frame that it runs, or that `jit frame` has
    selected; in a native frame, those of the Python or compiled frame that has called it.
    Where the frame is of code that a compiled function has called (malloc), a line says
    whose variables they are. Values are written as repr() writes them, without
    running code of the program: an object whose class has a __repr__ of its own is
    <CLASS object at 0x…>. In a module's frame functions,
    classes and modules are counted, not listed. In a parallel loop's body, variables of its
    function that the body does not have follow after a line, with the values that they
    have in the thread that waits for the loop. A sum or other reduction of the loop is
    marked [this worker's own part].
      -versions  show each of the compiler's versions of a variable, with the line
                 that assigned it
      -json      write JSON, as docs/schema/locals.json says
    A variable without a value has a label: <unassigned>, <optimized out> or <unknown: …>.
    `jit why NAME` says why, and `jit help LABEL` what the label means.

    Example, before the first line of a function runs:
      (gdb) jit locals
      a = array([0., 1., 2.])
      n = 5
      total = <unassigned>
      i = <unassigned>"""

    name = "locals"
    is_about_variables = True
    options = ("-versions", "-json")

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        show(debuggee, arguments, ALL)


def show(debuggee: target.Target, arguments: Arguments, which: int) -> None:
    python = selection.python(debuggee)
    if python is not None:
        show_python(debuggee, arguments, python, which)
        return
    frame = frames.selected(debuggee)
    undescribed.expect_variables(debuggee, frame)
    found = read(debuggee, frame, which, "-versions" in arguments)
    mark_passed(debuggee, frame, found)
    others = enclosing_variables.variables(debuggee, frame, found) if which == ALL else []
    if "-versions" not in arguments:
        shown = {each["name"] for each in others}
        found = [each for each in found if each["name"] not in shown]
    if "-json" in arguments:
        write_json(found + others)
    elif not found:
        write(_nothing(debuggee, frame, which))
    else:
        write("\n".join(stack_text.variables(found)))
    if others and "-json" not in arguments:
        write(enclosing_variables.title(others))
        write("\n".join(stack_text.variables(others)))


def _nothing(debuggee: target.Target, frame: Any, which: int) -> str:
    """Return what is said of a compiled frame without variables, which may have some that the compiler leaves out."""
    function = frames.compiled_at(debuggee, frame)
    if function is not None and function["level"] == "lines" and function["is_loop"]:
        name = function["name"]
        return f"{name} has its lines, and no variables of its own are known; start the program under the debugger"
    return "No arguments." if which == ARGUMENTS else "No variables."


def show_python(debuggee: target.Target, arguments: Arguments, entry: dict[str, Any], which: int) -> None:
    found = python_frames.variables(debuggee, entry["address"], which)
    if "-json" in arguments:
        write_json(found)
        return
    where = f" at {entry['file']}:{entry['line']}" if entry["file"] else ""
    write(console.plain(f"Python frame {entry['index']}, {entry['name']}{where}:"))
    write("\n".join(stack_text.variables(found)) or ("No arguments." if which == ARGUMENTS else "No variables."))


def create() -> None:
    Locals()
