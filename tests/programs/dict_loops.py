"""Loops over dicts of three keys, which count their iterations."""

from numba import njit
from numba.typed import Dict


def make():
    d = Dict()
    for i in range(3):
        d[10 * i] = i
    return d


@njit
def add(d):
    n = 0
    for k in d.keys():  # at: add
        n += 1
        d[k + 1] = 0  # at: adds
    return n  # at: added


@njit
def remove(table):
    n = 0
    for k, _ in table.items():  # at: remove
        n += 1
        table.pop(k)  # at: removes
    return n  # at: removed


@njit
def copy(d):
    n = 0
    for k in d.copy():
        n += 1
        d[k + 1] = 0
    return n  # at: copied


@njit
def same(d):
    n = 0
    for k in d:
        n += 1
        d[k] = 5
    return n  # at: same


@njit
def over_list(d):
    n = 0
    for k in list(d):
        n += 1
        d.pop(k)
    return n  # at: list


add(make())
print("EXPECT", add(make()), remove(make()), copy(make()), same(make()), over_list(make()))
