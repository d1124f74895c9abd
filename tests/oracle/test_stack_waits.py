"""What js_stacks_take says that each thread does, and the circles of threads that wait for each other: for every
CPython of this machine, against programs that know who holds what."""

from __future__ import annotations

import json
import mmap
import os
import re
import signal
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.python_stacks.interpreters import Interpreter, all_or_skips
from tests.oracle.python_stacks.target import running

PROGRAM = r"""
import asyncio, concurrent.futures, ctypes, json, os, queue, select, socket, subprocess, sys, threading, time

lock, rlock, plain, own = threading.Lock(), threading.RLock(), threading.Lock(), threading.Lock()
event, condition, items = threading.Event(), threading.Condition(), queue.Queue()
full, done = queue.Queue(1), queue.Queue()
full.put(1), done.put(1)
pair, arrived, ids = socket.socketpair(), threading.Semaphore(0), {}
arrive = arrived.release


def here():
    ids[sys._getframe(1).f_code.co_name] = threading.get_native_id()
    arrive()


def holder():
    with lock, rlock:  # holder
        plain.acquire(); here()
        time.sleep(1000)  # sleeps

def wants_lock():
    here(); lock.acquire()
def wants_rlock():
    here(); rlock.acquire()
def wants_plain():
    here(); plain.acquire()
def wants_own():
    with own:
        here(); own.acquire()
def wants_for_a_time():
    here(); lock.acquire(timeout=1000)
def joins():
    here(); holding.join()
def waits_event():
    here(); event.wait()
def waits_condition():
    with condition:
        here(); condition.wait()
def gets_item():
    here(); items.get()
def gets_item_for_a_time():
    here(); items.get(timeout=1000)
def puts_item():
    here(); full.put(2)
def joins_queue():
    here(); done.join()
def receives():
    here(); pair[0].recv(1)
def accepts():
    listening = socket.create_server(("127.0.0.1", 0)); here(); listening.accept()
def selects():
    here(); select.select([pair[0]], [], [])
def polls():
    poll = select.poll(); poll.register(pair[0]); poll.modify(pair[0], select.POLLIN); here(); poll.poll()
def waits_process():
    here(); process.wait()
def waits_any():
    here(); os.wait()
def calls_other():
    epoll, room = select.epoll(), ctypes.create_string_buffer(16); here()
    while True:  # A pause ends the call with EINTR, and the tool may pause the program more than once.
        ctypes.CDLL(None).syscall(441, epoll.fileno(), room, 1, None, None, 0)  # epoll_pwait2
def reads_pipe():
    pipe = os.pipe(); here(); os.read(pipe[0], 1)
def result():
    here(); future.result()
def loops():
    here(); asyncio.run(asyncio.sleep(1000))


process = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL)
pool = concurrent.futures.ThreadPoolExecutor(1)
pool.submit(lambda: ids.update(idle=threading.get_native_id())).result()
busy = concurrent.futures.ThreadPoolExecutor(1)
future = busy.submit(time.sleep, 1000)
holding = threading.Thread(target=holder, daemon=True, name="holding")
holding.start(); arrived.acquire()
functions = [wants_lock, wants_rlock, wants_plain, wants_own, wants_for_a_time, joins, waits_event, waits_condition,
             gets_item, gets_item_for_a_time, puts_item, joins_queue, receives, accepts, selects, polls, waits_process,
             reads_pipe, result, waits_any, calls_other, loops]
for function in functions:
    threading.Thread(target=function, daemon=True).start()
    arrived.acquire()
time.sleep(0.5)
print(json.dumps([process.pid, ids]), flush=True)
os.read(0, 1)
"""

