import ctypes
import signal
import sys

from numba import njit

import jitscope

libc = ctypes.CDLL(None)
malloc, free = libc.malloc, libc.free
malloc.restype, malloc.argtypes, free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]


@njit(debug=True)
def compiled(n):
    total = 0
    for i in range(n):
        total += i % 7
    return total


@njit(debug=True)
def allocate(n):
    for i in range(n):
        free(malloc(100 + i % 7))
    return n


def interpreted(n):
    return sum(range(n))


def main():
    work = {"compiled": compiled, "malloc": allocate, "python": interpreted}[sys.argv[1]]
    work(1)
    jitscope.attach_on(signal.SIGUSR1)
    print("ready", flush=True)
    while True:
        work(1_000_000_000)


main()
