"""`jit next-iteration`: run to the next iteration of the loop."""

from __future__ import annotations

from typing import Any

import gdb
from jitscope_shared.base import native
from jitscope_source import loop_lines

from ..base import console, report
from ..commands.base import Arguments, JitCommand, write
from ..frames import frames, undescribed
from ..stops import endless, inlined_end, returned, step_out
from ..stops.region_end import Place
from ..target import cells, sources, target


class NextIteration(JitCommand):
    """Use this to go on to the next iteration of the loop.
    Usage: jit next-iteration

    The loop is the innermost one around the selected frame's line. The program stops on
    the line of `for` or `while`, in this frame and thread, or after the loop when it has
    ended. Other breakpoints stop as usual.

    Example, in the body of a loop:
      (gdb) jit next-iteration
      33          for i in range(n):"""

    name = "next-iteration"
    is_about_variables = True
    category = gdb.COMMAND_RUNNING

    def run(self, debuggee: target.Target, arguments: Arguments) -> None:
        run(debuggee, frames.selected(debuggee))


def run(debuggee: target.Target, frame: Any) -> None:
    if not debuggee.is_live:
        raise report.Problem("a core cannot run: `run` or `attach` first")
    symtab, line = frame.find_sal().symtab, frame.find_sal().line
    if symtab is None:
        name = (frames.compiled_at(debuggee, frame) or {}).get("name", "this function")
        raise report.Problem(f"{name} has no line numbers; {undescribed.cure(debuggee, name)}")
    path, since = sources.find(debuggee, symtab.fullname()), sources.born(debuggee)
    try:
        loop = loop_lines.around(path or symtab.fullname(), line, since if path else 0)
    except LookupError:
        name = cells.base_name(symtab.filename)
        problem = f"only the source shows where a loop begins, and {name} is missing or newer than the process"
        raise report.Problem(problem) from None
    if loop is None:
        raise report.Problem(f"line {line} is in no loop")
    pointer = frames.NativeFrame(frame, debuggee.memory).pointer
    found = native.json_of("js_program_statements", debuggee.program, pointer)
    starts = [row for row in found["rows"] if row["line"] == loop.first]
    inside = [row for row in found["rows"] if loop.first <= row["line"] <= loop.last]
    is_known = all(row["is_marker"] for row in inside)
    function = frames.compiled_at(debuggee, frame)
    # the loop may have a form with markers and one without, so the row at the frame decides
    if function is not None and function["level"] == "steps":
        here = [row for row in found["rows"] if row["address"] <= frames.lookup_pc(frame)]
        is_known = is_known or bool(here) and here[-1]["is_marker"]
    elif not is_known:  # markers may be only in the code that leads into the loop
        starts = [row for row in starts if not row["is_marker"]]
    if text := endless.refusal(debuggee, frame):
        raise report.Problem(text)
    if not starts:
        text = f"the compiler has left no code of line {loop.first}, which begins each iteration"
        raise report.Problem(_with_advice(text, found))
    behind = [row["address"] for row in found["rows"] if row not in inside]
    _go(debuggee, frame, loop, starts, [*behind, *found["around"]], "" if is_known else found["advice"])


def _go(
    debuggee: target.Target, frame: Any, loop: loop_lines.Loop, starts: list[Any], behind: list[int], advice: str
) -> None:
    """Run on to one of these addresses. `starts`: rows where an iteration begins; `behind`: addresses after the loop,
    which for an inlined function include those of its caller's lines."""
    cfa, place = frames.cfa(frame), f"{cells.base_name(frame.find_sal().symtab.filename)}:{loop.first}"
    caller, left = frames.outer(frame).older(), _leaving(debuggee, frame)
    inlined = inlined_end.Inlined(frame)
    again = [Place(row["address"], cfa) for row in starts]
    ends = [Place(address, cfa) for address in behind]
    backs = [Place(int(caller.pc()), cfa, True)] if caller is not None and caller.is_valid() else []
    try:
        gdb.execute("continue")
        was_again, has_ended, was_left = (any(each.was_hit for each in places) for places in (again, ends, backs))
    finally:
        for each in (*again, *ends, *backs):
            each.delete()
    if not (was_again or has_ended or was_left):
        return  # GDB has reported why it stopped
    if any(each.was_hit and row["is_marker"] for each, row in zip(again, starts)):
        advice = ""
    gdb.newest_frame().select()
    unseen = f" Its iterations were not seen: {advice}" if advice and not was_again else ""
    if was_again and advice:
        write(f"Line {loop.first} again; without markers an iteration of the machine's may be several: {advice}")
    elif was_left:
        found = left.found() if left is not None else None
        text = found["text"] if found and (found["raised"] or inlined.is_inlined) else f"{inlined.name} has returned"
        write(f"The loop at {place} has ended: {text}.{unseen}")
        if step_out.show_caller(debuggee):
            return
    elif has_ended:
        also = f": {inlined.text()}" if inlined.has_ended() else ""
        write(f"The loop at {place} has ended{also}.{unseen}")
    shown = console.text_of("frame", is_styled=True).splitlines()
    gdb.write(console.styled(shown[-1] if was_again and len(shown) > 1 else "\n".join(shown)) + "\n")


def _leaving(debuggee: target.Target, frame: Any) -> returned.Leaving | None:
    try:
        return returned.Leaving(debuggee, frame)
    except report.Problem:  # no frame calls this one
        return None


def _with_advice(text: str, found: dict[str, Any]) -> str:
    return f"{text}: {found['advice']}" if found["advice"] else text


def create() -> None:
    NextIteration()
