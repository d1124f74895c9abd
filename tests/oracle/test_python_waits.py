"""Objects that threads of Python wait for, by where they sleep: for every CPython of this machine, without a
debugger."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.oracle.python_stacks.memory import Memory
from tests.oracle.python_stacks.reader import EARG, Failed, Reader
from tests.oracle.python_stacks.sleeping import asleep, settle
from tests.oracle.python_stacks.target import running

PROGRAM = r"""
import json, os, queue, subprocess, sys, threading, time

rlock, lock, condition, event = threading.RLock(), threading.Lock(), threading.Condition(), threading.Event()
plain_condition, semaphore = threading.Condition(threading.Lock()), threading.Semaphore(0)
items, simple, pipe, arrived = queue.Queue(), queue.SimpleQueue(), os.pipe(), threading.Semaphore(0)
ids = {}


def holder():
    with rlock, lock, condition:
        plain_condition._lock.acquire()
        here()
        time.sleep(1000)


def here():
    ids[sys._getframe(1).f_code.co_name] = threading.get_native_id(), threading.get_ident()
    arrived.release()


def with_rlock():
    here(); rlock.__enter__()
def acquires_rlock():
    here()
    with rlock:
        pass
def acquires_for_a_time():
    here(); rlock.acquire(timeout=1000)
def with_lock():
    here()
    with lock:
        pass
def wait():
    here(); lock.acquire()
def lock_for_a_time():
    here(); lock.acquire(True, 1000)
def enters_condition():
    here()
    with condition:
        pass
def enters_plain_condition():
    here()
    with plain_condition:
        pass
def waits_event():
    here(); event.wait()
def gets_item():
    here(); items.get()
def takes_semaphore():
    here(); semaphore.acquire()
def joins():
    here(); holding.join()
def sleeps():
    here(); time.sleep(1000)
def reads():
    here(); os.read(pipe[0], 1)
def gets_simple():
    here(); simple.get()
def waits_process():
    here(); os.waitpid(process.pid, 0)


process = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL)
holding = threading.Thread(target=holder, daemon=True)
holding.start(); arrived.acquire()
functions = [with_rlock, acquires_rlock, acquires_for_a_time, with_lock, wait, lock_for_a_time, enters_condition,
             enters_plain_condition, waits_event, gets_item, takes_semaphore, joins, sleeps, reads, gets_simple,
             waits_process]
for function in functions:
    threading.Thread(target=function, daemon=True).start()
for function in functions:
    arrived.acquire()
print(json.dumps([process.pid, ids]), flush=True)
os.read(0, 1)
"""

# function: (the awaited object, its holder)
TRUTH = {
    "holder": None,
    "with_rlock": ("rlock", "holder"),
    "acquires_rlock": ("rlock", "holder"),
    "acquires_for_a_time": ("rlock", "holder"),
    "with_lock": ("lock", "holder"),
    "wait": ("lock", "holder"),
    "lock_for_a_time": ("lock", "holder"),
    "enters_condition": ("rlock", "holder"),
    "enters_plain_condition": ("lock", None),  # the holder has acquired it by a call
    "waits_event": ("notification", None),
    "gets_item": ("item", None),
    "takes_semaphore": ("semaphore", None),
    "joins": ("thread", "holder"),
    "sleeps": None,
    "reads": None,
    "gets_simple": ("item", None),
    "waits_process": None,
}
CALLED = {"enters_condition", "enters_plain_condition", "waits_event", "gets_item", "takes_semaphore", "joins"}
BUSY = """
import threading
def spin():
    while True: pass
for _ in range(2): threading.Thread(target=spin, daemon=True).start()
print("ready", flush=True)
spin()
"""


@pytest.fixture(scope="module", params=all_or_skips())
def interpreter(request: Any) -> Interpreter:
    if "JITSCOPE_INSPECT_LIBRARY" not in os.environ:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")
    found: Interpreter = request.param
    return found


@pytest.fixture(scope="module")
def target(interpreter: Interpreter) -> Iterator[tuple[int, dict[str, list[int]]]]:
    with running(interpreter, "-c", PROGRAM) as (process, said):
        child, ids = json.loads(said)
        try:
            settle(process.pid, [native for native, _ in ids.values()])
            yield process.pid, ids
        finally:
            os.kill(child, 9)


def test_waits(interpreter: Interpreter, target: tuple[int, dict[str, list[int]]]) -> None:
    pid, ids = target
    with Reader(pid) as reader:
        for name, expected in TRUTH.items():
            found = reader.doing(ids[name][0], ids[name][1], *asleep(pid, ids[name][0]))
            waits = found["waits"]
            assert found["holds_gil"] is interpreter.without_gil
            assert (waits and waits["for"]) == (expected and expected[0]), (name, found)
            assert found["caller" if name in CALLED else "frame"]["function"] == name
            assert (found["caller"] is not None) == (name in CALLED), found
            owner = expected and expected[1]
            assert not waits or (waits["owner"] and waits["owner"]["pthread"]) == (owner and ids[owner][1]), name


def test_gil(interpreter: Interpreter) -> None:
    """One of three threads holds it; a thread that sleeps waits for it, or nothing is reported."""
    options = ["-X", "gil=1"] if interpreter.free_threaded else []
    with running(interpreter, *options, "-c", BUSY) as (process, _), Reader(process.pid) as reader:
        seen = set()
        for _ in range(200):
            for thread in reader.threads()["threads"]:
                native = thread["native_id"] or process.pid
                found = reader.doing(thread["native_id"] or 0, thread["pthread"], *asleep(process.pid, native))
                seen.add(found["waits"] and found["waits"]["for"])
            if "gil" in seen and interpreter.minor > 10:
                break
        assert seen <= {None, "gil"} and ("gil" in seen or interpreter.minor <= 10)


def test_no_gil(interpreter: Interpreter) -> None:
    """No thread holds it or waits for it where there is none."""
    if not interpreter.free_threaded:
        pytest.skip("this build has a GIL")
    with running(interpreter, "-c", BUSY) as (process, _), Reader(process.pid) as reader:
        for _ in range(50):
            for thread in reader.threads()["threads"]:
                found = reader.doing(thread["native_id"], thread["pthread"], *asleep(process.pid, thread["native_id"]))
                assert (found["holds_gil"], found["waits"]) == (None, None)


def test_spoilt_memory_never_hurts(target: tuple[int, dict[str, list[int]]]) -> None:
    pid, ids = target
    memory = Memory(pid)
    names = list(TRUTH)
    with Reader(pid, read=memory.read) as reader:
        for seed in range(60):
            name = names[seed % len(names)]
            memory.random, memory.rate = random.Random(seed), (0.02, 0.1, 0.5)[seed % 3]
            reader.forget()
            try:
                assert reader.doing(*ids[name], *asleep(pid, ids[name][0]))["holds_gil"] in (True, False, None)
            except Failed as failed:
                assert EARG < failed.status < 0
    memory.close()
