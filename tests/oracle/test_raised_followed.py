"""What decides which way a call took is more than numbers: handlers, lists, strings, named tuples, and arrays that no
compiled function writes to."""

from __future__ import annotations

import pathlib
import sys

import pytest

from tests.oracle.raised.__main__ import calls, judge, run
from tests.oracle.raised.program import BETWEEN, TOP, environment, values
from tests.oracle.raised.program import run as run_program

HEAD = """
from collections import namedtuple

import numpy as np
from numba import njit

Point = namedtuple("Point", "x y")


@njit
def check(v):
    if v > 3:
        raise ValueError("too large")
    return v


@njit
def named(v, name):
    if v > 3:
        raise ValueError(name, v, "value")
    return v


@njit
def of_point(point):
    return point.x // point.y + point.y // point.x


@njit
def of_word(word, x):
    if word == "double":
        return check(x * 2)
    return check(x) + len(word[x])


@njit
def total(a):
    t = 0
    for v in a:
        t += check(v)
        t += check(v + 2)
    return t


@njit
def put(a, x):
    a[0] = x
    return 0


@njit(nogil=True)
def without_lock(a, x):
    check(a[0] + 3)
    return check(a[1] + 3)

"""

# each a function f(a, x), where a is the array 0, 1, 2, 3, 4, 5: all of its frames are known
WHOLE = [
    "t = 0\ntry:\n    t = check(x)\nexcept Exception:\n    t = 1\ncheck(t)\nreturn check(t + 3)",
    "t = 0\ntry:\n    t = 7 // x\n    check(t)\nexcept Exception:\n    t = x + 3\ncheck(t)\nreturn check(t + 3)",
    "t = 0\nfor i in range(x):\n    try:\n        t += check(i + 2)\n    except Exception:\n        t += 10\n"
    "    check(t)\nreturn check(t + 1)",
    "t = 0\ntry:\n    try:\n        t = check(x)\n    except Exception:\n        t = 2\n    t += check(x - 3)\n"
    "except Exception:\n    t = 9\ncheck(t)\nreturn check(t + 1)",
    "some = [x, 2, 3]\ncheck(some.index(2) + 3)\nreturn check(some.pop(x))",
    "some = [1, 2, 3]\nt = some[0] + some[x]\ncheck(t)\nreturn check(some.index(x) + 4) + len(some)",
    "local = np.zeros(3)\nt = local[1] + local[x]\nb = local[1:]\nt += b[x - 1] + b[x]\nreturn check(9)",
    "n = len(range(0, 9, x - 1))\nfor i in range(0, 5, x):\n    check(i)\nreturn check(n)",
    "named(x, 'first')\nnamed(x + 1, 'second')\nreturn named(7, 'third')",
    "return of_point(Point(x, x - 1))",
    "of_word('double', x)\nreturn of_word('single', x + 5)",
    "t = a[x] + a[-1]\ncheck(a[x])\nreturn check(a[x] + 2)",
    "return total(a[x:])",
    "t = 0\nfor i, v in enumerate(a[::2]):\n    check(v)\n    check(v + i)\nreturn t",
    "t = 0\nfor v, w in zip(a, a[x:]):\n    t += check(w - v)\n    t += check(v + 1)\nreturn t",
    "b = np.zeros(6)\nfor i in range(a.size):\n    b[i] = a[i] * 2\n    check(a[i])\n    check(a[i] + x)\n"
    "return a.sum()",
    "t = 0\nfor v in a:\n    try:\n        t = check(v + x)\n    except Exception:\n        t = 2\n"
    "    check(t + v - 1)\nreturn check(9)",
    "t = a[1] * 1e308 * 10\nif t - t != 0:\n    return check(x + 9)\nreturn check(8)",
    "t = a.reshape(2, 3)\nif a[x % 6] > 2:\n    return check(x + 3)\nreturn check(x + 4)",
]
# something may have written to the array, or it is not known what it has
PARTLY = [
    "put(a, x + 9)\ncheck(a[0])\nreturn check(a[0] + 1)",
    "b = a[1:]\nb[0] = x + 9\ncheck(a[0])\nreturn check(a[1])",
    "a += x\ncheck(a[2])\nreturn check(a[2] + 1)",
    "a.sort()\na[:2] = 9\ncheck(a[0])\nreturn check(a[1])",
    "return without_lock(a, x)",
    "some = [x, 2]\nother = some\nother.append(9)\ncheck(some[-1])\nreturn check(some[0] + 9)",
    "some = [x, 2]\nboth = (some, 1)\nboth[0][0] = 9\ncheck(some[0])\nreturn check(some[0] + 9)",
    "t = 0\nkept = [0]\nfor i in range(3):\n    some = [i, x]\n    if i == 1:\n        kept = some\n    some[0] = 9\n"
    "    check(kept[0] - 8)\nreturn check(kept[0])",
]
NUMBERS = (-2, 0, 1, 2, 4, 6)


def _written(bodies: list[str], options: str, folder: pathlib.Path) -> pathlib.Path:
    text = HEAD
    for index, body in enumerate(bodies):
        lines = "\n    ".join(body.splitlines())
        text += f"\n\n@njit{options}\ndef f{index}(a, x):\n    {lines}\n"
    pairs = [(index, x) for index in range(len(bodies)) for x in NUMBERS]
    file = folder / "followed.py"
    file.write_text(f"{text}\nCALLS = {pairs!r}\nTAKES_ARRAY = True\n")
    return file


