"""Where LLVM has merged the ways on which a function raises, the arguments of the call say which way was taken."""

from __future__ import annotations

import pathlib

from tests.oracle.raised.__main__ import calls, judge, run
from tests.oracle.raised.program import BETWEEN, TOP, environment, values
from tests.oracle.raised.program import run as run_program

HEAD = """
import numpy as np
from numba import njit, int32, int64, float64, uint8

LIMIT = 4
ARRAY = np.array([3, 9, 1])


@njit
def check(v):
    if v > 3:
        raise ValueError("too large")
    return v


@njit
def check_float(v):
    if not v <= 3.5:
        raise ValueError("too large")
    return v * 1.5


@njit
def least(v, least=2):
    if v < least:
        raise KeyError("too small")
    return v - least


@njit
def first_of(v, *rest):
    check(v + len(rest))
    return check(rest[0])


@njit
def only(*rest):
    check(len(rest))
    return check(rest[0])


@njit(error_model="numpy")
def quotient(a, b):
    q = a // b
    check(q)
    return check(q + b)
"""

# each a function f(x): all of its frames are known
WHOLE = [
    "t = check(x)\nreturn t + check(x + 1)",
    "t = 0\nfor i in range(x, -x, -1):\n    t += check(i)\n    t += check(i + 2)\nreturn t",
    "t = 0\nwhile True:\n    t += 2\n    if t == 8 - x:\n        break\n    check(t)\n    check(t - 1)\n"
    "return check(9)",
    "for i in range(3):\n    for j in range(i, 3):\n        if i + j == x:\n            continue\n"
    "        check(i * j)\n    check(i + x)\nreturn check(x * x)",
    "y = check_float(x)\nz = check_float(y + x)\nreturn check_float(z / 2)",
    "y = x / 2\nif y > 1:\n    y = check_float(y)\nreturn check_float(y + 1) + check_float(4.0)",
    "for each in (1, x, 5):\n    check(each)\n    check(each - x)\nreturn 0",
    "a, b = (x, -x)\nt = check(a), check(b)\nreturn t[0] + check(t[1] + LIMIT)",
    "least(x)\nleast(x, 1)\nreturn least(v=x, least=0) + check(x) + check(x + 1)",
    "ok = x > 0 and x < 3\nif ok:\n    check(x + 2)\nif not ok:\n    check(5)\nreturn check(7)",
    "t = x % 3 + -x // 2\ncheck(t)\ncheck(t + (x & 2) + (x ^ 1) + (x >> 1))\nreturn check(9 - ~x)",
    "t = 1.0\nif x:\n    t = x\ncheck_float(t)\nreturn check_float(t + 3)",
    "n = len(range(x, 9, 2))\ncheck(n)\nreturn check(n + 1)",
    "f = check\nf(x)\nreturn f(x + 1)",
    "return quotient(7, x)",
    "t = max(x, 2) + abs(-x) + min(1, x, 2) + int(x > 1)\ncheck(t)\ncheck(t + 2)\nreturn check_float(float(x) + 4)",
    "t = 7 // (x - 1)\nreturn t + 9 % x + 6 // (x - 2)",
]
# each a function f(x): not all that decides which way is taken is followed, so frames may be left out
PARTLY = [
    "t = ARRAY[x % 3]\ncheck(t)\nreturn check(t + 1)",
    "t = int32(x) * int32(1 << 30)\ncheck(t)\nreturn check(t - 1)",
    "t = uint8(x)\ncheck(t - 1)\nreturn check(t)",
    "t = x * (1 << 62) * 2\ncheck(t + 1)\nreturn check(4)",
    "t = x << 62\ncheck(t)\nreturn check(7)",
    "first_of(x, x)\nreturn first_of(x + 1, x - 1, 9)",
    "only(x)\nreturn only(x, 1, 2, 3)",
    "t = 0\ntry:\n    t = check(x)\nexcept Exception:\n    t = 1\ncheck(t)\nreturn check(t + 3)",
    "t = 0\ntry:\n    t = 7 // x\n    check(t)\nexcept Exception:\n    t = x + 3\ncheck(t)\nreturn check(t + 3)",
    "try:\n    if x > 1:\n        raise KeyError('caught')\n    check(x + 4)\nexcept Exception:\n    check(x)\n"
    "return check(7)",
    "t = None\nif x > 1:\n    t = x\nif t is None:\n    return check(4)\nreturn check(5)",
    "a = np.arange(x + 3)\nfor i in range(a.size):\n    check(i)\n    check(a[i] + 1)\nreturn 0",
    "some = [x, 2]\nsome.append(check(x))\ncheck(some.pop())\nreturn check(len(some) + x)",
    "t = x ** 2\ncheck(t)\nreturn check(int(t / 3))",
    "t = float64(x) % 2\nreturn check_float(t + 3) + check_float(x // 0.5)",
    "if x > 0:\n    return f16(x - 1) + check(x + 2)\nreturn check(x + 9)",
    "t = max(x, 2.5) + min(x, -1)\ncheck_float(t)\nreturn check_float(t + 2)",
]
NUMBERS = (-2, -1, 0, 1, 2, 3, 5)


