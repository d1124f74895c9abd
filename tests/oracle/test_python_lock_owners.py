"""The owners of locks that record none, as `with` statements of the frames prove them: for every CPython of this
machine, against a program that knows who holds what. A false owner is the worst that can be shown."""

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

# Each function gets a lock of its own, and blocks or ends; then a thread waits for the lock. OWNERS has the function
# that holds it by a `with` statement, and the line of the statement, marked by its comment.
PROGRAM = r"""
import contextlib, json, os, sys, threading, time

lines = [""] + open(sys.argv[1]).read().splitlines() if len(sys.argv) > 1 else []
arrived, ids, made, functions = threading.Semaphore(0), {}, {}, []
arrive = arrived.release  # the name release in a frame's code would leave its locks without an owner


def block():
    arrive(); time.sleep(1000)


def case(function):
    functions.append(function)
    made[function.__name__] = threading.Lock()
    return function


def other(lock, acquire):
    def hold():
        acquire(lock); block()
    threading.Thread(target=hold, name="other", daemon=True).start(); arrived.acquire()


def by_hand(lock): lock.acquire()
def by_with(lock):
    with lock:
        block()


class Enters:
    def __enter__(self): block()
    def __exit__(self, *info): pass


class Exits:
    def __enter__(self): pass
    def __exit__(self, *info): block()


class Own:
    def __init__(self, lock): self.lock = lock
    def __enter__(self): self.lock.acquire()
    def __exit__(self, *info): pass


class OwnCondition(threading.Condition):
    pass


@case
def plain(lock):
    with lock:  # here: plain
        block()


@case
def several(lock):
    with threading.Lock(), lock, threading.RLock():  # here: several
        block()


@case
def nested(lock):
    with threading.RLock():
        for i in [1, 2]:
            with lock:  # here: nested
                for k in [3]:
                    try:
                        with threading.Lock() as entered:
                            block()
                    finally:
                        pass


@case
def handles(lock):
    with lock:  # here: handles
        try:
            raise ValueError
        except ValueError as error:
            try:
                block()
            finally:
                pass


@case
def in_finally(lock):
    try:
        raise ValueError
    except ValueError:
        with lock:  # here: in_finally
            try:
                pass
            finally:
                block()


@case
def far(lock):
    with lock:  # here: far
        def down(n):
            down(n - 1) if n else sorted([2, 1], key=lambda x: block())
        down(200)


@case
def by_generator(lock):
    def steps():
        with lock:  # here: steps
            block()
            yield 1
    return list(steps())


@case
def by_coroutine(lock):
    async def runs():
        with lock:  # here: runs
            block()
    runs().send(None)


@case
def cells(lock):
    def inner(a, b=2, *c, **d):
        with lock:  # here: inner
            return [block() for e in [lambda: (a, b, f)]]
    f = 3
    inner(1)


@case
def executed(lock):
    exec("x = 1\nwith lock:\n    y = [block() for i in range(2)]\n", {"lock": lock, "block": block})


@case
def in_class(lock):
    class Body:
        with lock:  # here: Body
            x = block()


@case
def condition(lock):
    with threading.Condition(lock):  # here: condition
        block()


@case
def enters_another(lock):
    with lock:  # here: enters_another
        with Enters():
            pass


@case
def exits_another(lock):
    with lock:  # here: exits_another
        with Exits():
            pass


@case
def traced(lock):
    sys.settrace(lambda *a: None); hold_traced(lock)
def hold_traced(lock):
    with lock:  # here: hold_traced
        block()


@case
def locals_traced(lock):
    def trace(*a): return trace
    sys.settrace(trace); traced_lines(lock)
def traced_lines(lock):
    x = 1
    with lock:
        block()


@case
def long_body(lock):
    pass
scope = {"block": block}
text = "def long_body(lock):\n with lock:\n  if lock:\n   pass\n"
text += "  lock = lock if lock else 1\n" * 3000 + "  block()\n"
exec(text, scope)
functions[-1] = scope["long_body"]


@case
def event_waits(lock):
    with lock:  # here: event_waits
        arrive(); threading.Event().wait()


@case
def waits_again(lock):
    with lock:  # here: waits_again
        c = threading.Condition(threading.Lock())
        with c:
            arrive(); c.wait()


# ---- nobody, or not provable ----

@case
def acquires(lock):
    lock.acquire(); block()


@case
def ended(lock):
    for i in range(3):
        with lock:
            pass
    with contextlib.suppress(ValueError):
        with lock:
            raise ValueError
    lock.acquire()
    other(lock, lambda lock: None); block()


@case
def ended_elsewhere(lock):
    with lock:
        pass
    other(lock, by_hand); block()


@case
def leaves_suspended_generator(lock):
    def steps():
        with lock:
            yield 1
    kept.append(steps()); next(kept[-1]); block()
kept = []


@case
def leaves_suspended_coroutine(lock):
    class Awaited:
        def __await__(self): yield 1
    async def runs():
        with lock:
            await Awaited()
    kept.append(runs()); kept[-1].send(None); block()


@case
def manages_by_generator(lock):
    @contextlib.contextmanager
    def locked():
        with lock:
            yield
    with locked():
        block()


@case
def releases(lock):
    with lock:
        lock.release(); other(lock, by_hand); block()


@case
def callee_releases(lock):
    with lock:
        release_and_block(lock)
def release_and_block(lock):
    lock.release(); other(lock, by_hand); block()


@case
def releases_for_another(lock):
    with lock:
        getattr(lock, "rele" + "ase")(); other(lock, by_with); block()


@case
def waits_condition(lock):
    c = threading.Condition(lock)
    with c:
        threading.Thread(target=lambda: other(lock, by_hand) or arrive(), daemon=True).start(); c.wait()


@case
def waits_own_condition(lock):
    c = OwnCondition(lock)
    with lock:
        threading.Thread(target=lambda: other(lock, by_hand) or arrive(), daemon=True).start(); c.wait()


@case
def enters_own(lock):
    with Own(lock):
        block()


@case
def stack(lock):
    with contextlib.ExitStack() as all:
        all.enter_context(lock); block()


@case
def crowd(lock):
    lock.acquire()
    def waits():
        with lock:
            pass
    for i in range(5):
        threading.Thread(target=waits, daemon=True).start()
    block()


@case
def keeps_method(lock):
    held = [lock.__exit__, [lock.acquire() for i in [1]], [block() for i in [1]]]


def waiter(name, lock):
    ids[name] = threading.get_native_id(), threading.get_ident()
    arrive(); lock.acquire()


for function in functions:
    threading.Thread(target=function, args=(made[function.__name__],), daemon=True).start()
    arrived.acquire()
time.sleep(0.5)
for function in functions:
    name = function.__name__
    threading.Thread(target=waiter, args=(name, made[name]), daemon=True).start()
    arrived.acquire()
free = [name for name, lock in made.items() if not lock.locked()]
print(json.dumps([ids, free]), flush=True)
os.read(0, 1)
"""

