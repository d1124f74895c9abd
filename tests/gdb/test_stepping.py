"""Steps out of a parallel loop's body: on to the worker's next chunk, or to the line after the loop; never into a
pool."""

from __future__ import annotations

import itertools
import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.gdb.threading_layers import NEEDS_TBB, env
from tests.minutes import MINUTES

PROGRAM = "chunks.py"
HEADER, BODY, LAST, BEHIND = (line_of(PROGRAM, mark) for mark in ("header", "body", "last", "behind"))
CASES = [
    ("workqueue", "stock"),
    ("workqueue", "steps"),
    pytest.param("omp", "stock", marks=MINUTES),
    ("omp", "steps"),
    pytest.param("tbb", "stock", marks=[NEEDS_TBB, MINUTES]),
    pytest.param("tbb", "steps", marks=NEEDS_TBB),
]
ENDED = f"The parallel loop at {PROGRAM}:{HEADER} has ended."
RUN = r"worker \d of {} has run its chunk of chunked\.prange to the end\n"


def lines_of(text: str) -> list[int]:
    """Return the numbers of the source lines that GDB has listed."""
    return [int(number) for number in re.findall(r"^(\d+)\t", text, re.M)]


def stops(shown: harness.Transcript, command: str) -> list[tuple[str, str]]:
    """Return each command's output, and the thread that was selected then."""
    return [
        (text, where.partition("(")[0])
        for (name, text), (_, where) in itertools.pairwise(shown.sections)
        if name == command
    ]


def check(found: list[tuple[str, str]], first: str, layer: str) -> None:
    """Check the steps: from one iteration to the next, in this thread, also into another chunk; then after the loop."""
    has_run = re.compile(rf"worker \d of {layer} has run its chunk of chunked\.prange to the end\n")
    chunks = 0
    for text, thread in found:
        lines = lines_of(text)
        assert len(lines) == 1 and lines[0] in (HEADER, BODY, LAST, BEHIND), text
        assert not re.search(r"wrapper|\?\?|^0x", text, re.M), text
        assert bool(has_run.match(text)) == (" has " in text), text
        chunks += bool(has_run.match(text))
        if lines[0] == BEHIND:
            assert f"The parallel loop at {PROGRAM}:{HEADER} has ended.\n" in text and chunks, text
            assert thread == "[Current thread is 1 ", thread
            return
        assert thread == first, (thread, first, text)
    raise AssertionError(f"it never came behind the loop: {found}")


@pytest.mark.parametrize(("layer", "level"), CASES)
def test_out_of_the_body(layer: str, level: str) -> None:
    steps = {"next": ["next", "thread"] * 20, "finish": ["finish", "thread"] * 4, "step": ["step", "thread"] * 20}
    commands = []
    for command in ("next", "finish", "step"):  # each in a run of the loop of its own
        commands += [f"tbreak {PROGRAM}:{LAST}", "run" if command == "next" else "continue", "thread", *steps[command]]
    # After the loop, steps go on in the interpreted caller, which calls the function again and again.
    shown = harness.run(commands, program=PROGRAM, arguments=["60"], env=env(layer, level, 2), timeout=150)
    assert "Traceback" not in shown.text, shown.text
    for command in steps:
        at = next(n for n, (name, _) in enumerate(shown.sections) if name == command)
        first = shown.sections[at - 1][1].partition("(")[0]
        check(stops(shown, command), first, layer)


def test_other_commands() -> None:
    """Some commands stay where GDB stops: `stepi`; steps with a `hook-stop` of the user's; with scheduler-locking. The
    others go on."""
    last = f"tbreak {PROGRAM}:{LAST} if i == 7"
    commands = [last, "run", "until", "until", last, "continue", "jit finish", "thread"]
    commands += [last, "continue", "next 7", "thread", last, "continue", "set scheduler-locking on", "finish"]
    commands += ["set scheduler-locking step", "jit finish -region", "set scheduler-locking off"]
    commands += ["define hook-stop\necho mine\\n\nend", last, "continue", "finish", "finish"]
    shown = harness.run(commands, program=PROGRAM, arguments=["6"], env=env("workqueue", "steps", 2), timeout=150)
    ended = f"The parallel loop at {PROGRAM}:{HEADER} has ended.\n"
    assert ended in shown.of("until", 0) + shown.of("until", 1), shown.text
    for command in ("jit finish", "next 7"):
        assert ended in shown.of(command) and lines_of(shown.of(command))[-1] == BEHIND, shown.text
    assert [text.partition("(")[0] for name, text in shown.sections if name == "thread"] == [
        "[Current thread is 1 "
    ] * 2
    assert "the other threads do not run: `set scheduler-locking off`" in shown.of("finish"), shown.text
    assert ended in shown.of("jit finish -region"), shown.text


