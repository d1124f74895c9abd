"""A family of processes: the parent compiles `shared`, the child compiles `own` and calls both."""

import os
import sys

from numba import njit


@njit(debug=True)
def shared(n):
    m = n + 1
    return m  # at: shared


@njit(debug=True)
def own(n):
    m = n * 2
    return m  # at: own


@njit(debug=True)
def parents(n):
    m = n * 3
    return m  # at: parents


def child():
    shared(10)
    own(20)


def main():
    shared(1)
    pid = os.fork()  # at: fork
    if pid == 0:
        child()
        os._exit(0)
    if "wait" in sys.argv:
        os.waitpid(pid, 0)
    parents(30)
    shared(2)
    if "wait" not in sys.argv:
        os.waitpid(pid, 0)
    print("done", flush=True)


main()
