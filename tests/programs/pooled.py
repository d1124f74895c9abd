"""Workers of joblib, each with a debugger of its own: pooled.py BACKEND FOLDER."""

import json
import os
import pathlib
import sys
import time

import joblib
from numba import njit

import jitscope
from jitscope.stops import tracer

WORKERS = 2


@njit(debug=True)
def foo(n):
    m = n * 2
    jitscope.breakpoint_if(n > 0)  # at: if
    return m


def meet(folder, n):
    """Wait until each worker is here, so that each has one task."""
    (folder / f"{n}.here").touch()
    while len(list(folder.glob("*.here"))) < WORKERS:
        time.sleep(0.01)


def work(folder, n):
    meet(folder, n)
    results = [foo(n)]  # nobody debugs this process
    log = ["-ex", f"set logging file {folder / str(n)}", "-ex", "set logging enabled on"]
    jitscope.attach("-batch", *log, "-ex", "info inferiors", "-ex", "info locals", "-ex", "jit bt", stop=False)
    results.append(foo(n))  # stops
    results.append(foo(n))  # its debugger has left
    return os.getpid(), tracer(), results


if __name__ == "__main__":
    backend, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    foo(0)
    parallel = joblib.Parallel(n_jobs=WORKERS, backend=backend, batch_size=1)
    done = parallel(joblib.delayed(work)(folder, n) for n in range(1, WORKERS + 1))
    foo(100)
    print(json.dumps({"parent": os.getpid(), "workers": done}), flush=True)
