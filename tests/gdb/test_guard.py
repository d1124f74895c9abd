"""JITSCOPE_GUARD: the first wrong access stops at its line, and the note names the array, or who has freed it."""

from __future__ import annotations

import functools
import os
import pathlib
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
    assert "SIGSEGV" in said and f"fill (a=array(float64, shape=(4,)), n=5) at {PROGRAM.parent}/{at('past')}" in said
    assert "axis 0 of `a` (4 elements): address 0x" in said and "is 1 byte past the end of its data" in said, said


@pytest.mark.parametrize("level", ["", "exact"])
def test_a_write_past_the_end_of_an_array_of_compiled_code_stops_at_its_line(level: str) -> None:
    said = shown("own", level=level)
    assert "SIGSEGV" in said and f"{at('own')}\n" in said, said
    assert "7 is outside axis 0 of `b` (7 elements)" in said.replace("index 7 (`k`)", "7"), said


def test_a_read_from_an_array_without_elements_names_it(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "empty.py"
    text = (
        "import numpy as np\nfrom numba import njit\n\n@njit\ndef first(a):\n    return a[0]\n\nfirst(np.array([]))\n"
    )
    program.write_text(text, encoding="utf-8")
    said = harness.run(["run"], program=program, env=ON).of("run")
    assert "SIGSEGV" in said and "past the end of an array of at most 1 byte, made at empty.py:8" in said, said


def test_a_read_from_an_array_without_elements_of_compiled_code_stops(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "empty.py"
    text = "import numpy as np\nfrom numba import njit\n\n@njit\ndef first(n):\n    a = np.zeros(n)\n    return a[n]\n"
    program.write_text(f"{text}\nfirst(0)\n", encoding="utf-8")
    said = harness.run(["run"], program=program, env=ON).of("run")
    assert "SIGSEGV" in said and "past the end of an array of 0 bytes, made at empty.py:6" in said, said


@pytest.mark.parametrize("place", ["grve", "guarded.py:1"])
def test_a_place_that_makes_no_array_is_reported(place: str) -> None:
    env = {**os.environ, "JITSCOPE_GUARD": place}
    done = subprocess.run([newest_python(), PROGRAM, "none"], env=env, capture_output=True, text=True, check=False)
    where = f"at {place}" if ":" in place else f"in a function that is called {place}"
    said = f"jitscope: JITSCOPE_GUARD: no array was guarded, as none was made {where}"
    assert done.stderr.splitlines() == [said], done.stderr


def test_a_write_just_before_the_start_is_found_when_the_array_is_freed() -> None:
    said = shown("before")
    assert "jitscope: memory of 40 bytes is freed, and bytes before it were overwritten" in said, said
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


def test_a_text_is_no_array() -> None:
    said = shown("text")
    assert "memory was freed in text (an object of 6 bytes, made at " in said and "an array" not in said, said


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


def test_without_debug_information_memory_is_described_by_its_place() -> None:
    said = shown("far", level="stock")
    found = (
        rf"address 0x\w+ is \d+ bytes (past the end|before the memory) of an array of 40 bytes, made at {at('given')}"
    )
    assert re.search(found, said), said
    said = shown("freed", level="stock")
    found = rf"address 0x\w+ is in memory that was freed at {at('end')} \(an array of 40 bytes, made at {at('given')}\)"
    assert re.search(found, said), said


def test_memory_that_is_freed_twice_names_the_line_that_freed_it_first() -> None:
    said = shown("twice")
    assert "jitscope: memory of 40 bytes is freed that was freed before" in said, said
    found = f"an array of 40 bytes, made at {at('given')}, is freed twice: it was freed at {at('first')} before"
    assert found in said.splitlines(), said


def test_damaged_memory_that_is_no_arrays_is_not_said_to_be_found_by_a_guard(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(
        "import ctypes, numba\nnumba.njit(lambda x: x)(1)\n"
        "libc = ctypes.CDLL(None)\nlibc.malloc.restype = ctypes.c_void_p\nlibc.free.argtypes = [ctypes.c_void_p]\n"
        "block = libc.malloc(100000)\nlibc.free(block + 16)\n",
        encoding="utf-8",
    )
    said = harness.run(["run"], program=path, env=ON).of("run")
    found = "free() has found that the heap is damaged, though arrays are guarded: an earlier write went elsewhere"
    assert f"{found}, such as into a list or a dict" in said.splitlines(), said


# -- without GDB


def run(how: str, **env: str) -> str:
    done = subprocess.run(
        [newest_python(), PROGRAM, how], env={**os.environ, **env}, capture_output=True, text=True, timeout=120
    )
    return done.stdout + done.stderr


def test_a_right_program_has_the_same_results() -> None:
    assert run("none", JITSCOPE_GUARD="1") == run("none") == "20.0 1.0 0.0\n"


def test_right_programs_have_the_same_results_and_counts() -> None:
    """Parallel loops, reductions, lists, dicts, a jitclass, texts, generators, records, threads and a forked child."""
    plain, guarded = (
        subprocess.run(
            [newest_python(), harness.PROGRAMS / "guarded_right.py"],
            env={**os.environ, "NUMBA_NRT_STATS": "1", "JITSCOPE_GUARD": guard},
            capture_output=True,
            text=True,
            timeout=300,
        ).stdout
        for guard in ("0", "1")
    )
    assert "nrt_mstats(alloc=" in plain and "child" in plain and plain == guarded


def said_by(code: str, guard: str = "1") -> str:
    env = {**os.environ, "JITSCOPE_GUARD": guard}
    done = subprocess.run([newest_python(), "-c", code], env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done
    return done.stdout + done.stderr


def test_where_the_system_gives_no_more_memory_areas_a_line_says_so_once() -> None:
    said = said_by(
        "import numba, numpy as np\nkept = [np.ones(3) for _ in range(80000)]\nprint(sum(map(np.sum, kept)))\n"
    )
    assert re.fullmatch(
        r"240000\.0\njitscope: \d+ arrays are guarded, as many as vm\.max_map_count lets; others are not until some "
        r"are freed: JITSCOPE_GUARD=FUNCTION guards fewer\n",
        said,
    ), said


LIMIT = """
import resource
import numpy as np
from jitscope import guarding
room = [np.ones(1000) for _ in range(100)]
def limit():
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used, used))
"""


def test_where_the_system_gives_no_addresses_the_program_runs_on() -> None:
    said = said_by(LIMIT + "guarding.runtime.library()\nlimit()\nprint(guarding.begin(), np.ones(3).sum())")
    assert said == "False 3.0\njitscope: arrays are not guarded: the system gives no addresses for them\n"


def test_an_array_for_which_there_are_no_addresses_is_not_guarded() -> None:
    said = said_by(LIMIT + "print(guarding.begin())\nroom.pop()\nlimit()\nprint(np.ones(1000).sum())")
    assert said == (
        "True\n1000.0\njitscope: an array of 8000 bytes is not guarded, as the system gives no addresses for it\n"
    )


def test_a_handler_that_is_another_one_is_left_alone() -> None:
    said = said_by("from jitscope import guarding\nprint(guarding.begin(), guarding.begin.__wrapped__())")
    assert said == ("True True\njitscope: arrays are not guarded: those of NumPy: its default handler is another one\n")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ('del helpers["MemInfo_alloc_dtor"]', "this Numba has no NRT_MemInfo_alloc_dtor"),
        (
            'helpers["MemInfo_alloc_safe_aligned_external"] = helpers["MemInfo_alloc_safe_aligned"]',
            "this Numba's MemInfo is laid out otherwise",
        ),
    ],
)
def test_a_numba_that_is_not_known_is_left_alone(change: str, reason: str) -> None:
    said = said_by(
        "import numba, numpy as np\nfrom numba.core.runtime import _nrt_python\n"
        f"helpers = _nrt_python.c_helpers\n{change}\n"
        "print(numba.njit(lambda n: n + 1)(3))\n"
    )
    assert said == f"4\njitscope: arrays that compiled code makes are not guarded: {reason}\n"