HERE = "{name} at <string>:{line}"
HOLDS = "holder at <string>:{with_line} in thread {holder} (NAME) holds"
# What each function of PROGRAM does; "for" and the awaited thread.
DOES = {
    "holder": ("in clock_nanosleep|in select|in pselect6", ", called by holder at <string>:{sleep_line}", None),
    "wants_lock": ("waits for a lock that ", HOLDS, "holder"),
    "wants_rlock": ("waits for a lock (an RLock) that ", HOLDS, "holder"),
    "wants_plain": ("waits for a lock whose owner is not known", f" ({HERE})", None),
    "wants_own": ("waits for a lock that it holds itself", f" ({HERE})", "wants_own"),
    "wants_for_a_time": ("waits for a lock that ", f"{HOLDS}, with a timeout", "holder"),
    "joins": ("waits for thread {holder} (NAME) to end", f" ({HERE})", "holder"),
    "waits_event": ("waits for a notification", f" ({HERE})", None),
    "waits_condition": ("waits for a notification", f" ({HERE})", None),
    "gets_item": ("waits for an item of a queue", f" ({HERE})", None),
    "gets_item_for_a_time": ("waits for an item of a queue", f" ({HERE}), with a timeout", None),
    "puts_item": ("waits for room in a queue", f" ({HERE})", None),
    "joins_queue": ("waits for the tasks of a queue to be done", f" ({HERE})", None),
    "receives": ("in recvfrom", f", called by {HERE}", None),
    "accepts": ("in accept4|in accept", f", called by {HERE}", None),
    "selects": ("in select|in pselect6", f", called by {HERE}", None),
    "polls": ("in poll|in ppoll", f", called by {HERE}", None),
    "waits_process": ("waits for process {process} to end", f" ({HERE})", None),
    "reads_pipe": ("in read", f", called by {HERE}", None),
    "result": ("waits for the result of a future", f" ({HERE})", None),
    "waits_any": ("waits for a child process to end", f" ({HERE})", None),
    "calls_other": ("in syscall 441", f", called by {HERE}", None),
    "loops": ("waits for events (asyncio)", f" ({HERE})", None),
    "idle": ("waits for work (ThreadPoolExecutor)", "", None),
}
REASONS = {"wants_lock": "lock", "wants_rlock": "rlock", "joins": "thread", "gets_item": "item", "puts_item": "room",
           "joins_queue": "tasks", "waits_process": "process", "reads_pipe": "system call", "idle": "work",
           "result": "result", "loops": "events"}  # fmt: skip
TIMED = {"wants_for_a_time", "gets_item_for_a_time"}

# Threads that wait for each other, and threads that do not. Each program prints the circles that it has made, as lists
# of the functions, and the number of the locks whose owner no frame proves.
CIRCLES = r"""
import json, os, sys, threading, time

made = {name: threading.Lock() for name in "abcdefghijklmn"}
recursive = {name: threading.RLock() for name in "abc"}
ids, meeting = {}, {}


def meet(name, count):
    meeting.setdefault(name, threading.Barrier(count)).wait()


def start(function, *arguments):
    thread = threading.Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread


def first():
    with made["a"]:
        meet("two", 2)
        with made["b"]:
            pass
def second():
    with made["b"]:
        meet("two", 2)
        with made["a"]:
            pass
def chained():
    with made["a"]:  # no part of the circle
        pass
def third(own, other):
    with recursive[own]:
        meet("three", 3)
        with recursive[other]:
            pass
def joins_within():
    with made["c"]:
        thread = start(joined)
        thread.join()
def joined():
    made["c"].acquire()
def itself():
    with made["d"]:
        made["d"].acquire()
def mixed_one():
    with made["e"], recursive["b" if False else "a"] if False else made["f"]:
        meet("mixed", 2)
        with made["g"]:
            pass
def mixed_two():
    with threading.Condition(made["g"]):
        meet("mixed", 2)
        with threading.Condition(made["e"]):
            pass
def timed_one():
    with made["h"]:
        meet("timed", 2)
        made["i"].acquire(timeout=1000)
def timed_two():
    with made["i"]:
        meet("timed", 2)
        made["h"].acquire()
def sleeps():
    with made["j"]:
        time.sleep(1000)
def waits_for_sleeper():
    with made["k"]:
        made["j"].acquire()
def waits_for_waiter():
    made["k"].acquire()
def by_hand_one():
    made["l"].acquire(); meet("hand", 2); made["m"].acquire()
def by_hand_two():
    made["m"].acquire(); meet("hand", 2); made["l"].acquire()


meeting.update(two=threading.Barrier(2), three=threading.Barrier(3), mixed=threading.Barrier(2),
               timed=threading.Barrier(2), hand=threading.Barrier(2))
for function in (first, second, joins_within, itself, mixed_one, mixed_two, timed_one, timed_two, sleeps,
                 by_hand_one, by_hand_two):
    start(function)
for own, other in zip("abc", "bca"):
    start(third, own, other)
time.sleep(1)
for function in (chained, waits_for_sleeper):
    start(function)
time.sleep(0.2)
start(waits_for_waiter)
time.sleep(0.5)
truth = [["first", "second"], ["joined", "joins_within"], ["itself"], ["mixed_one", "mixed_two"],
         ["third", "third", "third"]]
print(json.dumps([truth, 2]), flush=True)
os.read(0, 1)
"""

