"""Calls that LLVM has not inlined say from which of several places an exception comes: their return addresses are still
on the stack when the wrapper raises it."""

from __future__ import annotations

import pathlib
import textwrap
from typing import Any

from tests.oracle.raised.program import WITHOUT_ARGUMENTS, run, values

# `large` is too large to be inlined. `shared` is inlined in it, and in others.
CALLS = """
    import json, os
    import numpy as np
    def compiled(name, *lines):
        work = [f"t = (t * 31 + x // {k}) % {1009 + k}" for k in range(3, 63)]
        text = "\\n    ".join([f"def {name}:", "t = x", *work, *lines])
        path = os.path.join(os.path.dirname(__file__), f"{name[:5]}.py")
        with open(path, "w") as file:
            file.write(text)
        exec(compile(text, path, "exec"), globals())
        return njit(globals()[name[:5]])
    large = compiled(
        "large(x, limit)", "if x > limit:", "    raise ValueError('large')", "if x < -limit:",
        "    raise ValueError('small', x)", "return t // (x - 2)",
    )
    @njit
    def shared(x):
        if x > 3:
            raise KeyError("shared")
        return x
    other = compiled("other(x)", "t += shared(x)", "return t + shared(x + 1)")
    @njit
    def twice(x):
        first = large(x, 3)
        return first + large(x + 1, 3)
    @njit
    def lines(x):
        t = twice(x - 2)
        t += twice(x)
        return t - twice(x + 1)
    @njit
    def loops(x, n):
        t = 0
        for i in range(n):
            t += large(x - i, 90)
        while n > 0:
            t += large(x + n, 3)
            n -= 1
        return t
    @njit
    def descend(n, x):
        t = 0
        if n % 2:
            t += large(x - n, 3)
            t += descend(n - 1, x + 1)
        elif n:
            t += descend(n - 1, x)
        return t + large(x + n, 5)
    @njit
    def arrays(a, b, x):
        t = 0
        for i in range(len(a)):
            t += large(int(a[i]), x)
        for i in range(len(b)):
            t += large(int(b[i]), x)
        return t
    @njit
    def handled(x):
        t = 0
        try:
            t += large(x, 3)
        except Exception:
            t += 1
        t += large(x - 1, 4)
        return t + large(x + 1, 4)
    @njit
    def itself(x):
        t = other(x - 8)
        if x > 5:
            t += shared(x - 3)
        return t + other(x - 6)
"""
EACH = """
    up = np.arange(5, 12)
    CALLS = [(twice, x) for x in (4, 3, 2, 1, -9)] + [(lines, x) for x in (6, 5, 4, 3, 2, -7)]
    CALLS += [(loops, x, n) for x, n in ((4, 5), (1, 3), (3, 0), (99, 1), (-4, 2))]
    CALLS += [(descend, n, x) for n, x in ((3, 1), (4, 2), (5, 0), (2, 9))]
    CALLS += [(arrays, up, up, 8), (arrays, up[:3], up, 8), (arrays, up - 3, up, 9), (arrays, -up, up, 8)]
    CALLS += [(handled, x) for x in (3, 4, 5, 9)] + [(itself, x) for x in (3, 5, 6, 7, 8, 9, 20)]
    for function, *arguments in CALLS * 2:
        print(json.dumps([function.__name__, frames(function, *arguments)]))
"""


def is_part(found: list[Any], true: list[Any]) -> bool:
    rest = iter(true)
    return all(each in rest for each in found)


def test_calls_that_are_not_inlined(tmp_path: pathlib.Path) -> None:
    """A function that may have raised the exception itself says nothing of its calls."""
    compiled, interpreted = (
        values(run(tmp_path, "".join(map(textwrap.dedent, (WITHOUT_ARGUMENTS, CALLS, EACH))), NUMBA_DISABLE_JIT=off))
        for off in "01"
    )
    assert [name for name, _ in compiled] == [name for name, _ in interpreted]
    shown = [(name, found, true) for (name, found), (_, true) in zip(compiled, interpreted) if found or true]
    assert len(shown) > 50
    assert [each for each in shown if not is_part(*each[1:])] == []
    assert {name for name, found, true in shown if found != true} == {"itself"}


def test_a_forked_process(tmp_path: pathlib.Path) -> None:
    text = """
        print(json.dumps(frames(twice, 3)), flush=True)
        if not os.fork():
            print(json.dumps(frames(twice, 3)), flush=True)
            print(json.dumps(frames(lines, 4)), flush=True)
            os._exit(0)
        os.wait()
    """
    compiled, interpreted = (
        values(run(tmp_path, textwrap.dedent(CALLS) + textwrap.dedent(text), NUMBA_DISABLE_JIT=off)) for off in "01"
    )
    assert compiled == interpreted


def test_signals_meanwhile(tmp_path: pathlib.Path) -> None:
    """The handler of a signal may write over return addresses. Then frames are left out, and none is false."""
    text = """
        import collections, signal
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
        found = collections.Counter()
        for number in range(20000):
            x = 3 + number % 2
            found[json.dumps([x, frames(twice, x)])] += 1
        signal.setitimer(signal.ITIMER_REAL, 0)
        for each in found:
            print(each)
        assert max(found.values()) > 9000, found
    """
    found = values(run(tmp_path, textwrap.dedent(CALLS) + textwrap.dedent(text)))
    calls = {3: ["twice", "return first + large(x + 1, 3)"], 4: ["twice", "first = large(x, 3)"]}
    raises = ["large", "raise ValueError('large')"]
    assert all(frames in ([calls[x], raises], [raises]) for x, frames in found)


def test_variables_that_are_freed(tmp_path: pathlib.Path) -> None:
    """A wrapper frees its arrays before it raises; that leaves the return addresses."""
    text = """
        for values in up, up[:3], -up:
            print(json.dumps(frames(arrays, values.copy(), up.copy(), 8)))
    """
    compiled, interpreted = (
        values(
            run(
                tmp_path,
                textwrap.dedent(CALLS) + "up = np.arange(5, 12)\n" + textwrap.dedent(text),
                NUMBA_DISABLE_JIT=off,
            )
        )
        for off in "01"
    )
    assert compiled == interpreted and all(len(each) == 2 for each in compiled)


def test_releases_between_a_call_and_its_test(tmp_path: pathlib.Path) -> None:
    """LLVM puts the release of arrays between a call that raises and the test whether it has, by the register that had
    the address of the called function before. The release is no call of that function."""
    text = """
        import json
        import numpy as np
        @njit
        def choose(a, b):
            x = np.random.choice(a)
            y = np.random.choice(b)
            return x + y
        @njit
        def least(a, b):
            x = a.min()
            return x + b.min()
        @njit
        def three(a, b):
            x = np.random.choice(a)
            if x > 5:
                x += np.random.choice(b)
            return x + np.random.choice(b)
        empty, some = np.zeros(0), np.arange(6, 9.0)
        for function in choose, least, three:
            for arguments in (empty, some), (some, empty), (some - 9, empty), (some, empty), (empty, some):
                print(json.dumps(frames(function, *arguments)[:1]))
    """
    compiled, interpreted = (values(run(tmp_path, text, NUMBA_DISABLE_JIT=off)) for off in "01")
    assert len(compiled) == 15
    for own, true in zip(compiled, interpreted):
        assert own in (true, [])
    assert compiled[:10] == interpreted[:10]
