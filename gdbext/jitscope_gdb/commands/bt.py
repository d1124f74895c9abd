"""`jit bt`: one stack in source terms."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared import worker_text
from jitscope_shared.base import stack_text

from ..base import report
from ..frames import folding, python_frames
from ..present.stack_lines import line_of
from ..stacks import merged_stack
from ..target import target
from ..threads import workers
from .base import Arguments, JitCommand, write, write_json


class Bt(JitCommand):
    """Use this to see how the program got here, Python frames included.
    Usage: jit bt [-full] [-all] [-json] [N]

    Python frames are marked [py]. N shows the innermost N frames, -N the outermost. A
    call into the C library is one frame. Where GDB counts a frame differently, its
    number for `frame` follows, as in [frame 7]. Of a function that calls itself hundreds
    of times, the last and the first calls are shown, and the others counted. Below the
    stack of a worker of a parallel loop are the stack of the thread that started the
    loop, and what the other workers run.
      -full  show each frame's variables, too, and what Python has passed where the
             conversion to the argument's type has changed the number: n = 1 (passed as 1.5)
      -all   show the frames of wrappers, dispatcher, interpreter, pool and C library, too
      -json  write JSON, as docs/schema/bt.json says
    `set print frame-arguments` and `set width` say how much of the arguments is shown;
    `jit args` shows all. `jit frame N` selects a frame by its number here.

    Example, in a compiled function that Python has called:
      (gdb) jit bt
      #0  index (a=array(float64, shape=(3,)), n=5) at .../raises.py:34
      #1  run (function=CPUDispatcher(<function index at 0x7fffe7af5440>),
          arguments=({...}, 5)) at .../raises.py:151 [py]
      #2  <module> () at .../raises.py:192 [py]"""

    name = "bt"
    options = ("-full", "-all", "-json")
    takes_argument = True

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        count = _count(arguments.rest)
        if not debuggee.has_process or gdb.selected_thread() is None:
            raise report.Problem("No stack.")
        if not gdb.selected_thread().is_stopped():
            raise report.Problem("the selected thread is running")
        selected = gdb.selected_frame()
        stack = merged_stack.Stack(debuggee, "-all" in arguments, "-full" in arguments, count is None or count < 0)
        found, more = [], False
        try:
            for entry in stack.numbered():
                if count is not None and count >= 0 and len(found) == count:
                    more = True
                    break
                found.append(entry)
        finally:
            if selected.is_valid():
                selected.select()
        if not found and count != 0:
            stack.notes.append(f"{_nothing(debuggee)}; `jit bt -all` shows the native frames")
        others = [] if more or not stack.is_worker else _others(debuggee)
        if count is not None and count < 0:
            found = found[count:]
        python_frames.fill(debuggee, found, "-full" in arguments)
        if "-json" in arguments:
            thread = gdb.selected_thread()
            write_json({"thread": thread.num, "frames": found, "more": more, "notes": stack.notes,
                        "workers": others})  # fmt: skip
            return
        elsewhere = False  # frames of another thread, which `frame` cannot select
        for entry in stack_text.folded(found) if stack.folds else found:
            elsewhere = elsewhere or entry["kind"] == "region"
            write(line_of(entry, elsewhere))
        if more:
            write("(More stack frames follow...)")
        for note in stack.notes:
            write(f"({note})")
        if others:
            write("--- the other workers ---")
            write("\n".join(worker_text.table_of(others)))


def _nothing(debuggee: target.Target) -> str:
    """Return why no frame of the thread's stack is shown."""
    phase = folding.phase(gdb.newest_frame())
    if phase:
        return phase
    number = gdb.selected_thread().num
    entry = next((entry for entry in workers.all_threads(debuggee) if entry["thread"] == number), None)
    does = f": {worker_text.text_of(entry)}" if entry is not None else ""
    return f"thread {number} runs no Python and no code of the program's{does}"


def _others(debuggee: target.Target) -> list[dict[str, Any]]:
    """Return the other workers of the selected thread's region, then the idle threads of its pool."""
    number = gdb.selected_thread().num
    entries = workers.all_threads(debuggee)
    layer = next((entry["layer"] for entry in entries if entry["thread"] == number), None)
    idle = [entry for entry in entries if entry["role"] == workers.IDLE and entry["layer"] == layer]
    return [entry for entry in workers.running_in(debuggee) if entry["thread"] != number] + idle


def _count(text: str) -> int | None:
    if not text:
        return None
    try:
        return int(text, 0)
    except ValueError:
        raise report.Problem(f"{text!r} is no number of frames. {Bt.usage(Bt)}") from None  # type: ignore[arg-type]


def create() -> None:
    Bt()
