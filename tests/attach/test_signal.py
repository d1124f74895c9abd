"""A debugger that attaches on a signal, at any place of the program."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time

import pytest

from tests.attach.terminal import PROMPT, ask, clean, on_terminal, program, wait_until_alone
from tests.gdb.harness import environment
from tests.interpreters import first_gdb, newest_python

STOP = r"hit jitscope\.breakpoint\(\), .*"


@pytest.mark.parametrize("busy", ["compiled", "malloc", "python"])
def test_the_signal_attaches(busy: str) -> None:
    """The signal attaches in compiled code that holds the GIL, in malloc with its lock held, in the interpreter, and
    once more."""
    with on_terminal(program("signalled.py", busy)) as child:
        child.expect("ready")
        for _ in range(2):
            time.sleep(0.5)  # the program is in its work again
            os.kill(child.pid, signal.SIGUSR1)
            child.expect_exact(PROMPT)
            first = clean(child.before)
            assert re.search(STOP, first), first
            stack = ask(child, "jit bt")
            assert re.search(r"^#\d+ +main \(\) at .*signalled\.py:\d+ \[py\]", stack, re.M), stack
            if busy != "python":
                assert re.search(r"^#\d+ +(compiled|allocate) \(.*\) at .*signalled\.py:\d+", stack, re.M), stack
            assert not re.search(r"\b(handle|attach_run|jitscope_\w+) \(", stack), stack
            assert re.search(r"^#\d+ +handle \(", ask(child, "jit bt -all"), re.M)
            assert "detached" in ask(child, "detach")
            child.sendline("quit")
            wait_until_alone(child)


def test_a_second_signal_only_stops() -> None:
    with on_terminal(program("signalled.py", "compiled")) as child:
        child.expect("ready")
        os.kill(child.pid, signal.SIGUSR1)
        child.expect_exact(PROMPT)
        ask(child, "handle SIGUSR1 nostop noprint pass")
        child.sendline("continue")
        child.expect("Continuing")
        os.kill(child.pid, signal.SIGUSR1)
        child.expect_exact(PROMPT)
        assert re.search(STOP, clean(child.before)), child.before
        ask(child, "set confirm off")
        child.sendline("kill")


def test_without_gdb_it_is_said_at_once() -> None:
    code = "import jitscope\ntry:\n    jitscope.attach_on(10)\nexcept OSError as error:\n    print(error)"
    env = environment({"JITSCOPE_GDB": "/nowhere/gdb"})
    done = subprocess.run([newest_python(), "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("jitscope: JITSCOPE_GDB names /nowhere/gdb, which does not exist"), done


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "jitscope: 0 is not the number of a signal"),
        (65, "jitscope: 65 is not the number of a signal"),
        (9, "jitscope: a program cannot handle signal 9"),
    ],
)
def test_a_signal_that_cannot_be_handled(number: int, said: str) -> None:
    code = f"import jitscope\ntry:\n    jitscope.attach_on({number})\nexcept OSError as error:\n    print(error)"
    env = environment({"JITSCOPE_GDB": first_gdb()})
    done = subprocess.run([newest_python(), "-c", code], env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout == f"{said}\n", done


# Takes all memory but the room for a message.
NO_MEMORY = """
import ctypes
import resource

import jitscope
from jitscope import stops

def attach(number):
    try:
        jitscope.attach_on(number)
    except OSError as error:
        print(error)

attach(0)  # what the call itself makes once is there now
malloc = ctypes.CDLL(None).malloc
malloc.restype = ctypes.c_void_p
room = ctypes.create_string_buffer(stops._MESSAGE_SIZE)
resource.setrlimit(resource.RLIMIT_AS, (0, resource.RLIM_INFINITY))
for size in (*(1 << n for n in range(30, 9, -1)), 800):
    while malloc(size):
        pass
del room
attach(10)
"""


def test_a_signal_without_memory() -> None:
    env = environment({"JITSCOPE_GDB": first_gdb()})
    done = subprocess.run([newest_python(), "-c", NO_MEMORY], env=env, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[1:] == ["jitscope: 10 cannot be handled: there is no memory"], done
