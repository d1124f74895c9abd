"""Threads with one stack, and a crash. Usage: alike.py FOLDER workers|python|many"""

import ctypes
import sys
import threading
import time

import jitscope


def workers():
    import numba
    import numpy as np

    @numba.njit(debug=True)
    def store(values, index, number):
        values[index] += number
        return values[0]

    pause = ctypes.CDLL(None).usleep
    pause.argtypes = [ctypes.c_uint]

    @numba.njit(parallel=True)
    def all_of_them(values, index, count):
        total = 0.0
        for i in numba.prange(count):
            pause(100000)  # until each worker has its iteration
            total += store(values[i], index, i)
        return total

    values = np.zeros((4, 10))
    all_of_them(values, 0, 4)
    all_of_them(values, 10**9, 4)


def waits(number, ready, end):
    text = f"<{number}>"
    ready.wait()
    end.wait()
    return text


def waits_with_many(number, ready, end):
    one, two, three, four, five, six = (number + each for each in range(6))
    ready.wait()
    end.wait()
    return one, two, three, four, five, six


def python(function=waits):
    ready, end = threading.Barrier(6), threading.Event()
    for number in range(5):
        threading.Thread(target=function, args=(number, ready, end), name=f"worker {number}", daemon=True).start()
    ready.wait()
    time.sleep(0.5)  # until all wait in the kernel
    ctypes.CDLL(None).memset(None, 0, 8)


def many():
    python(waits_with_many)


jitscope.enable_crash_report(sys.argv[1], seconds=60)
globals()[sys.argv[2]]()