def _written(bodies: list[str], folder: pathlib.Path) -> pathlib.Path:
    text = HEAD
    for index, body in enumerate(bodies):
        lines = "\n    ".join(body.splitlines())
        text += f"\n\n@njit\ndef f{index}(x):\n    {lines}\n"
    calls = [(index, x) for index in range(len(bodies)) for x in NUMBERS]
    file = folder / "arguments.py"
    file.write_text(f"{text}\nCALLS = {calls!r}\nTAKES_ARRAY = False\n")
    return file


def test_whole(tmp_path: pathlib.Path) -> None:
    found = run([_written(WHOLE, tmp_path)], environment())
    verdicts = {(*compiled[1:3],): judge(compiled[3], true[3]) for compiled, true in found}
    odd = {call: verdict for call, verdict in verdicts.items() if verdict not in ("equal", "returned")}
    assert odd == {(14, 0): "other"}  # with this error model, a quotient by 0 is a number
    assert list(verdicts.values()).count("equal") > 70, verdicts


def test_partly(tmp_path: pathlib.Path) -> None:
    """Against code that records where it raises, because integers wrap in compiled code."""
    file = _written(PARTLY, tmp_path)
    found = calls([file], environment(), NUMBA_DISABLE_JIT="0")
    true = calls([file], environment(JITSCOPE_TRACEBACKS="all"), NUMBA_DISABLE_JIT="0")
    assert found is not None and true is not None
    verdicts = [(*one[1:3], judge(one[3], other[3])) for one, other in zip(found, true)]
    assert len(verdicts) == len(PARTLY) * len(NUMBERS)
    assert not [each for each in verdicts if each[2] not in ("equal", "returned", "partial")]


# A call in between has got its arguments from the same tuple's place, and the arguments are of other types.
OTHERS = """
    import json, sys
    import numpy as np
    from numba import objmode, vectorize, cfunc, types

    @njit
    def both(x, y):
        a = between(x)
        return a + between(y)

    def call_again(x):
        return both(x, x)

    @njit
    def through_python(x, y):
        with objmode(z="int64"):
            z = call_again(0)
        a = between(x + z - 2)
        return a + between(y)

    @njit
    def of_keywords(x, y=9, z=1):
        return between(x) + between(y) + between(z)

    class Index:
        def __index__(self):
            return 9

    @vectorize(["int64(int64)"])
    def elements(x):
        return between(x) + between(x + 1)

    for each in ((both, 1, 9), (both, 9, 1), (both, True, 9), (both, np.int64(9), 1), (both, np.int8(9), 1),
                 (both, 9.5, 1), (through_python, 1, 9), (of_keywords, 1), (of_keywords, 9, 1)):
        print(json.dumps(frames(*each)))
    print(json.dumps(frames(lambda: of_keywords(y=1, x=1, z=9))[1:]))
    print(json.dumps(frames(elements, np.arange(6))[1:]))
    for number in range(4, 100):
        last = frames(both, number, number)
    print(json.dumps(last))
"""


def test_other_arguments(tmp_path: pathlib.Path) -> None:
    first, second = ("both", "a = between(x)"), ("both", "return a + between(y)")
    found = [[tuple(frame) for frame in frames] for frames in values(run_program(tmp_path, OTHERS))]
    rest = [BETWEEN, TOP]
    keyword = ("of_keywords", "return between(x) + between(y) + between(z)")
    assert found[:2] == [[second, *rest], [first, *rest]]
    assert found[2] == [second, *rest]  # a boolean is one of another signature
    assert found[3] == [first, *rest]
    assert found[4] in ([first, *rest], rest)
    assert found[5] in ([first, *rest], rest)
    assert found[6] in ([("through_python", "return a + between(y)"), *rest], rest)
    assert found[7:10] == [[keyword, *rest]] * 3
    assert found[10] in ([("elements", "return between(x) + between(x + 1)"), *rest], rest)
    assert found[11] == rest  # after 64 other arguments


def test_cached(tmp_path: pathlib.Path) -> None:
    text = """
    import json
    @njit(cache=True)
    def both(x, y):
        a = between(x)
        return a + between(y)
    print(json.dumps(frames(both, 1, 9)))
    print(json.dumps(frames(both, 9, 1)))
    print(sum(both.stats.cache_hits.values()))
    """
    printed = [run_program(tmp_path, text, "(cache=True)", NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    (*new, none), (*cached, one) = (values(each) for each in printed)
    assert new == cached and (none, one) == (0, 1)
    assert [frames[0][1] for frames in cached] == ["return a + between(y)", "a = between(x)"]
