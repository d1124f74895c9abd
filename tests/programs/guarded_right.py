"""A right program, whose output is the same with and without guarded arrays."""

import os
import sys
import threading

import numpy as np
from numba import njit, prange, typed, types
from numba.core.runtime import rtsys
from numba.experimental import jitclass


@njit(parallel=True)
def parallel(a):
    out, total, sums = np.zeros_like(a), 0.0, np.zeros(5)
    for i in prange(a.shape[0]):
        part = np.empty(3)
        part[:] = a[i]
        out[i] = part.sum() + i
        total += out[i]
        sums += np.arange(5) * i
    return out, total, sums


@njit
def containers(n):
    arrays = typed.List.empty_list(types.float64[:])
    named = typed.Dict.empty(types.unicode_type, types.float64[:])
    for i in range(n):
        arrays.append(np.full(i + 1, i * 1.0))
        named["é" + str(i)] = arrays[i]
    plain = [np.ones(3) * i for i in range(n)]
    plain.append(np.zeros(2))
    total = 0.0
    for name in named:
        total += named[name].sum() + len(name)
    for each in plain:
        total += each.sum()
    return total, arrays


@jitclass([("x", types.float64[:]), ("n", types.int64)])
class Box:
    def __init__(self, n):
        self.x = np.arange(n) * 1.0
        self.n = n

    def total(self):
        return self.x.sum() + self.n


@njit
def prefixes(n):
    w = np.arange(n)
    for i in range(n):
        yield w[:i].sum() + Box(i + 1).total()


@njit
def small(n, records):
    bytes_ = np.ones(13, np.uint8)
    for i in range(n):
        bytes_[i % 13] += i
        records[i].b += records[i].a
    return bytes_, bytes_[:8].view(np.int64)[0], np.sort(bytes_), records.b.sum()


def main():
    for n in (1, 7):
        a = np.arange(n) / 3.0
        print(parallel(a))
        total, arrays = containers(n)
        print(total, [list(each) for each in arrays], list(prefixes(n)))
        records = np.zeros(n, np.dtype([("a", "i1"), ("b", "f8"), ("c", "U3")]))
        records["a"] = np.arange(n)
        print(small(n, records), records)
        a.resize(2 * n + 1, refcheck=False)
        print(np.concatenate([a, a])[::-1].copy(), np.fft.fft(a))
    threads = [threading.Thread(target=containers, args=(n,)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        print("child", containers(4)[0], np.ones(10).sum())
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
    print(rtsys.get_allocation_stats())


main()
