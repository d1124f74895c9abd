"""Threads that sleep: in a parallel loop, in deep recursion of compiled and of Python code, and in Python's locks."""

import ctypes
import os
import threading
import time

import numpy as np
from numba import njit, prange

pause = ctypes.CDLL(None).pause
pause.argtypes = []


@njit
def scaled(x, by):
    y = x * by
    return y + pause()


@njit(parallel=True, nogil=True)
def spread(a, by):
    for i in prange(a.shape[0]):
        a[i] = scaled(a[i], by)
    return a


@njit(nogil=True)
def sink(n):
    if n == 0:
        return pause() * 1.0
    return sink(n - 1) * 0.5 + n


def descend(n, text):
    if n == 0:
        return sink(300)
    return descend(n - 1, text)


def waits(event):
    event.wait()


def holds(lock, event):
    with lock:
        event.wait()


def wants(lock):
    with lock:
        pass


sink.compile("float64(int64)")
spread.compile("float64[::1](float64[::1], float64)")
event, lock = threading.Event(), threading.RLock()
work = [(descend, (200, "deep")), (waits, (event,)), (holds, (lock, event)), (wants, (lock,))]
for function, arguments in work:
    threading.Thread(target=function, args=arguments, daemon=True).start()
    time.sleep(0.2)
threading.Timer(1.0, lambda: print("ready", os.getpid(), flush=True)).start()
spread(np.arange(6.0), 2.0)
