"""Threads of Python alone, in frames with variables of each kind; the last line runs compiled code."""

import ctypes
import os
import threading
import time

from numba import njit

pause = ctypes.CDLL(None).pause
pause.argtypes = []
lock = threading.RLock()
plain = threading.Lock()
event = threading.Event()


class Told:
    def __repr__(self):
        raise SystemExit("no code of the program may run")


def holder():
    with lock, plain:
        for _ in iter(dict, 1): pass  # noqa: E701 # fmt: skip # at: busy


def wants(n):
    with lock:  # at: lock
        return n


def wants_plain(n=3):
    plain.acquire()  # at: plain


def joins(thread):
    thread.join()


def waits(queue):
    event.wait()  # at: event


def reads(fd):
    os.read(fd, 1)  # at: read


@njit(debug=True)
def compiled(n):
    return n + pause()


def inner(text, b=2, *rest, key="x", **more):
    made, told = [text, b], Told()
    print("ready", flush=True)
    compiled(b)  # at: compiled
    later = made, told


def outer(text):
    def shared():
        return text

    inner(text, 5, 6, z=shared)  # at: outer


threads = [threading.Thread(target=holder, name="holder", daemon=True)]
threads[0].start()
while not plain.locked():
    time.sleep(0.01)
for target, arg in ((wants, 1), (wants_plain, 2), (joins, threads[0]), (waits, None), (reads, os.pipe()[0])):
    threads.append(threading.Thread(target=target, args=(arg,), daemon=True))
    threads[-1].start()
compiled.compile("(int64,)")
outer("hello\x1b[31m")  # at: module
