"""Messages about compiled functions as Numba optimises them without jitscope's hook, some of them without debug
information."""

from __future__ import annotations

import pathlib
import subprocess

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript

PROGRAM = """\
import ctypes

import numpy as np
from numba import carray, cfunc, njit, types

library = ctypes.CDLL("COUNTED")
counted = 2.0


@njit
def bare(n):
    return n + 1


@njit(debug=True)
def doubled(a, n):
    for i in range(n):  # line 17
        a[i] = a[i] * counted
    return a[0]


bare(1)
doubled(np.ones(8), 8)
ctypes.CDLL("SOUGHT").sought()


@cfunc(types.double(types.CPointer(types.double), types.intc), debug=True)
def borrowed(p, n):
    view = carray(p, n)
    return view[0] + view.shape[0]  # line 30


borrowed.ctypes((ctypes.c_double * 2)(1.0, 2.0), 2)
"""
# A library with a compiler whose objects have a format of their own, which it registers with GDB.
SOUGHT = """\
struct entry { struct entry *next, *previous; const char *object; unsigned long size; };
struct { unsigned version, action; struct entry *relevant, *first; } __jit_debug_descriptor = {1};
void __attribute__((noinline)) __jit_debug_register_code(void) { __asm__ volatile(""); }
int sought(void)
{
    static struct entry entry = {0, 0, "a format of its own", 19};
    __jit_debug_descriptor.action = 1;
    __jit_debug_descriptor.relevant = __jit_debug_descriptor.first = &entry;
    __jit_debug_register_code();
    return 3;
}
"""
CURE = "run the program with NUMBA_DEBUGINFO=1, or write debug=True in its @njit"
NO_CATCH = "$jit_exception() is for a stop of `jit catch`"
IN_BARE = [
    ("jit break -list", "1  bare, which has no lines, hit 1 time"),
    ("jit status",
     "missing: no compiled function has debug information: names only, no variables or lines: compile with "
     "@njit(debug=True) or NUMBA_DEBUGINFO=1 in the program's environment"),
    ("jit why 3", "the selected frame has no source file: type `jit why FILE:LINE`"),
    ("jit next-iteration", f"bare has no line numbers; {CURE}"),
    ("print $jit_exception()", f"no exception is here: {NO_CATCH}"),
    ("break bare if $rax == getpid()",
     "`$rax == getpid()` calls a function of the program, which a condition may not do"),
]  # fmt: skip
AFTERWARDS = [
    ("jit array view", "owner      none: references to its memory are not counted"),
    ("jit finish", "this frame has no caller to return to"),
    ("jit next-iteration",
     "only the source shows where a loop begins, and stock.py is missing or newer than the process"),
    ("jit bt", "the selected thread is running"),
    ("jit locals", "no frame: the thread is running or has gone"),
]  # fmt: skip


def library(folder: pathlib.Path, name: str, code: str, *options: str) -> str:
    """Make a C library, and return its path."""
    source, made = folder / f"{name}.c", folder / f"lib{name}.so"
    source.write_text(code)
    subprocess.run(["gcc", *options, "-shared", "-fPIC", source, "-o", made], check=True)
    return str(made)


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    folder = tmp_path_factory.mktemp("stock")
    program = folder / "stock.py"
    sought = library(folder, "sought", SOUGHT)
    counted = library(folder, "counted", "int counted = 5;\n", "-g")
    program.write_text(PROGRAM.replace("SOUGHT", sought).replace("COUNTED", counted), encoding="utf-8")
    return harness.run(
        [
            "jit break bare", "break sought if n > 3", "run", *(command for command, _ in IN_BARE),
            "break stock.py:17", "continue", "display a.size", "display counted", "undisplay",
            "break stock.py:30", "continue", "continue",
            "jit array view", "set backtrace limit 1", "jit finish", "set backtrace limit unlimited",
            f"shell rm {program}", "jit next-iteration", "jit bt 1", "continue &", "jit bt", "jit locals",
        ],
        program=program,
        env={"NUMBA_OPT": "0"},
    )  # fmt: skip


@pytest.mark.parametrize(("command", "text"), IN_BARE)
def test_in_a_function_without_debug_information(stock: Transcript, command: str, text: str) -> None:
    assert stock.of(command).splitlines()[-1] == text


@pytest.mark.parametrize(("command", "text"), AFTERWARDS)
def test_in_the_last_function(stock: Transcript, command: str, text: str) -> None:
    assert text in stock.of(command, -1).splitlines()


def test_a_condition_that_c_cannot_read(stock: Transcript) -> None:
    """The function of a library that has come is in C."""
    why = 'No symbol "n" in current context'
    said = [line for line in stock.text.splitlines() if line.startswith("jitscope: ") and "`n > 3`" in line]
    assert said == [
        f"jitscope: the condition `n > 3` cannot be evaluated, so this stops: {why}.",
        f"jitscope: breakpoint 2 stops from now on only in compiled Python, since C cannot read `n > 3` ({why})",
    ]


def test_an_object_in_a_format_that_is_not_known(stock: Transcript) -> None:
    text = "jitscope: GDB reads a compiled object without corrections: js_program_add: malformed"
    assert stock.text.splitlines().count(text) == 1


def test_displays_that_gdb_cannot_make(stock: Transcript) -> None:
    text = 'jitscope: `$jit("a.size")` is displayed instead of display 1: GDB has no `a.size`'
    assert stock.of("display a.size").splitlines() == [text, '2: $jit("a.size") = 8']
    text = 'jitscope: `$jit("counted")` is displayed instead of display 3: GDB has found a C library\'s `counted`'
    assert stock.of("display counted").splitlines()[1:] == [text, '4: $jit("counted") = 2']
