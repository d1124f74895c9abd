"""Kernels. Asked line by line on standard input, answers in one line of JSON each:

time NAME N    seconds of the processor, the least of N calls; the first request compiles it
vectors NAME   how many arithmetic instructions of its machine code work on several elements
results        every kernel's result and what it wrote, as text, to the bit

argv: 1 for debug=True, 0 for none. Bounds are not checked either way."""

import hashlib
import json
import re
import struct
import sys
import time

import numpy as np
from numba import njit, prange

DEBUG = len(sys.argv) > 1 and sys.argv[1] == "1"
OPTIONS = {"debug": DEBUG, "boundscheck": False}
jit = njit(**OPTIONS)


@jit
def saxpy(a, x, y):
    for i in range(x.shape[0]):
        y[i] = a * x[i] + y[i]
    return y[0]


@jit
def matmul(a, b, c):
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i, k] * b[k, j]
            c[i, j] = total
    return c[0, 0]


@jit
def bodies(place, speed, mass, steps):
    n = place.shape[0]
    for _ in range(steps):
        for i in range(n):
            fx = 0.0
            fy = 0.0
            fz = 0.0
            for j in range(n):
                if i != j:
                    dx = place[j, 0] - place[i, 0]
                    dy = place[j, 1] - place[i, 1]
                    dz = place[j, 2] - place[i, 2]
                    distance = dx * dx + dy * dy + dz * dz + 0.01
                    inverse = mass[j] / (distance * np.sqrt(distance))
                    fx += dx * inverse
                    fy += dy * inverse
                    fz += dz * inverse
            speed[i, 0] += fx * 0.01
            speed[i, 1] += fy * 0.01
            speed[i, 2] += fz * 0.01
        for i in range(n):
            for k in range(3):
                place[i, k] += speed[i, k] * 0.01
    return place[0, 0]


@jit
def collatz(n):
    best = 0
    for i in range(1, n):
        x = i
        count = 0
        while x != 1:
            if x % 2 == 0:
                x = x // 2
            else:
                x = 3 * x + 1
            count += 1
        if count > best:
            best = count
    return best


@jit
def mandelbrot(width, height, most):
    total = 0
    for row in range(height):
        for column in range(width):
            x0 = column / width * 3.5 - 2.5
            y0 = row / height * 2 - 1
            x = 0.0
            y = 0.0
            k = 0
            while x * x + y * y <= 4 and k < most:
                xt = x * x - y * y + x0
                y = 2 * x * y + y0
                x = xt
                k += 1
            total += k
    return total


@jit
def stencil(a, b, times):
    for _ in range(times):
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                b[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
        for i in range(1, a.shape[0] - 1):
            for j in range(1, a.shape[1] - 1):
                a[i, j] = b[i, j]
    return a[1, 1]


@jit
def floyd_warshall(distance):
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through
    return distance[0, 1]


@jit
def strings(n):
    counts = {}
    for i in range(n):
        key = "k" + str(i % 100)
        if key in counts:
            counts[key] += 1
        else:
            counts[key] = 1
    return len(counts)


@njit(parallel=True, **OPTIONS)
def prange_sum(a):
    total = 0.0
    for i in prange(a.shape[0]):
        total += a[i] * a[i]
    return total


@njit(parallel=True, **OPTIONS)
def expressions(a, b):
    c = a * 2.0 + b
    d = c * c - a
    return d.sum()


@jit
def clip(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x


@jit
def callee(a):
    total = 0.0
    for i in range(a.shape[0]):
        total += clip(a[i], 0.2, 0.8)
    return total


def made(*shape):
    """Values that are the same in every process."""
    return np.random.RandomState(1).rand(*shape)


N = 400_000
CASES = {
    "saxpy": (saxpy, lambda: (1.5, made(N), made(N))),
    "matmul": (matmul, lambda: (made(150, 150), made(150, 150), np.zeros((150, 150)))),
    "n-body": (bodies, lambda: (made(60, 3), np.zeros((60, 3)), made(60), 20)),
    "Collatz": (collatz, lambda: (8000,)),
    "Mandelbrot": (mandelbrot, lambda: (120, 100, 100)),
    "stencil": (stencil, lambda: (made(300, 300), made(300, 300), 5)),
    "Floyd–Warshall": (floyd_warshall, lambda: (made(120, 120),)),
    "strings, dict": (strings, lambda: (5000,)),
    "prange sum": (prange_sum, lambda: (made(N),)),
    "array expressions": (expressions, lambda: (made(N), made(N))),
    "callee": (callee, lambda: (made(N),)),
}
_arguments = {}


def seconds(name, times):
    function, make = CASES[name]
    if name not in _arguments:
        _arguments[name] = make()
        function(*_arguments[name])
    least = float("inf")
    for _ in range(times):
        start = time.process_time()
        function(*_arguments[name])
        least = min(least, time.process_time() - start)
    return least


def vectors(name):
    (overload,) = CASES[name][0].overloads.values()
    packed = r"^\s*v?(?:(?:add|sub|mul|div|min|max|fn?m\w+)p[sd]|p(?:add|sub)[dq])\b"
    return len(re.findall(packed, overload.library.get_asm_str(), re.M))


def results():
    found = {}
    for name, (function, make) in CASES.items():
        arguments = make()
        result = function(*arguments)
        written = hashlib.sha256(b"".join(each.tobytes() for each in arguments if isinstance(each, np.ndarray)))
        bits = struct.pack("<d", result).hex() if isinstance(result, float) else repr(result)
        found[name] = f"{type(result).__name__} {bits} {written.hexdigest()}"
    return found


if __name__ == "__main__":
    for line in sys.stdin:
        asked = line.rstrip("\n").split("\t")
        if asked[0] == "time":
            answer = seconds(asked[1], int(asked[2]))
        elif asked[0] == "vectors":
            answer = vectors(asked[1])
        else:
            answer = results()
        print(json.dumps(answer), flush=True)
