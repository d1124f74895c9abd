"""Calls that go from Python through C into Python, over and over. Each mark says what a line calls, and by which C
functions; `-` is a call without C."""

import ctypes
import functools
import json
import os
import re
import sys
import threading

COMPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
libc = ctypes.CDLL(None)


def leaf(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def compare(a, b):
    leaf(5)  # leaf: -
    return a[0] - b[0]


compare_pointer = COMPARE(compare)


def by_qsort():
    numbers = (ctypes.c_int * 8)(3, 1, 2, 7, 5, 4, 0, 6)
    libc.qsort(numbers, 8, 4, compare_pointer)  # compare: qsort


def key(x):
    return -x + leaf(3)  # leaf: -


def by_key():
    sorted([3, 2, 1], key=key)  # key: C


def replaced(match):
    leaf(4)  # leaf: -
    by_key()  # by_key: -
    return "x"


def by_sub():
    PATTERN.sub(replaced, "banana")  # replaced: C


PATTERN = re.compile("a")


def items(n):
    for i in range(n):
        yield leaf(i)  # leaf: -


def hook(found):
    for _ in items(4):  # items: C
        pass
    return found


def by_hook():
    DECODER.scan_once('{"a": {"b": 1}}', 0)  # hook: scan


DECODER = json.JSONDecoder(object_hook=hook)


class Dies:
    def __del__(self):
        leaf(6)  # leaf: -


def by_end():
    Dies()  # Dies.__del__: C


class Compared:
    def __init__(self):
        leaf(2)  # leaf: -

    def __lt__(self, other):
        by_qsort()  # by_qsort: -
        return True


def by_comparison():
    two = [Compared(), Compared()]  # Compared.__init__: C
    two.sort()  # Compared.__lt__: C


def added(a, b):
    return a + leaf(b)  # leaf: -


def by_reduce():
    functools.reduce(added, [1, 2, 3, 4])  # added: C


def all_of_them():
    by_qsort()  # by_qsort: -
    by_key()  # by_key: -
    by_sub()  # by_sub: -
    by_hook()  # by_hook: -
    by_end()  # by_end: -
    by_comparison()  # by_comparison: -
    by_reduce()  # by_reduce: -


def run():
    while True:
        all_of_them()  # all_of_them: -


if __name__ == "__main__":
    for _ in range(int(sys.argv[1])):
        threading.Thread(target=run, daemon=True).start()
    print("ready", os.getpid(), flush=True)
    run()  # run: -