# Threads that take locks in one order, so that no circle can be, and write to a file that is mapped: who holds each
# lock, after it is taken and before it is released; and for each thread its id and the lock that it takes next.
RANDOM = r"""
import mmap, os, random, struct, sys, threading, time

LOCKS, THREADS = 6, 8  # as in the test
with open(sys.argv[1], "r+b") as file:
    record = mmap.mmap(file.fileno(), 8 * (LOCKS + 2 * THREADS))
locks = [threading.Condition(threading.Lock()) if i % 3 == 2 else threading.Lock() for i in range(LOCKS)]
own = threading.local()


def note(i, who):
    struct.pack_into("<q", record, 8 * i, who)


def wants(i):
    struct.pack_into("<2q", record, 8 * (LOCKS + 2 * own.number), threading.get_native_id(), i)


def by_with(i, then):
    with locks[i]:
        note(i, threading.get_native_id())
        then()
        note(i, 0)
def in_loop(i, then):
    for k in range(2):
        wants(i)
        with locks[i]:
            try:
                note(i, threading.get_native_id())
                if k:
                    then()
            finally:
                note(i, 0)
def by_generator(i, then):
    def steps():
        with locks[i]:
            note(i, threading.get_native_id())
            yield 1
            then()
            yield 2
            note(i, 0)
    for _ in steps():
        pass
def by_hand(i, then):
    locks[i].acquire(); note(i, threading.get_native_id())
    then()
    note(i, 0); locks[i].release()
def waits(i, then):
    if not hasattr(locks[i], "wait"):
        return by_with(i, then)
    with locks[i]:
        note(i, 0)
        locks[i].wait(0.001)
        note(i, threading.get_native_id())
        then()
        note(i, 0)
def raises(i, then):
    try:
        with locks[i]:
            note(i, threading.get_native_id())
            then()
            note(i, 0)
            raise KeyError
    except KeyError:
        pass


def run(seed):
    own.number, turns = seed, random.Random(seed)
    def step(i):
        if i >= LOCKS:
            return time.sleep(0.002) if turns.random() < 0.5 else sum(range(2000))
        if turns.random() < 0.4:
            return step(i + 1)
        wants(i)
        turns.choice([by_with, in_loop, by_generator, by_hand, waits, raises])(i, lambda: step(i + 1))
    while True:
        step(0)


for seed in range(THREADS):
    threading.Thread(target=run, args=(seed,), daemon=True).start()
print("ready", flush=True)
os.read(0, 1)
"""


LOCKS, THREADS = 6, 8


@pytest.fixture(scope="module", params=all_or_skips())
def interpreter(request: Any) -> Interpreter:
    if "JITSCOPE_INSPECT_LIBRARY" not in os.environ:
        pytest.skip("JITSCOPE_INSPECT_LIBRARY is not set")
    found: Interpreter = request.param
    return found


@pytest.fixture(scope="module")
def taken(interpreter: Interpreter) -> Iterator[tuple[dict[str, Any], int, dict[str, int]]]:
    stacks = pytest.importorskip("jitscope.stacks.taking")
    with running(interpreter, "-c", PROGRAM) as (process, said):
        child, ids = json.loads(said)
        try:
            with stacks.Stacks(process.pid) as one:
                yield one.take(), child, ids
        finally:
            os.kill(child, 9)


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(PROGRAM.splitlines(), 1) if text in line)


def body_of(name: str) -> int:
    """Return the last line of a function of PROGRAM that is not empty."""
    lines = PROGRAM.splitlines()
    at = line_of(f"def {name}(")
    while at < len(lines) and lines[at].startswith("    "):
        at += 1
    return at


