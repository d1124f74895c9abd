import ctypes
import os
import signal
import time

from numba import njit

import jitscope

kill = ctypes.CDLL(None).kill
kill.argtypes = ctypes.c_int, ctypes.c_int


@njit(debug=True)
def busy(pid):
    kill(pid, 10)  # at: signal
    return pid


@njit(debug=True)
def foo(n):
    total = 0
    for i in range(n):
        jitscope.breakpoint_if(i == 613)  # at: if
        total += i
    return total


busy.compile("(int32,)")
foo.compile("(int64,)")
jitscope.attach_on(signal.SIGUSR1)
print("call", flush=True)
busy(os.getpid())  # at: call
started = time.perf_counter()
for _ in range(20):
    foo(600)
print(f"12000 turns without a stop took {time.perf_counter() - started:.3f} s", flush=True)
print(f"result {foo(1000)}", flush=True)  # at: hot
