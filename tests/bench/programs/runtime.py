"""What the runtime costs a program that nobody debugs, as one line of JSON; times are the processor's."""

import json
import time

import numba
import numpy as np


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


numba.njit(lambda: 1)  # what Numba itself loads late
before, start = resident(), time.process_time()
import jitscope  # noqa: E402
from jitscope import stops  # noqa: E402

stops.library()
loaded, after = time.process_time() - start, resident()
CALLS = 100_000_000


@numba.njit
def sentinel(n):
    for _ in range(n):
        jitscope.breakpoint()
    return n


@numba.njit
def condition(n, never):
    for i in range(n):
        jitscope.breakpoint_if(i == never[i & 7])
    return n


never = np.full(8, -1)
sentinel(1), condition(1, never)
found = {"load": loaded, "memory": max(0, after - before)}
for name, call in {"sentinel": lambda: sentinel(CALLS), "condition": lambda: condition(CALLS, never)}.items():
    start = time.process_time()
    call()
    found[name] = (time.process_time() - start) / CALLS
print(json.dumps(found))
