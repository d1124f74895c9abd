"""`jit finish`: run to the end of the compiled function, and show what it returned or raised."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared.stops import results

from ..base import console, report
from ..commands.base import Arguments, JitCommand, write_json
from ..frames import frames
from ..stops import inlined_end, region_end, returned, step_out, stepping
from ..target import target


class Finish(JitCommand):
    """Use this to see what a compiled function returns or raises.
    Usage: jit finish [-json]
           jit finish -region

    The program runs until the selected function returns. Another stop on the way ends
    the command. The result of an inlined function is not known.
      -json    write JSON, as docs/schema/finish.json says
      -region  run until the parallel loop that the thread is in has ended, and stop
               after it, in the thread that started it

    Example, where compiled code has just raised:
      (gdb) jit finish
      #0  run (function=CPUDispatcher(<function index at 0x7fffe7af5440>),
          arguments=({...}, 5)) at .../raises.py:151 [py]
      151                print(function.__name__, function(*arguments), flush=True)
      index raised IndexError('index is out of bounds')"""

    name = "finish"
    options = ("-json", "-region")
    category = gdb.COMMAND_RUNNING

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        if "-region" in arguments:
            if "-json" in arguments:
                raise report.Problem(self.usage())
            region_end.run(debuggee)
            return
        selected = frames.selected(debuggee)
        is_inline = selected.type() == gdb.INLINE_FRAME
        found, shown = _finish_inline(debuggee, selected) if is_inline else finish(debuggee, selected)
        if found["finished"] and "-json" not in arguments:
            gdb.write(console.styled(shown))
        if "-json" in arguments:
            write_json({**found, "output": console.unstyled(found["output"])})
        elif text := (found["output"] + found["text"]).rstrip("\n"):  # if there is none, GDB has shown the stop
            gdb.write(console.styled(text) + "\n")


def finish(debuggee: target.Target, frame: Any) -> tuple[dict[str, Any], str]:
    """Run to the end of the function. Return the result as docs/schema/finish.json has it, and the text that shows
    where the thread is."""
    leaving = returned.Leaving(debuggee, frame)
    output = _run_out_of(frame)
    found = step_out.ended() or leaving.found()
    passed = None if found["finished"] else stepping.passed(leaving.function)
    if passed is not None:  # a parallel loop's body has ended, and `output` says where the thread or its caller is now
        return {**passed, "text": "", "output": output}, ""
    if not found["finished"]:
        found["output"] = output
    return found, output


def _finish_inline(debuggee: target.Target, frame: Any) -> tuple[dict[str, Any], str]:
    """Like finish(), for a function that has no frame of its own, whose result is not known."""
    if not debuggee.is_live:
        raise report.Problem("a core cannot run: `run` or `attach` first")
    inlined, around = inlined_end.Inlined(frame), _leaving(debuggee, frame)
    output = _run_out_of(frame)
    ended = step_out.ended() or (around.found() if around is not None and around.has_returned() else None)
    if ended is not None:
        return ended, output
    found = results.nothing(inlined.name)
    found["finished"] = inlined.has_ended()
    found["text" if found["finished"] else "output"] = inlined.text() if found["finished"] else output
    return found, output


def _leaving(debuggee: target.Target, frame: Any) -> returned.Leaving | None:
    try:
        return returned.Leaving(debuggee, frame)
    except report.Problem:
        return None


def _run_out_of(frame: Any) -> str:
    """Run GDB's own `finish` in this frame. If it is refused, the selected frame stays selected."""
    selected = gdb.selected_frame()
    frame.select()
    try:
        with returned.asked():
            return console.text_of("finish", is_styled=True)
    except gdb.error:
        if selected.is_valid():
            selected.select()
        raise


def create() -> None:
    Finish()
