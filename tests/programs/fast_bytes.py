"""Functions with fastmath flags, and what calls them: what each computes to the bit, and the bytes of its code.

    fast_bytes.py    writes JSON: the results of each function, and by library and section the digests of the bytes"""

import hashlib
import json
import re

import jitscope
import numpy as np
from elf_sections import CODE, sections
from numba import guvectorize, njit, prange, stencil, vectorize
from numba.core import codegen

codes: dict[str, list[str]] = {}
NAMED = re.compile(r"(__numba_parfor_gufunc|__numba_stencil|_GufuncWrapper object at )_?0x[0-9a-f]+")


def keep_code(library, finalize=codegen.CPUCodeLibrary.finalize) -> None:
    library.enable_object_caching()
    finalize(library)
    library._ensure_finalized()
    made = NAMED.sub(r"\1", library.name)
    for name, content in sections(library._get_compiled_object()):
        if name.startswith(CODE):
            codes.setdefault(f"{made} {name}", []).append(hashlib.sha256(content).hexdigest())


codegen.CPUCodeLibrary.finalize = keep_code


def fast(**options):
    return njit(**{"debug": True, "fastmath": True, **options})


@fast()
def products(a, b, c, d):
    t = a * b
    u = t * c
    v = u * d
    return v * a * c


@fast(fastmath={"reassoc", "contract"})
def distance(x, y):
    total = 0.0
    for i in range(x.shape[0]):
        difference = x[i] - y[i]
        square = difference * difference
        total += square
    return total / x.shape[0]


@fast()
def mean(x):
    total = 0.0
    count = 0
    for i in range(x.shape[0]):
        if not np.isnan(x[i]):
            total += x[i]
            count += 1
    return total / count


@njit(debug=True)
def half(x):
    scaled = x * 0.5
    return scaled


@fast()
def calls_half(x, n):
    total = 0.0
    for i in range(n):
        part = half(x + i)
        total = total + part * x + i
    return total


@jitscope.steps
@njit(debug=True)
def third(x):
    scaled = x / 3.0
    return scaled


@fast()
def calls_third(x, n):
    total = 0.0
    for i in range(n):
        total = total + third(x + i) * x * third(x + i)
    return total


@njit(debug=True)
def calls_fast(x, y):
    first = products(x[0], x[1], y[0], y[1])
    second = products(first, x[2], y[2], first)
    return first * second + distance(x, y)


@fast(parallel=True)
def rows(x, scale):
    found = np.zeros(x.shape[0])
    grand = 0.0
    for i in prange(x.shape[0]):
        part = 0.0
        for j in range(x.shape[1]):
            term = x[i, j] * scale
            part += term * term
        found[i] = part
        grand += part
    return found * scale + grand


@fast(parallel=True)
def fused(x, y, count):
    scaled = x * 3.0
    shifted = scaled + y
    bound = count + 1
    total = 0.0
    for i in prange(x.shape[0]):
        limit = bound
        unused = limit * 2
        total += shifted[i] * limit
    size = np.array([total, bound])
    for row_idx in prange(y.shape[0]):
        shifted[row_idx] += size[0] * scaled[row_idx]
    return shifted


@stencil
def beside(a):
    left = a[-1] * 0.25
    return left + a[1] * 0.75


@fast()
def smooth(x):
    return beside(x)


@fast(parallel=True)
def smooth_rows(x):
    return beside(x) + x


@fast()
def closures(x, scale):
    def one(value):
        moved = value * scale
        return moved + 0.1

    size = [one(each) for each in x]
    array = np.array([one(each) * each for each in x])
    try:
        index = one(x[0])
        if index > 100.0:
            raise ValueError(index)
    except Exception:
        index = 0.0
    return size[0] * array[1] * index


@fast()
def parts(x):
    total = 0.0
    for each in x:
        total = total * 1.1 + each
        scaled = total * each * 0.3
        yield scaled


@njit
def plus(a, b):  # without debug information of its own, so that LLVM inlines it
    return a * 0.1 + b * 0.3 + a * b


PLUS = njit(fastmath=True)(plus.py_func)


@njit(debug=True)
def adds_up(x):
    total = 0.0
    for i in range(x.shape[0]):
        before = total
        total = PLUS(total, PLUS(x[i], before))
    return total


@vectorize(["float64(float64, float64)"], nopython=True, fastmath=True)
def element(a, b):
    t = a * b
    u = t * a
    return u * b * a


@guvectorize(["(float64[:], float64[:])"], "(n)->(n)", nopython=True, fastmath=True)
def running(x, out):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i] * x[i] * x[i]
        out[i] = total


def bits(value):
    if isinstance(value, (list, tuple)):
        return [bits(each) for each in value]
    return np.asarray(value).tobytes().hex()


def results():
    rng = np.random.default_rng(21)
    x, y, square = rng.random(203), rng.random(203), rng.random((40, 33))
    try:
        undefined = bits(mean(np.full(4, np.nan)))
    except ZeroDivisionError as error:
        undefined = repr(error)
    return {
        "products": [bits(products(*rng.random(4))) for _ in range(200)],
        "distance": bits(distance(x, y)),
        "mean": bits(mean(x)),
        "undefined": undefined,
        "calls_half": bits(calls_half(0.3, 100)),
        "calls_fast": bits(calls_fast(x, y)),
        "adds_up": bits(adds_up(x)),
        "rows": bits(rows(square, 0.7)),
        "calls_third": bits(calls_third(0.3, 100)),
        "fused": bits(fused(x, y, 3)),
        "smooth": bits(smooth(x)),
        "smooth_rows": bits(smooth_rows(x)),
        "closures": bits(closures(x, 0.7)),
        "parts": bits([*parts(x)]),
        "element": bits(element(x, y)),
        "running": bits(running(square)),
    }


if __name__ == "__main__":
    print(json.dumps({"results": results(), "codes": codes}))
