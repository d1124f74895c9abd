"""`jit next-iteration` and GDB's `until`: from iteration to iteration of a loop, and out of it."""

from __future__ import annotations

import re
import time

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "loops.py"
NEXT = "jit next-iteration"


def run(level: str, *commands: str, program: str = PROGRAM, env: dict[str, str] | None = None) -> harness.Transcript:
    done = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": level, **(env or {})}, timeout=120)
    assert not done.timed_out, done.text
    return done


def at(mark: str, program: str = PROGRAM) -> str:
    return f"tbreak {program}:{line_of(program, mark)}"


def mark_of(text: str) -> str:
    """Return the mark of the source line that was shown last."""
    found = re.findall(r"# at: (\S+)$", text, re.M)
    assert found, text
    return str(found[-1])


def value(done: harness.Transcript, command: str, occurrence: int) -> str:
    return done.of(command, occurrence).partition(" = ")[2]


def test_inner_and_outer_loop() -> None:
    done = run("steps", at("inner-body"), "run", *[NEXT, "print j", "print i"] * 5)
    assert [mark_of(done.of(NEXT, n)) for n in range(5)] == ["inner"] * 3 + ["behind-inner", "outer"], done.text
    assert [value(done, "print j", n) for n in range(3)] == ["0", "1", "2"]
    assert value(done, "print i", 4) == "0"
    ended = f"The loop at {PROGRAM}:{line_of(PROGRAM, 'inner')} has ended."
    assert [done.of(NEXT, n).startswith(ended) for n in range(5)] == [False] * 3 + [True, False]


def test_while() -> None:
    done = run("steps", at("while-body"), "run", *[NEXT, "print n"] * 4)
    assert [mark_of(done.of(NEXT, n)) for n in range(4)] == ["while"] * 3 + ["while-end"], done.text
    assert [value(done, "print n", n) for n in range(4)] == ["4", "2", "1", "1"]


def test_stays_in_its_frame() -> None:
    done = run("steps", at("climb-call"), "run", NEXT, "print n", NEXT, "print n")
    assert mark_of(done.of(NEXT)) == "climb" and value(done, "print n", 0) == "1"
    assert mark_of(done.of(NEXT, 1)) == "climb" and value(done, "print n", 1) == "1"


def test_function_that_returns_from_the_loop() -> None:
    done = run("steps", at("search-body"), "run", *[NEXT] * 3)
    assert [mark_of(done.of(NEXT, n)) for n in range(2)] == ["search"] * 2, done.text
    assert f"The loop at {PROGRAM}:{line_of(PROGRAM, 'search')} has ended: search has returned." in done.of(NEXT, 2)


def test_loop_over_a_generator() -> None:
    done = run("steps", at("take-body"), "run", *[NEXT, "print value"] * 4)
    assert [mark_of(done.of(NEXT, n)) for n in range(4)] == ["take"] * 3 + ["take-end"], done.text
    assert [value(done, "print value", n) for n in range(3)] == ["0", "1", "2"]


def test_worker_stays_in_its_thread() -> None:
    env = {"NUMBA_NUM_THREADS": "2"}
    commands = ["info threads", NEXT, "info threads", "print i", NEXT, "print i"]
    done = run("steps", at("prange-body"), "run", "print i", *commands, env=env)
    threads = [re.findall(r"^\* (\d+) ", done.of("info threads", n), re.M) for n in range(2)]
    assert threads[0] == threads[1], done.text
    first = int(value(done, "print i", 0))
    assert [int(value(done, "print i", n)) for n in (1, 2)] == [first, first + 1], done.text


def test_other_breakpoints_stop_and_nothing_is_left() -> None:
    done = run("steps", at("outer-body"), "run", at("inner-body"), NEXT, "maint info breakpoints")
    assert "Temporary breakpoint" in done.of(NEXT) and mark_of(done.of(NEXT)) == "inner-body"
    assert not re.search(rf"^-\d+ .*{PROGRAM}", done.of("maint info breakpoints"), re.M), done.text


def test_light_loop_at_exact_says_what_a_turn_may_be() -> None:
    done = run("exact", at("index", "raises.py"), "run", NEXT, NEXT, program="raises.py")
    assert "an iteration of the machine's may be several" in done.of(NEXT), done.text
    assert "@jitscope.steps" in done.of(NEXT) and "for i in range(n):" in done.of(NEXT)


def test_loop_with_markers_at_exact() -> None:
    done = run("exact", at("pop", "raises.py"), "run", NEXT, "print taken", program="raises.py")
    assert done.of(NEXT).split("\t")[-1].strip() == "while taken < 9:", done.text
    assert value(done, "print taken", 0) == "2"


def test_stock_tells_no_turns() -> None:
    done = run("stock", at("pop", "raises.py"), "run", NEXT, program="raises.py")
    said = ("an iteration of the machine's may be several", "iterations were not seen")
    assert any(text in done.of(NEXT) for text in said), done.text


def test_interrupt() -> None:
    with harness.interactive("endless.py", env={"JITSCOPE_LEVEL": "steps"}) as child:
        child.sendline("tbreak endless.py:" + str(line_of("endless.py", "call")))
        child.expect_exact("(gdb) ")
        child.sendline("run")
        child.expect_exact("hit Temporary breakpoint")
        child.expect_exact("(gdb) ")
        child.sendline(NEXT)
        time.sleep(1)  # until it spins
        child.sendintr()
        child.expect("SIGINT")
        child.expect_exact("(gdb) ")
        child.sendline("maint info breakpoints")
        child.expect_exact("(gdb) ")
        assert "endless.py" not in child.before
        child.sendline("kill")


@pytest.mark.parametrize(
    ("mark", "answer"), [("end", "is in no loop"), (None, "no process: run or attach to a program, or open a core")]
)
def test_one_line_where_there_is_no_loop(mark: str | None, answer: str) -> None:
    done = run("steps", *([at(mark), "run"] if mark else []), NEXT)
    assert answer in done.of(NEXT) and len(done.of(NEXT).splitlines()) == 1, done.text


def test_until_leaves_a_loop() -> None:
    done = run("steps", at("while-body"), "run", "until", "until", "print count")
    assert [mark_of(done.of("until", n)) for n in range(2)] == ["while", "while-end"], done.text
    assert value(done, "print count", 0) == "3"


RAISING = "stepped/raising_loops.py"
ENDED = f"The loop at {RAISING.rpartition('/')[2]}:{line_of(RAISING, 'scan')} has ended: "


def test_an_exception_that_leaves_an_inlined_function() -> None:
    """The thread stops in the caller's handler or, if the caller has none, where the caller was called."""
    commands = [at("raise", RAISING), "run", NEXT, at("raise", RAISING), "continue", NEXT, "jit bt"]
    done = run("", *commands, program=RAISING)
    assert done.of(NEXT).startswith(f"{ENDED}scan has ended; it was inlined, "), done.text
    assert mark_of(done.of(NEXT)) == "handler", done.text
    assert done.of(NEXT, 1).startswith(
        f"{ENDED}passed_on raised ValueError('a'); scan was inlined in it, and what that returned is not known.\n"
    ), done.text
    assert done.of("jit bt").startswith("#0  <module> ("), done.text
    assert mark_of(done.of(NEXT, 1)) == "call" and "wrapper" not in done.of(NEXT, 1), done.text


def test_an_exception_that_leaves_a_function() -> None:
    done = run("", at("far-raise", RAISING), "run", NEXT, program=RAISING)
    assert "has ended: far raised ValueError('too big').\n" in done.of(NEXT), done.text
    assert mark_of(done.of(NEXT)) == "far-call", done.text