def test_a_front_end() -> None:
    """There is one *stopped for each step, on a source line."""
    with harness.machine_interface(PROGRAM, env=env("workqueue", "steps", 2)) as mi:
        mi.send(f"-break-insert -f -t {PROGRAM}:{LAST}")
        thread = mi.until_stop("-exec-run")["thread-id"]
        seen = []
        while not seen or seen[-1][2] != str(BEHIND):
            assert len(seen) < 20, seen
            stop = mi.until_stop("-exec-next")
            seen.append((stop["reason"], stop["thread-id"], stop["frame"].get("line"), stop["frame"]["func"]))
        assert mi.send("-thread-info")["payload"]["current-thread-id"] == "1"
        assert mi.console.count("has run its chunk of chunked.prange to the end") >= 1
    assert {each[:2] for each in seen[:-1]} == {("end-stepping-range", thread)}, seen
    assert {each[3] for each in seen[:-1]} == {"chunked.prange"}, seen
    assert seen[-1] == ("breakpoint-hit", "1", str(BEHIND), "chunked"), seen


@pytest.mark.parametrize("layer", ["omp", pytest.param("tbb", marks=NEEDS_TBB)])
def test_out_of_a_loop_in_a_loop(layer: str) -> None:
    """The thread stops after the inner loop, in the worker that has started it, though the thread itself may end
    then."""
    program = "tables.py"
    at = {mark: line_of(program, mark) for mark in ("header", "inner", "behind", "plain")}
    steps = 14  # on tbb the worker may have all chunks
    commands = [f"tbreak {program}:{at['inner']}", "run", *["next", "jit bt"] * steps, "delete", "continue"]
    shown = harness.run(commands, program=program, env=env(layer, "steps"), timeout=150)
    assert "Traceback" not in shown.text and "failed (" not in shown.text, shown.text
    stops = [(shown.of("next", n), shown.of("jit bt", n)) for n in range(steps)]
    ended = f"The parallel loop at {program}:{at['header']} has ended.\n"
    behind = next(n for n, (text, _) in enumerate(stops) if ended in text)
    text, stack = stops[behind]
    assert re.search(rf"worker \d+ of {layer} has run its chunk of row\.prange to the end\n", text), shown.text
    assert lines_of(text) == [at["behind"]], shown.text
    assert re.match(r"#0  row \(.*\n#1  table\.prange \(.*\n(--- region started by .*\n)?#\d  table \(", stack), stack
    assert lines_of(stops[behind + 1][0]) == [at["plain"]], shown.text
    assert "[  6.  47. 120. 225. 362. 531.]" in shown.text, shown.text  # the steps may have gone on to the end


INTERRUPTED = """import numpy as np
from numba import njit, prange


@njit(parallel=True)
def par(a):
    out = np.zeros_like(a)
    for i in prange(a.size):
        t = a[i] * 2
        t += 1
        t *= 3
        out[i] = t
    return out


print(par(np.arange(400.0)).sum())
"""
# As many steps as one needs until the other worker has hit the breakpoint.
UNTIL_OTHER = """python
import gdb
for _ in range(20):
    first = gdb.selected_thread().num
    gdb.execute("{}")
    if gdb.selected_thread().num != first:
        break
print("from", first, "to", gdb.selected_thread().num)
"""


def test_a_step_that_another_worker_ends(tmp_path: pathlib.Path) -> None:
    """The note comes once, and what it advises is so."""
    program = tmp_path / "par.py"
    program.write_text(INTERRUPTED)
    first = UNTIL_OTHER.format("next")
    commands = ["break par.py:9", "run", first, UNTIL_OTHER.format("jit finish"), "thread"]
    locked = ["set scheduler-locking step", *["next", "thread"] * 9]
    done = harness.run(commands + locked, program=program, env={"JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": "2"})
    moved = re.search(r"^from (\d+) to (\d+)$", done.of(first), re.M)
    assert moved and moved[1] != moved[2], done.text
    note = (
        rf"jitscope: worker [01] \(thread {moved[2]}\) has hit breakpoint 1 before the step of thread {moved[1]} has "
        r"ended: `set scheduler-locking step` keeps `step` and `next` in one worker, `set scheduler-locking on` also "
        r"`until` and `finish`$"
    )
    assert re.search(note, done.of(first), re.M) and done.text.count("scheduler-locking step` keeps") == 1, done.text
    threads = {done.of("thread", n).partition("(")[0] for n in range(10)}
    assert len(threads) == 1 and all(done.of("next", n) for n in range(9)), done.text
    assert lines_of("\n".join(done.of("next", n) for n in range(4))) in ([10, 11, 12, 8], [10, 11, 12, 9]), done.text
