"""A process that runs is read by the kernel's ids of its threads: for every CPython of this machine, also those that
record no such ids (3.9, 3.10), and for a process in a PID namespace of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from jitscope.stacks.taking import Stacks
from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.stacks.taking import needs_library, running, state, until

# Threads that sleep, and one that counts how often its system call was interrupted. The main thread answers with that.
PROGRAM = """
import ctypes, json, os, select, sys, threading, time
epoll, room, ends, interrupted = select.epoll(), ctypes.create_string_buffer(16), [], 0
first, second = threading.Lock(), threading.Lock()
first.acquire(), second.acquire()
def counts():
    global interrupted
    while True:
        ctypes.CDLL(None).syscall(441, epoll.fileno(), room, 1, None, None, 0)  # epoll_pwait2
        interrupted += 1
def sleeps():
    time.sleep(10000)
def wants_first():
    first.acquire()
def wants_second():
    second.acquire()
def ended():
    pass
functions = [counts, sleeps, wants_first, ended, wants_second]
threads = [threading.Thread(target=function, daemon=True) for function in functions]
for thread in threads:
    thread.start()
threads[functions.index(ended)].join()
names = {thread.native_id: thread._target.__name__ for thread in threads if thread.is_alive()}
names[os.getpid()] = "<module>"
time.sleep(0.3)
print("ready", flush=True)
while True:
    sys.stdin.readline()
    print(json.dumps([interrupted, names]), flush=True)
"""


@pytest.fixture(autouse=True)
def _library() -> None:
    needs_library()


def python_names(thread: dict[str, Any]) -> list[str]:
    return [frame["name"].rsplit(".", 1)[-1] for frame in thread["frames"] if frame["kind"] == "python"]


def asked(process: subprocess.Popen[str]) -> tuple[int, dict[int, str]]:
    """Return how often the call of the program was interrupted, and the functions of its threads."""
    assert process.stdin and process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    interrupted, names = json.loads(process.stdout.readline())
    return interrupted, {int(thread): name for thread, name in names.items()}


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_threads_without_a_pause(interpreter: Interpreter) -> None:
    with running(interpreter.path, "-c", PROGRAM) as process:
        with Stacks(process.pid) as stacks:
            threads = stacks.take(pauses=False)["threads"]
        found = {thread["native_id"]: python_names(thread) for thread in threads}
        assert all(not thread["notes"] for thread in threads)
        assert asked(process) == (0, {thread: names and names[0] for thread, names in found.items()})


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_each_take_pauses_once(interpreter: Interpreter) -> None:
    with running(interpreter.path, "-c", PROGRAM) as process, Stacks(process.pid) as stacks:
        for count in range(1, 4):
            assert len(stacks.take(longest=10)["threads"]) == 5
            until(lambda: state(process.pid) == "S")
            assert asked(process)[0] == count


@pytest.mark.parametrize("interpreter", all_or_skips())
def test_a_process_in_another_namespace(interpreter: Interpreter) -> None:
    """It knows its threads by other ids, and one of them may be the id of another thread here."""
    command = ["unshare", "--pid", "--fork", "--kill-child"]
    if shutil.which("unshare") is None or subprocess.run([*command, "true"], capture_output=True).returncode:
        pytest.skip("unshare --pid is not allowed here")
    with running(*command, interpreter.path, "-c", PROGRAM) as process:
        (child,) = map(int, open(f"/proc/{process.pid}/task/{process.pid}/children").read().split())
        with Stacks(child) as stacks:
            threads = stacks.take(pauses=False)["threads"]
            paused = stacks.take(longest=10)["threads"]
        names = [python_names(thread)[0] for thread in threads]
        assert sorted(names) == ["<module>", "counts", "sleeps", "wants_first", "wants_second"]
        assert [python_names(thread)[0] for thread in paused] == names