@pytest.mark.skipif(sys.version_info < (3, 11), reason="handlers are not followed")
def test_whole(tmp_path: pathlib.Path) -> None:
    found = run([_written(WHOLE, "(boundscheck=True)", tmp_path)], environment())
    verdicts = {(*compiled[1:3],): judge(compiled[3], true[3]) for compiled, true in found}
    odd = {call: verdict for call, verdict in verdicts.items() if verdict not in ("equal", "context", "returned")}
    assert not odd
    assert sum(verdict != "returned" for verdict in verdicts.values()) > 50, verdicts


def test_partly(tmp_path: pathlib.Path) -> None:
    """Against code that records where it raises."""
    file = _written(PARTLY, "", tmp_path)
    found = calls([file], environment(), NUMBA_DISABLE_JIT="0")
    true = calls([file], environment(JITSCOPE_TRACEBACKS="all"), NUMBA_DISABLE_JIT="0")
    assert found is not None and true is not None
    verdicts = [(*one[1:3], judge(one[3], other[3])) for one, other in zip(found, true)]
    assert len(verdicts) == len(PARTLY) * len(NUMBERS)
    assert not [each for each in verdicts if each[2] not in ("equal", "context", "returned", "partial", "bare")]


# Python code that compiled code calls writes to the array, or another thread may
WRITTEN = """
    import json, threading
    import numpy as np
    from numba import objmode

    a = np.array([1, 9])

    @njit
    def both(a):
        x = between(a[0])
        return x + between(a[1])

    def write():
        a[:] = 9, 1

    @njit
    def through_python(a):
        x = between(a[0])
        with objmode():
            write()
        return x + between(a[0])

    print(json.dumps(frames(both, a)))
    print(json.dumps(frames(both, a[::-1])))
    print(json.dumps(frames(through_python, a)))
    event = threading.Event()
    other = threading.Thread(target=event.wait)
    other.start()
    print(json.dumps(frames(both, np.array([0, 9]))))
    event.set()
    other.join()
    print(json.dumps(frames(both, np.array([0, 9]))))
    print(json.dumps(frames(both, np.frombuffer(bytearray(np.array([0, 9]).tobytes()), np.int64))))
"""


def test_elements_that_others_may_write(tmp_path: pathlib.Path) -> None:
    found = [[tuple(frame) for frame in frames] for frames in values(run_program(tmp_path, WRITTEN))]
    first, second, rest = ("both", "x = between(a[0])"), ("both", "return x + between(a[1])"), [BETWEEN, TOP]
    assert found[:2] == [[second, *rest], [first, *rest]]
    assert found[2] in (rest, [("through_python", "return x + between(a[0])"), *rest])
    assert found[3] in (rest, [second, *rest])
    assert found[4] == [second, *rest]
    assert found[5] in (rest, [second, *rest])


def test_a_constant_string_among_the_arguments(tmp_path: pathlib.Path) -> None:
    """Numba unpickles it before the exception."""
    text = """
        import json
        @njit
        def named(x, name):
            if x > 3:
                raise ValueError(x, name)
            return x
        @njit
        def outer(x):
            return named(x, "name")
        print(json.dumps(frames(outer, 9)))
    """
    assert values(run_program(tmp_path, text)) == [
        [["outer", 'return named(x, "name")'], ["named", "raise ValueError(x, name)"]]
    ]


def test_other_numbers_and_arrays(tmp_path: pathlib.Path) -> None:
    """Numbers of smaller types, code beside parallel loops, and shapes of arrays decide which call raised."""
    text = """
        import json
        import numpy as np
        from numba import prange
        @njit
        def check(x, limit):
            if x > limit:
                raise ValueError("above")
            return x
        @njit
        def both(x, y):
            a = check(x, np.float32(1.5))
            return a + check(y, np.float32(1.5))
        @njit
        def elements(v):
            return check(v[0] - v[1], 3) + check(v[2], 3)
        @njit
        def thirds(x, y):
            a = check(x * np.float32(3.0), np.float32(0.3))
            return a + check(y, np.float32(0.3))
        @njit
        def powers(x, y):
            a = check(x ** 2, 10)
            return a + check(1 << y, 10)
        @njit(parallel=True)
        def beside(v, x, y):
            s = check(x, 3.0)
            for i in prange(v.shape[0]):
                s += v[i]
            x += s
            return check(y, 3.0) + check(x, 3.0)
        @njit
        def sums(a, b, c):
            t = a + b
            u = t * c
            return u.reshape(2, 3).size + t.reshape(3, 2).size
        single, small = np.float32, np.int32
        ones = np.ones
        calls = [
            (both, single(2), single(1)), (both, single(1), single(2)), (both, small(2), small(1)),
            (both, small(1), small(2)), (thirds, single(0.1), single(0.4)), (thirds, single(0.09), single(0.4)),
            (powers, 4, 1), (powers, 2, 5), (powers, 3, 60), (beside, ones(4), 4.0, 1.0), (beside, ones(4), 1.0, 4.0),
            (beside, ones(4), 1.0, 1.0), (sums, ones(6), ones(5), ones(6)), (sums, ones(6), ones(6), ones(5)),
            (sums, ones(6), ones(1), ones((2, 6))), (sums, ones(5), ones(5), ones((2, 1))),
        ]
        for kind in "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32":
            calls += [(elements, np.array(each, kind)) for each in ([9, 1, 9], [9, 8, 9])]
        for function, *arguments in calls:
            print(json.dumps(frames(function, *arguments)[:2]))
    """
    compiled, interpreted = (values(run_program(tmp_path, text, NUMBA_DISABLE_JIT=off)) for off in "01")
    unknown = [index for index, (own, true) in enumerate(zip(compiled, interpreted)) if own != true]
    assert all(own in (true, true[1:], []) for own, true in zip(compiled, interpreted))
    assert unknown in ([], [11]) and len(compiled) == 30
