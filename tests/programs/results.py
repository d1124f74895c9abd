"""What compiled code computes, to the bit, one case a line: name, result or exception, references that are left.

argv: the cases, all where there are none. NUMBA_NRT_STATS=1 is wanted. Between cases nothing of Numba's runtime is
alive."""

import pathlib
import sys

import numpy as np
from numba import njit, prange, typed, types
from numba.experimental import jitclass

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "oracle" / "hooked"))
from outcomes import counted  # noqa: E402
from returned import bits  # noqa: E402

jit = njit(debug=True)
cases = []


def case(*arguments):
    """arguments: made anew for each call."""

    def add(function):
        cases.append((function, arguments))
        return function

    return add


NANS = np.array([0x7FF8000000000001, 0xFFF8DEADBEEF0001, 0x7FF0000000000000, 0x8000000000000000, 1], np.uint64)


@case(lambda: NANS.view(np.float64).copy(), lambda: 3)
@jit
def payloads(a, turns):
    out = np.empty(a.shape[0] * 2)
    kept = a[0]
    for turn in range(turns):
        for i in range(a.shape[0]):
            x = a[i]
            if turn == 1:
                kept = x
            out[i] = x
            out[a.shape[0] + i] = -x if i % 2 else kept
    other = kept
    return out, other


@case(lambda: NANS[:2].astype(np.uint64).view(np.float64).astype(np.float32), lambda: np.float32(1.5))
@jit
def single(a, scale):
    first = a[0]
    second = a[1] + scale
    return first, second, scale * scale


@case(lambda: complex(float("nan"), -0.0))
@jit
def complexes(z):
    w = z
    v = w.conjugate()
    return w, v, v.imag


@case(lambda: 17)
@jit
def changing(n):
    x = 1
    y = x + n
    x = 0.5
    y = x * y
    x = "one"
    return len(x), y


@case(lambda: 40)
@jit
def arrays(n):
    a = np.zeros(n)
    for i in range(n):
        b = np.ones(3) * i
        a = a + b.sum()
        c = b[::2]
    return a, c.copy()


@case(lambda: 25)
@jit
def lists(n):
    found = [1.5]
    for i in range(n):
        part = [float(i)] * 2
        found = found + part
        if len(found) > 20:
            found = found[5:]
    last = found.pop()
    return found, last


@case(lambda: [3, 1, 2])
@jit
def reflected(given):
    given.append(len(given))
    given.sort()
    other = given
    other[0] = 9
    return given


@case(lambda: 60)
@jit
def dicts(n):
    d = {}
    for i in range(n):
        key = "k" + str(i % 7)
        value = np.full(2, i)
        d[key] = value
    total = 0
    for key, value in d.items():
        total += value[0] * len(key)
    s = set([total, total + 1])
    e = typed.List([1, 2])
    e.append(len(s))
    return total, len(d), e[2]


@case(lambda: "äbc", lambda: 5)
@jit
def strings(s, n):
    t = s
    for i in range(n):
        t = t + s.upper() + str(i)
    first, rest = t[0], t[1:]
    return first, rest, t.split("1")


@jitclass([("total", types.float64), ("seen", types.float64[:])])
class Counter:
    def __init__(self, n):
        self.total = 0.0
        self.seen = np.zeros(n)

    def add(self, x):
        before = self.total
        self.total = before + x
        self.seen[0] += 1
        return before


@case(lambda: 9)
@jit
def classes(n):
    c = Counter(n)
    for i in range(n):
        before = c.add(i * 0.5)
        if before > 6:
            c = Counter(2)
    return c.total, before, c.seen


@jit
def counting(n):
    a = np.arange(n) * 1.5
    for i in range(n):
        part = a[i:]
        yield part.sum()
    b = a + 1
    yield b[0]


@case(lambda: 6)
@jit
def generators(n):
    total = 0.0
    for value in counting(n):
        total += value
    for value in counting(n):
        if value < 5:
            break
    return total, value


@case(lambda: 12)
@jit
def closures(n):
    scale = np.ones(2) * n

    def inner(x):
        y = scale * x
        return y[0]

    return inner(2) + inner(n)


@case(lambda: 11)
@jit
def recursion(n):
    below = np.ones(2)
    if n < 2:
        return 1
    one = recursion(n - 1)
    return one + recursion(n - 2) + int(below[0])


