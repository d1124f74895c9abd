"""A variable before its assignment, and the kernel that runs, as GDB shows them."""

from __future__ import annotations

import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

pytestmark = pytest.mark.xdist_group("before-assignment")  # one GDB for all
PROGRAM = "before.py"
ENVIRONMENT = {"NUMBA_DEBUGINFO": "1", "NUMBA_NUM_THREADS": "1", "JITSCOPE_LEVEL": "steps"}


def at(mark: str) -> str:
    return f"tbreak {PROGRAM}:{line_of(PROGRAM, mark)}"


EMPTY, AFTER, IN_FILL, IN_QUICK = at("empty"), at("sizeless-end"), at("item"), at("quick")
BEFORE = [EMPTY, "run", "info locals", "jit locals", "print empty", "bt -full 1"]
LATER = [AFTER, "continue", "info locals"]
KERNEL = ["break total_of.prange", "continue", "jit locals", "jit why total", "delete"]
ITEMS = [IN_FILL, "continue", "bt 1", "jit locals", "jit functions -types ^fill"]
FAST = [IN_QUICK, "continue", "jit why product"]


@pytest.fixture(scope="module")
def shown() -> Transcript:
    return harness.run([*BEFORE, *LATER, *KERNEL, *ITEMS, *FAST], program=PROGRAM, env=ENVIRONMENT)


def sections(shown: Transcript, command: str) -> list[str]:
    return [text for name, text in shown.sections if name == command]


def test_a_type_without_a_size(shown: Transcript) -> None:
    before, after = sections(shown, "info locals")
    assert "empty = <optimized out>" in before and "nested = <optimized out>" in before, shown.text
    assert "empty = <unassigned>" in sections(shown, "jit locals")[0], shown.text
    assert "<optimized out>" in shown.of("print empty")
    assert "empty = <optimized out>" in shown.of("bt -full 1")
    assert "empty = ()" in after and "nested = ((), ())" in after, shown.text


def test_a_sum_at_the_header(shown: Transcript) -> None:
    """The variable was assigned above the loop, and is not the worker's own sum."""
    assert "total = <optimized out>" in sections(shown, "jit locals")[1], shown.text
    assert "this worker of the parallel loop has not assigned it yet" in shown.of("jit why total"), shown.text


def test_a_kernel_that_calls_functions_in_two_forms(shown: Transcript) -> None:
    assert "fill.prange (items=ListType[float64]([1.0, 3.0]))" in shown.of("bt 1"), shown.text
    assert "index = 0" in sections(shown, "jit locals")[2], shown.text
    types = re.findall(r"^    index +: (\w+)", shown.of("jit functions -types ^fill"), re.M)
    assert len(types) > 1 and set(types) == {"uint64"}, shown.text


def test_steps_that_somebody_asked_for_with_fastmath(shown: Transcript) -> None:
    said = "quick computes with fastmath flags at level steps, and its results may differ"
    assert shown.text.count(said) == 1, shown.text
    assert "LLVM may reorder the arithmetic" in shown.of("jit why product"), shown.text


def test_before_a_parallel_loop() -> None:
    """A variable that Numba has moved into the loop's body is shown as not kept."""
    program = "gather_first.py"
    commands = ["break first", "run", "jit locals", "jit why total", "jit why w", "next", "jit why total", "next"]
    done = harness.run([*commands, "jit locals"], program=program, env={"JITSCOPE_LEVEL": "steps"})
    told = dict(line.split(" = ", 1) for line in done.of("jit locals").splitlines())
    assert [told[name] for name in ("b", "total", "i", "w")] == ["<unassigned>"] * 4, done.text
    for command in ("jit why total", "jit why w"):
        assert " is unassigned: no statement on the way here has assigned it yet" in done.of(command), done.text
    assert "total = 0.0" in done.of("jit locals", 1), done.text


def test_the_names_of_a_parallel_loop_at_its_header() -> None:
    """Python has the names unassigned when it reaches the loop: the iterations are the workers', and none has begun."""
    program = "prange_header.py"
    first, again = (f"tbreak {program}:{line_of(program, mark)}" for mark in ("first", "again"))
    commands = ["set breakpoint pending on", first, "run", "jit locals", again, "continue", "jit locals"]
    commands += ["next", "next", "frame", "jit locals"]
    done = harness.run(commands, program=program, env={"NUMBA_NUM_THREADS": "2", "JITSCOPE_LEVEL": "steps"})
    assert done.of("frame").endswith("# at: again"), done.text
    first, again, second = sections(done, "jit locals")
    for name in "itnku":
        assert f"{name} = <unassigned>" in first, done.text
    for name in "it":  # Python has their last value
        assert f"{name} = <optimized out>" in again, done.text
    for name in "ku":  # when the loop runs again, Python has values of the first run
        assert f"{name} = <unassigned>" not in second, done.text
