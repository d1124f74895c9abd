"""A process whose stacks are known: it writes them to a file, prints "ready", and stays where it is.

Usage: stacks.py loop|threads|busy|crowded|parallel TRUTH PAUSES LIBRARY. TRUTH is the file for the stacks, as JSON;
PAUSES and LIBRARY are the file and the library of pauses.c."""

import ctypes
import faulthandler
import json
import os
import signal
import sys
import threading
import time

import numba
import numpy as np

THREADS, FRAMES = 20, 100
CROWD = 5  # running threads for each processor
gettid = ctypes.CDLL(None).gettid
gettid.argtypes, gettid.restype = (), ctypes.c_int
lock = threading.Lock()
compiled = {}  # the function, file and lines of the compiled code that a thread runs, by its native id


@numba.njit(nogil=True)
def spin(flags):
    flags[1] = 1
    while flags[0] == 0:
        flags[2] += 1


@numba.njit(nogil=True, parallel=True)
def work(flags, ids):
    for i in numba.prange(ids.size):
        ids[i] = gettid()
        while flags[0] == 0:
            flags[i + 2] += 1


def wait_for_lock():
    lock.acquire()


def down(left):
    if left > 1:
        down(left - 1)
    else:
        wait_for_lock()


def inner(run, *arguments):
    run(*arguments)


def middle(run, *arguments):
    inner(run, *arguments)


def outer(run, *arguments):
    middle(run, *arguments)


def lines_of(function, first):
    """Return the lines of the function's loop, from its line `first`."""
    code = function.py_func.__code__
    lines = list(range(code.co_firstlineno + first, code.co_firstlineno + first + 4))
    return {"name": code.co_name, "file": code.co_filename, "lines": lines}


def write_truth(path, is_ready, others):
    while not is_ready():
        time.sleep(0.01)
    time.sleep(0.3)  # the threads are in acquire() now
    frames, found = sys._current_frames(), []
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            stack, frame = [], frames[thread.ident]
            while frame is not None:
                stack.append([frame.f_code.co_name, frame.f_code.co_filename, frame.f_lineno])
                frame = frame.f_back
            found.append({"native_id": thread.native_id, "ident": thread.ident, "frames": stack})
    with open(path, "w") as file:
        json.dump({"threads": found, "compiled": others()}, file)
    print("ready", flush=True)


def down_to_loop(left, flags):
    if left > 1:
        down_to_loop(left - 1, flags)
    else:
        spin(flags)


def down_to_python(left):
    if left > 1:
        down_to_python(left - 1)
    else:
        while True:
            pass


def main(mode, truth, pauses, library):
    lock.acquire()
    faulthandler.register(signal.SIGUSR1, file=open(f"{truth}.faulthandler", "w"), all_threads=True)
    if ctypes.CDLL(library).pauses_start(pauses.encode()):
        sys.exit("the thread of pauses.c does not start")
    flags = np.zeros(64, np.int64)
    ids = np.zeros(numba.get_num_threads(), np.int32)
    count, frames = (THREADS, FRAMES) if mode in ("threads", "busy", "crowded") else (1, 1)
    running = ((down_to_loop, (frames, flags)), (down_to_python, (frames,))) if mode == "busy" else ()
    if mode == "crowded":  # more of them than processors
        running = ((down_to_loop, (frames, flags)),) * min(CROWD * os.cpu_count(), THREADS - 1)
    waiting = ((down, (frames,)),) * (count - len(running))
    for function, given in (*running, *waiting):
        threading.Thread(target=function, args=given, daemon=True).start()
    spins, works = lines_of(spin, 1), lines_of(work, 2)
    if count == THREADS:
        run, arguments, is_ready, others = lock.acquire, (), lambda: True, dict
    elif mode == "loop":
        run, arguments, is_ready = spin, (flags,), lambda: flags[1] == 1
        others = lambda: {threading.main_thread().native_id: spins}  # noqa: E731
    else:
        run, arguments, is_ready = work, (flags, ids), lambda: ids.all()
        others = lambda: {each: works for each in [*map(int, ids), threading.main_thread().native_id]}  # noqa: E731
    threading.Thread(target=write_truth, args=(truth, is_ready, others), daemon=True).start()
    outer(run, *arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