@case(lambda: np.arange(50.0), lambda: 3)
@njit(debug=True, parallel=True)
def parallel(a, k):
    out = np.zeros(a.shape[0])
    total = 0.0
    for i in prange(a.shape[0]):
        s = 0.0
        for j in range(k):
            s += a[i] * j
        if i % 7:
            out[i] = s
        total += int(s)
    b = out * 2 + a
    return out, total, b


@case(lambda: 7, lambda: None)
@jit
def optional(n, start):
    best = start
    for i in range(n):
        if i == 4:
            best = i
    if best is None:
        return -1
    return best


@case(lambda: 7)
@jit
def early(n):
    held = np.ones(n)
    for i in range(n):
        if i > 3:
            piece = held[:i]
            return piece.sum()
    return 0.0


@case(lambda: 5)
@jit
def caught(n):
    done = 0
    for i in range(n):
        a = np.ones(i + 1)
        try:
            if i == 3:
                raise ValueError("three")
            done += len(a)
        except Exception:
            done += 100
    return done


@jit
def raising(n):
    kept = n * 2
    if n > 3:
        raise KeyError("deep", n, kept)
    return kept


@case(lambda: 2)
@case(lambda: 9)
@jit
def exceptions(n):
    before = raising(n) + 1
    return before


@case(lambda: 0)
@jit
def divided(n):
    x = 1
    return x // n


@case(lambda: 3)
@jit
def asserted(n):
    for i in range(n):
        assert i < 2, "too many"
    return i


@case(lambda: np.arange(4), lambda: 4)
@njit(debug=True, boundscheck=True)
def bounds(a, i):
    value = a[i]
    return value


@case(lambda: np.arange(4.0), lambda: 9, lambda: 2)
@case(lambda: np.arange(4.0), lambda: 2, lambda: 2)
@njit(debug=True, boundscheck=True)
def alias(a, i, n):
    """An exception passes a local of what the caller has."""
    other = a
    view = other[1:]
    first = other[0]
    for k in range(n):
        row = view[k:]
        first += row[0] + other[i]
    return first, view


@case(lambda: np.arange(4.0), lambda: 9, lambda: 2)
@case(lambda: np.arange(4.0), lambda: 1, lambda: 2)
@njit(debug=True, boundscheck=True)
def aliases(a, i, n):
    """Also of what it has made itself."""
    if n > 1:
        part = a[1:]
    else:
        part = a
    made = np.zeros(n)
    other = made
    made = part
    return made[i] + other[1]


@case(lambda: np.ones((3, 2)), lambda: 5)
@case(lambda: np.ones((3, 2)), lambda: 1)
@njit(debug=True, boundscheck=True)
def rows(a, i):
    pair = (a, a[0])
    if i > 3:
        kept = pair[1]
        raise ValueError("rows", i)
    last = pair[0][i]
    return last.sum()


@case(lambda: np.arange(4), lambda: 6)
@njit(debug=True, boundscheck=True)
def caught_bounds(a, n):
    total = k = 0
    while k < n:
        k += 1
        try:
            total += a[k]
        except Exception:
            total += 100
    return total


@case(lambda: np.array([1.0, np.nan, -0.0, np.inf]), lambda: 2)
@njit(debug=True, fastmath=False, error_model="numpy")
def divisions(a, n):
    out = np.empty((n, a.shape[0]))
    for k in range(n):
        for i in range(a.shape[0]):
            out[k, i] = (a[i] / k) ** 2 - a[i] % 1.5
    return out


def outcome(function, arguments):
    given = [make() for make in arguments]
    try:
        result = bits(function(*given))
    except Exception as error:
        result = f"{type(error).__name__}{error.args!r}"
    result += " given " + bits(given)
    if any(isinstance(each, np.ndarray) for each in given):
        result += f" held {[sys.getrefcount(each) for each in given if isinstance(each, np.ndarray)]}"
    return result


for function, arguments in cases:
    function_name = function.py_func.__name__
    if sys.argv[1:] and function_name not in sys.argv[1:]:
        continue
    said, left, left_infos = counted(lambda function=function, arguments=arguments: outcome(function, arguments))
    print(f"{function_name}\t{said}\t{left}\t{left_infos}", flush=True)
