"""A system call that a pause has interrupted goes on, as restart_syscall(2) if it waits for a time: it keeps its
name in later takes of the stacks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jitscope.stacks.taking import Stacks
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import needs_library, running, state, until

# Each function waits in another way; those with a time go on after an interruption.
PROGRAM = """
import ctypes, json, os, queue, select, signal, socket, sys, threading, time
libc = ctypes.CDLL(None)
long_time = (ctypes.c_long * 2)(100000, 0)
until = (ctypes.c_long * 2)(int(time.time()) + 100000, 0)
semaphore, lock, pair = ctypes.create_string_buffer(64), threading.Lock(), socket.socketpair()
polled = (ctypes.c_int * 2)(pair[0].fileno(), 1)
libc.sem_init(semaphore, 0, 0)
lock.acquire()
def sleeps(): time.sleep(100000)
def nanosleeps(): libc.nanosleep(long_time, None)
def clock_nanosleeps(): libc.clock_nanosleep(1, 0, long_time, None)
def usleeps(): libc.usleep(ctypes.c_uint(4000000000))
def polls():
    poll = select.poll(); poll.register(pair[0], select.POLLIN); poll.poll()
def polls_for_a_time():
    poll = select.poll(); poll.register(pair[0], select.POLLIN); poll.poll(100000000)
def polls_in_c(): libc.poll(polled, 1, 100000000)
def ppolls_in_c(): libc.ppoll(polled, ctypes.c_long(1), long_time, None)
def selects(): select.select([pair[0]], [], [], 100000)
def epolls(): select.epoll().poll(100000)
def takes_a_semaphore(): libc.sem_wait(semaphore)
def takes_a_semaphore_for_a_time(): libc.sem_timedwait(semaphore, until)
def takes_a_lock(): lock.acquire()
def takes_a_lock_for_a_time(): lock.acquire(timeout=100000)
def gets_an_item(): queue.Queue().get(timeout=100000)
def waits_for_a_signal(): signal.sigtimedwait([signal.SIGUSR1], 100000)
def reads(): os.read(os.pipe()[0], 1)
def receives_for_a_time(): pair[0].settimeout(100000); pair[0].recv(1)
functions = [sleeps, nanosleeps, clock_nanosleeps, usleeps, polls, polls_for_a_time, polls_in_c, ppolls_in_c,
             selects, epolls, takes_a_semaphore, takes_a_semaphore_for_a_time, takes_a_lock, takes_a_lock_for_a_time,
             gets_an_item, waits_for_a_signal, reads, receives_for_a_time]
threads = [threading.Thread(target=function, daemon=True) for function in functions]
for thread in threads:
    thread.start()
print("ready", flush=True)
sys.stdin.readline()
print(json.dumps({thread.native_id: thread._target.__name__ for thread in threads}), flush=True)
sys.stdin.readline()
"""
# The calls of some of them, which do not depend on the version of CPython.
CALLS = {"nanosleeps": "clock_nanosleep", "clock_nanosleeps": "clock_nanosleep", "usleeps": "clock_nanosleep",
         "polls_in_c": "poll", "ppolls_in_c": "ppoll", "epolls": "epoll_wait", "reads": "read",
         "takes_a_semaphore": "futex", "takes_a_semaphore_for_a_time": "futex", "takes_a_lock": "futex",
         "takes_a_lock_for_a_time": "futex", "waits_for_a_signal": "rt_sigtimedwait"}  # fmt: skip


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_each_take_says_the_same(interpreter: Interpreter) -> None:
    needs_library()
    with running(interpreter.path, "-c", PROGRAM) as process, Stacks(process.pid) as stacks:
        assert process.stdin and process.stdout
        process.stdin.write("\n")
        process.stdin.flush()
        names = {int(thread): name for thread, name in json.loads(process.stdout.readline()).items()}
        until(lambda: all(state(process.pid, thread) == "S" for thread in names))
        taken = [said(stacks, names) for _ in range(4)]
    assert taken[1:] == taken[:1] * 3
    assert {name: taken[0][name][1] for name in CALLS} == CALLS
    words = {name: does.partition(", called by")[0] for name, (does, call, _) in taken[0].items() if call != "futex"}
    assert words == {name: f"in {call}" for name, (_, call, _) in taken[0].items() if call != "futex"}


@pytest.mark.parametrize("interpreter", all_or_skips())
@pytest.mark.parametrize("waits", ["time.sleep(100000)", "select.poll().poll(100000000)"])
def test_a_process_of_one_thread(interpreter: Interpreter, waits: str) -> None:
    """The C library makes its calls in another way there."""
    needs_library()
    program = f"import select, time; print('ready', flush=True); {waits}"
    with running(interpreter.path, "-c", program) as process, Stacks(process.pid) as stacks:
        until(lambda: state(process.pid) == "S")
        taken = [said(stacks, {process.pid: waits}) for _ in range(3)]
    assert taken[1:] == taken[:1] * 2
    assert taken[0][waits][1] in ("clock_nanosleep", "poll", "ppoll", "select", "pselect6")


def said(stacks: Stacks, names: dict[int, str]) -> dict[str, tuple[str, str, Any]]:
    """Return what each function does, its system call, and what it waits for."""
    return {
        names[thread["native_id"]]: (thread["does"], thread["system_call"], thread["waits_for"])
        for thread in stacks.take(longest=10)["threads"]
        if thread["native_id"] in names
    }