# Functions of PROGRAM without an owner that is known.
UNKNOWN = {
    "acquires", "ended", "ended_elsewhere", "leaves_suspended_generator", "leaves_suspended_coroutine",
    "manages_by_generator", "releases", "callee_releases", "releases_for_another", "waits_condition",
    "waits_own_condition", "enters_own", "stack", "crowd", "keeps_method",
}  # fmt: skip
# The function that holds the lock, where it is not the case itself.
HOLDERS = {"by_generator": "steps", "by_coroutine": "runs", "cells": "inner", "executed": "<module>",
           "in_class": "Body", "traced": "hold_traced", "locals_traced": "traced_lines"}  # fmt: skip


@pytest.fixture(scope="module", params=all_or_skips())
def interpreter(request: Any) -> Interpreter:
    if "JITSCOPE_INSPECT_LIBRARY" not in os.environ:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")
    found: Interpreter = request.param
    return found


@pytest.fixture(scope="module")
def target(interpreter: Interpreter) -> Iterator[tuple[int, dict[str, list[int]]]]:
    with running(interpreter, "-c", PROGRAM) as (process, said):
        ids, free = json.loads(said)
        assert free == []
        settle(process.pid, [native for native, _ in ids.values()])
        yield process.pid, ids


def line_of(function: str) -> int | None:
    """Return the line of PROGRAM with the statement of this function."""
    lines = PROGRAM.splitlines()
    return next((number for number, text in enumerate(lines, 1) if text.endswith(f"# here: {function}")), None)


def test_owners(target: tuple[int, dict[str, list[int]]]) -> None:
    pid, ids = target
    wrong = []
    with Reader(pid) as reader:
        for name, (native, ident) in ids.items():
            waits = reader.doing(native, ident, *asleep(pid, native))["waits"]
            assert waits["for"] == "lock", name
            frame = waits["owner"] and waits["owner"]["frame"]
            if name in UNKNOWN:
                expected = None
            else:
                expected = HOLDERS.get(name, name), line_of(HOLDERS.get(name, name))
            found = frame and (frame["function"], frame["line"] if expected and expected[1] else None)
            if found != expected:
                wrong.append((name, found, expected))
            assert not frame or waits["owner"]["pthread"] not in {other for _, other in ids.values()}, name
    assert not wrong


def test_spoilt_memory_gives_no_false_owner(target: tuple[int, dict[str, list[int]]]) -> None:
    pid, ids = target
    memory = Memory(pid)
    names = list(ids)
    with Reader(pid, read=memory.read) as reader:
        for seed in range(60):
            name = names[seed % len(names)]
            memory.random, memory.rate = random.Random(seed), (0.001, 0.02, 0.5)[seed % 3]
            reader.forget()
            try:
                reader.doing(*ids[name], *asleep(pid, ids[name][0]))
            except Failed as failed:
                assert EARG < failed.status < 0
    memory.close()