def test_every_thread_says_what_it_does(taken: tuple[dict[str, Any], int, dict[str, int]]) -> None:
    whole, process, ids = taken
    threads = {thread["native_id"]: thread for thread in whole["threads"]}
    wrong = []
    for name, (begins, rest, awaited) in DOES.items():
        thread = threads[ids[name]]
        known = dict(name=name, line=body_of(name) if name != "idle" else 0, holder=ids["holder"], process=process,
                     with_line=line_of("# holder"), sleep_line=line_of("# sleeps"))  # fmt: skip
        text = re.sub(r"(thread \d+) \([^)]*\)", r"\1 (NAME)", thread["does"])
        if text not in [each.format(**known) + rest.format(**known) for each in begins.split("|")]:
            wrong.append((name, thread["does"]))
        waits = thread["waits_for"]
        assert waits["native_id"] == (awaited and ids[awaited]), (name, waits)
        assert waits["for"] == REASONS.get(name, waits["for"]), (name, waits)
        assert waits["timed"] == (name in TIMED), name
    assert not wrong
    assert threads[whole["pid"]]["does"].startswith("in read, called by <module> at <string>:")
    held = threads[ids["wants_lock"]]["waits_for"]
    assert (held["function"], held["file"], held["line"]) == ("holder", "<string>", line_of("# holder"))


def test_a_thread_that_waits_for_its_own_lock_is_a_circle(taken: tuple[dict[str, Any], int, dict[str, int]]) -> None:
    whole, _, ids = taken
    found = whole["deadlock"]
    assert [[thread["native_id"] for thread in circle["threads"]] for circle in found["circles"]] == [
        [ids["wants_own"]]
    ]
    assert found["unknown_owners"] == 1
    assert found["summary"] == "1 thread waits for itself; 1 thread waits for a lock whose owner is not known"


def test_circles(interpreter: Interpreter) -> None:
    stacks = pytest.importorskip("jitscope.stacks.taking")
    with running(interpreter, "-c", CIRCLES) as (process, said):
        truth, unknown = json.loads(said)
        with stacks.Stacks(process.pid) as one:
            whole = one.take()
    found = whole["deadlock"]
    circles = [sorted(thread["function"] for thread in circle["threads"]) for circle in found["circles"]]
    assert sorted(circles) == sorted(truth)
    assert found["unknown_owners"] == unknown
    assert "2 threads wait for each other in a circle" in found["summary"]
    assert found["summary"].endswith("; 2 threads wait for locks whose owner is not known")
    for circle in found["circles"]:
        threads = circle["threads"]
        for thread, following in zip(threads, [*threads[1:], threads[0]]):
            assert thread["waits_for"]["native_id"] == following["native_id"]
            assert thread["does"].startswith("waits for ") and thread["file"] == "<string>" and thread["line"]


def test_no_owner_is_ever_false(interpreter: Interpreter, tmp_path: Path) -> None:
    """Threads take locks at random. An owner that is shown is the one in the record; no circle is ever found."""
    stacks = pytest.importorskip("jitscope.stacks.taking")
    record, program = tmp_path / "record", tmp_path / "random_locks.py"
    record.write_bytes(bytes(8 * (LOCKS + 2 * THREADS)))
    program.write_text(RANDOM)
    known = 0
    with running(interpreter, str(program), str(record)) as (process, _), record.open("r+b") as file:
        held = mmap.mmap(file.fileno(), 0)
        with stacks.Stacks(process.pid) as one:
            for _ in range(60):
                with stopped(process.pid):
                    whole = one.take()
                    known += check_owners(whole, struct.unpack(f"<{LOCKS + 2 * THREADS}q", held))
                assert whole["deadlock"]["circles"] == [], whole
                time.sleep(0.003)
    assert known > 10


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """Stop the process, so that its record stays as it is while its stacks are read."""
    os.kill(pid, signal.SIGSTOP)
    tasks = [Path(f"/proc/{pid}/task/{task}/stat") for task in os.listdir(f"/proc/{pid}/task")]
    while any(task.read_text().rpartition(")")[2].split()[0] != "T" for task in tasks):
        time.sleep(0.001)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def check_owners(whole: dict[str, Any], record: tuple[int, ...]) -> int:
    """Check the owners that are shown, and return their number. A lock with no owner in the record is being taken or
    released."""
    held, wanted = record[:LOCKS], dict(zip(record[LOCKS::2], record[LOCKS + 1 :: 2]))
    known = 0
    for thread in whole["threads"]:
        waits = thread["waits_for"]
        if waits and waits["for"] == "lock" and waits["native_id"] is not None:
            owner = held[wanted[thread["native_id"]]]
            assert owner in (0, waits["native_id"]), (record, thread)
            known += owner != 0
    return known
