"""JITSCOPE_GUARD: the first wrong access stops at its line, and the note names the array, or who has freed it."""

from __future__ import annotations

import functools
import os
import re
import subprocess

import pytest

from tests.gdb import harness
from tests.interpreters import newest_python

PROGRAM = harness.PROGRAMS / "guarded.py"
ON = {"JITSCOPE_LEVEL": "", "JITSCOPE_GUARD": "1", "NUMBA_BOUNDSCHECK": "0"}


@functools.cache
def shown(how: str, guard: str = "1", level: str = "") -> str:
    env = {**ON, "JITSCOPE_GUARD": guard, "JITSCOPE_LEVEL": level}
    return harness.run(["run"], program=PROGRAM, arguments=[how], env=env).of("run")


def at(mark: str) -> str:
    return f"guarded.py:{harness.line_of(PROGRAM, mark)}"


@pytest.mark.parametrize("level", ["", "exact"])
def test_a_write_past_the_end_of_an_argument_stops_at_its_line(level: str) -> None:
    said = shown("past", level=level)
    assert "SIGSEGV" in said and f"fill (a=array(float64, shape=(5,)), n=6) at {PROGRAM.parent}/{at('past')}" in said
    assert "axis 0 of `a` (5 elements): address 0x" in said and "is 1 byte past the end of its data" in said, said


@pytest.mark.parametrize("level", ["", "exact"])
def test_a_write_past_the_end_of_an_array_of_compiled_code_stops_at_its_line(level: str) -> None:
    said = shown("own", level=level)
    assert "SIGSEGV" in said and f"{at('own')}\n" in said, said
    assert "7 is outside axis 0 of `b` (7 elements)" in said.replace("index 7 (`k`)", "7"), said


def test_a_write_just_before_the_start_is_found_when_the_array_is_freed() -> None:
    said = shown("before")
    assert "jitscope: an array of 40 bytes is freed, and bytes before it were overwritten" in said, said
    where = rf"went before the start of an array of 40 bytes, made at {at('given')}: address 0x\w+, 8 bytes before "
    assert re.search(where + r"its data, was overwritten; run with NUMBA_BOUNDSCHECK=1 and `jit catch", said), said


def test_a_write_far_before_the_start_stops_at_its_line() -> None:
    said = shown("far")
    assert "SIGSEGV" in said and at("before") in said and "outside axis 0 of `v` (5 elements)" in said, said


def test_a_read_after_the_array_was_freed_names_the_line_that_has_freed_it() -> None:
    said = shown("freed")
    assert "SIGSEGV" in said and at("freed") in said, said
    found = rf"the memory of `v` was freed at {at('end')}: address 0x\w+ is in it \(an array of 40 bytes, made at "
    assert re.search(found + at("given"), said), said


def test_a_reference_count_that_is_used_after_the_memory_was_freed_names_the_variable() -> None:
    said = shown("nested")
    found = (
        "the reference count of `inner` is used after its memory was freed in nested (an array of 40 bytes, made at "
    )
    assert f"{found}{at('inner')})" in said, said


def test_a_generator_that_has_lost_its_array_is_explained() -> None:
    said = shown("generator")
    assert at("resumed") in said and "the memory of `w` was freed in late: address" in said, said
    assert f"made at {at('late')})" in said, said


@pytest.mark.parametrize("guard", ["give", "fill", f"guarded.py:{harness.line_of(PROGRAM, 'given')}"])
def test_arrays_that_are_not_chosen_are_not_guarded(guard: str) -> None:
    assert "SIGSEGV" not in shown("past", guard=guard)


@pytest.mark.parametrize("guard", ["own", "guarded.py:made"])
def test_arrays_of_a_chosen_function_or_line_are_guarded(guard: str) -> None:
    said = shown("own", guard=guard.replace("made", str(harness.line_of(PROGRAM, "made"))))
    assert "SIGSEGV" in said and "outside axis 0 of `b` (7 elements)" in said, said


def test_a_chosen_line_of_python_guards_what_numpy_makes_there() -> None:
    assert "outside axis 0 of `v`" in shown("far", guard=at("given"))
    assert "went before" not in shown("before", guard=at("made"))


def test_without_debug_information_the_array_is_described() -> None:
    said = shown("own", level="stock")
    assert re.search(r"address 0x\w+ is 1 byte past the end of an array of 56 bytes, made in own$", said, re.M), said


def run(how: str, **env: str) -> str:
    done = subprocess.run(
        [newest_python(), PROGRAM, how], env={**os.environ, **env}, capture_output=True, text=True, timeout=120
    )
    return done.stdout + done.stderr


def test_a_right_program_has_the_same_results() -> None:
    assert run("none", JITSCOPE_GUARD="1") == run("none") == "20.0 1.0 0.0\n"


def test_where_the_system_gives_no_more_memory_areas_a_line_says_so_once() -> None:
    code = "import numba, numpy as np\nkept = [np.ones(3) for _ in range(80000)]\nprint(sum(map(np.sum, kept)))\n"
    env = {**os.environ, "JITSCOPE_GUARD": "1"}
    done = subprocess.run([newest_python(), "-c", code], env=env, capture_output=True, text=True, timeout=300)
    assert done.stdout == "240000.0\n", done
    assert re.fullmatch(
        r"jitscope: \d+ arrays are guarded, as many as vm\.max_map_count lets; others are not until some are freed: "
        r"JITSCOPE_GUARD=FUNCTION guards fewer\n",
        done.stderr,
    ), done
