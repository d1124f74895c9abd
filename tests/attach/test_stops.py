"""A program that requests its debugger, on a terminal: the place of the stop, and that the program runs on."""

from __future__ import annotations

import re
import subprocess

import pexpect
import pytest

from tests.attach.terminal import PROMPT, ask, clean, on_terminal, program
from tests.gdb.harness import line_of
from tests.interpreters import first_gdb, gdbs, newest_python

GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])


def place(mark: str, name: str = "asks.py") -> str:
    return rf"at .*{name}:{line_of(name, mark)}\b"


@GDBS
def test_compiled_code_stops_on_its_line(gdb: str) -> None:
    with on_terminal(program("asks.py", "compiled", "123"), gdb=gdb) as child:
        child.expect_exact(PROMPT)
        first = clean(child.before)
        assert re.search(rf"hit jitscope\.breakpoint\(\), compiled \(a=123\) {place('attach')}$", first, re.M), first
        assert re.search(rf"^{line_of('asks.py', 'attach')}\t +jitscope\.attach\(\)", first, re.M), first
        assert "poll" not in first, first
        assert re.search(rf"#0 .*compiled \(a=123\) {place('attach')}", ask(child, "bt 1"))
        assert "b = 124" in ask(child, "info locals")
        after = ask(child, "next")
        assert re.match(rf"{line_of('asks.py', 'after')}\t|{line_of('asks.py', 'second')}\t", after), after
        second = ask(child, "continue")
        assert re.search(rf"compiled \(.*\) {place('second')}$", second, re.M), second
        third = ask(child, "continue")
        assert re.search(rf"compiled \(.*\) {place('if')}$", third, re.M), third
        child.sendline("continue")
        child.expect(r"result 499911\.82")
        child.expect("exited normally")
        child.expect(pexpect.EOF)


@GDBS
def test_interpreted_code_stops_on_its_line(gdb: str) -> None:
    with on_terminal(program("asks.py", "interpreted", "5"), gdb=gdb) as child:
        child.expect_exact(PROMPT)
        first = clean(child.before)
        assert re.search(rf"hit .*\binterpreted \(\) {place('interpreted')}", first), first
        assert re.search(rf"^{line_of('asks.py', 'interpreted')}\t +jitscope\.attach\(\)", first, re.M), first
        assert "_PyEval_EvalFrameDefault" in ask(child, "frame")
        again = ask(child, "continue")
        assert re.search(rf"{place('again')}", again), again
        child.sendline("continue")
        child.expect("result")
        child.expect("exited normally")


@GDBS
def test_object_mode_stops_on_its_line(gdb: str) -> None:
    with on_terminal(program("asks.py", "objects", "5"), gdb=gdb) as child:
        child.expect_exact(PROMPT)
        first = clean(child.before)
        assert re.search(rf"hit jitscope\.breakpoint\(\), objects \(a=.*\) {place('objects')}$", first, re.M), first
        assert re.search(rf"^{line_of('asks.py', 'objects')}\t +jitscope\.attach\(\)", first, re.M), first
        ask(child, f"tbreak asks.py:{line_of('asks.py', 'lifted')}")
        ask(child, "continue")
        stack = ask(child, "jit bt").splitlines()  # Numba lifts the loop: the outer function calls it
        places = [place("lifted"), place("loop"), place("main"), place("module")]
        assert [bool(re.search(at, line)) for at, line in zip(places, stack)] == [True] * 4 and len(stack) == 4, stack
        second = ask(child, "continue")
        assert re.search(rf"hit jitscope\.breakpoint\(\), objects \(a=.*\) {place('object again')}$", second, re.M), (
            second
        )
        ask(child, f"break asks.py:{line_of('asks.py', 'returned')}")
        last = ask(child, "continue")
        assert re.search(rf"hit Breakpoint 2.*, objects \(a=.*\) {place('returned')}$", last, re.M), last
        child.sendline("continue")
        child.expect(r"result \[5, None, '5', '5'\]")
        child.expect("exited normally")


def test_object_mode_is_left_alone_on_request() -> None:
    """Numba itself writes no lines for object mode, which is reported."""
    env = {"JITSCOPE": "0", "NUMBA_GDB_BINARY": first_gdb()}
    with on_terminal(program("asks.py", "objects", "5"), env=env) as child:
        child.expect_exact(PROMPT)
        first = clean(child.before)
        assert re.search(r"hit .*\bobjects \(\).* \[it was compiled without line information\]", first), first


@GDBS
def test_each_worker_of_a_parallel_loop_stops(gdb: str) -> None:
    with on_terminal(program("asks.py", "parallel", "8"), gdb=gdb, env={"NUMBA_NUM_THREADS": "4"}) as child:
        child.expect_exact(PROMPT)
        first = clean(child.before)
        assert re.search(rf"parallel\.prange \(.*\) {place('parallel')}", first), first
        second = ask(child, "continue")
        assert re.search(rf"parallel\.prange \(.*\) {place('parallel')}", second), second
        child.sendline("continue")
        child.expect("result 28")
        child.expect("exited normally")


def test_the_program_goes_on_when_gdb_leaves() -> None:
    with on_terminal(program("asks.py", "compiled", "123")) as child:
        child.expect_exact(PROMPT)
        child.sendline("quit")
        child.expect(r"result 499911\.82")


def test_without_a_debugger_the_stops_do_nothing() -> None:
    code = "import jitscope\nprint(jitscope.breakpoint(), jitscope.breakpoint_if(True))"
    done = subprocess.run([newest_python(), "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("None None\n", "", 0)
