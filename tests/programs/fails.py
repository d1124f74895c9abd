"""Asks for a debugger, then says how long that took and that it goes on: fails.py [WAIT]"""

import ctypes
import os
import sys
import time

from numba import njit

import jitscope


@njit(debug=True)
def compiled(a):
    jitscope.breakpoint()
    return a + 1


compiled(1)
if "FAILS_DUMPABLE" in os.environ:
    ctypes.CDLL(None).prctl(4, int(os.environ["FAILS_DUMPABLE"]))  # PR_SET_DUMPABLE
print("call", flush=True)
start = time.monotonic()
attached = jitscope.attach(*sys.argv[2:], wait=float(sys.argv[1]))
print(f"attached {attached} after {time.monotonic() - start:.2f}", flush=True)
print(f"result {compiled(41)}", flush=True)
