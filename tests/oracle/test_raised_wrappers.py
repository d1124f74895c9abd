"""Exceptions that come to Python through other wrappers than that of an `@njit` function have frames, too: those of
universal functions, callbacks for C, and generators."""

from __future__ import annotations

import pathlib

import pytest

from tests.oracle.raised.program import BETWEEN, MODES, STEPS, TOP, run, values

# Compiled functions are called by their wrappers. The interpreter, which has none, calls them for each element.
WRAPPERS = """
    import json, sys, traceback
    import numpy as np
    from numba import cfunc, config, guvectorize, vectorize

    cached = {cached}
    def element(x):
        t = between(x)
        return t * 2
    def row(a, out):
        for i in range(len(a)):
            out[i] = i
            out[i] += between(a[i])
    def generated(x):
        yield 1
        yield between(x)

    NAMES = "element", "row", "generated", "between", "innermost"
    def show(error):
        entries = traceback.extract_tb(error.__traceback__)
        print(json.dumps([(each.name, each.line) for each in entries if each.name in NAMES]))
    def call(function, *arguments):
        try:
            function(*arguments)
        except Exception as error:
            show(error)
    sys.unraisablehook = lambda ignored: show(ignored.exc_value)

    a = np.arange(6)
    if config.DISABLE_JIT:
        for x in 4, 4, 9:
            call(element, x)
        call(row, a, a.copy())
        call(lambda: list(generated(9)))
    else:
        call(vectorize(cache=cached)(element), a)
        call(vectorize(["int64(int64)"], cache=cached)(element), a)
        call(guvectorize(["int64[:], int64[:]"], "(n)->(n)", cache=cached)(row), a)
        callback = cfunc("int64(int64)", cache=cached)(element)
        call(callback.ctypes, 9)
        made = njit(cache=cached)(generated)
        call(lambda: list(made(9)))
"""
ENTRIES = [("element", "t = between(x)")] * 3
ENTRIES += [("row", "out[i] += between(a[i])"), ("generated", "yield between(x)")]


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize("settings", [{}, STEPS, {"JITSCOPE_TRACEBACKS": "all"}], ids=["known", "steps", "all"])
def test_wrappers(settings: dict[str, str], cached: bool, tmp_path: pathlib.Path) -> None:
    text = WRAPPERS.replace("{cached}", str(cached))
    interpreted = sorted(values(run(tmp_path, text, NUMBA_DISABLE_JIT="1")))
    assert interpreted == sorted([list(each), list(BETWEEN), list(TOP)] for each in ENTRIES)
    for _ in range(1 + cached):
        compiled = values(run(tmp_path, text, NUMBA_CACHE_DIR=str(tmp_path), **settings))
        assert sorted(compiled) == interpreted


def test_an_exception_that_is_ignored_has_variables(tmp_path: pathlib.Path) -> None:
    """C code gets no exception from a callback; `last_exception()` has it."""
    text = """
        import jitscope
        from numba import cfunc
        @cfunc("int64(int64)")
        def called(x):
            half = x // 2
            return between(half)
        called.ctypes(18)
        last = jitscope.last_exception()
        print(last.type.__name__, [(frame.name, frame.variables) for frame in last.frames])
    """
    frames = [("called", {"x": 18, "half": 9}), ("between", {"x": 9}), ("innermost", {"x": 9})]
    assert run(tmp_path, text, **STEPS) == f"ValueError {frames}\n"


@pytest.mark.parametrize("mode", MODES)
def test_a_parallel_loop_goes_on(mode: str, tmp_path: pathlib.Path) -> None:
    """Numba drops what the kernel of a parallel loop raises; the frames change nothing of it."""
    text = """
        import numpy as np
        from numba import prange
        @njit(parallel=True)
        def kernel(a):
            for i in prange(len(a)):
                a[i] = between(a[i])
            return a
        for _ in range(3):
            try:
                print(sorted(kernel(np.arange(6))))
            except Exception as error:
                print(type(error).__name__)
    """
    own = {"NUMBA_NUM_THREADS": "1"}
    assert run(tmp_path, text, mode=mode, **own) == run(tmp_path, text, JITSCOPE="0", **own)


@pytest.mark.parametrize("settings", [{}, STEPS], ids=["known", "steps"])
def test_what_is_called_through_a_pointer_is_not_left_out(settings: dict[str, str], tmp_path: pathlib.Path) -> None:
    """The frames of the function behind the pointer are not known, but to Numba, whose entry says where it raised."""
    text = """
        import json, traceback
        from numba import int64, types
        @njit("int64(int64)")
        def pointed(x):
            if x > 3:
                raise ValueError("too large", 3)
            return x
        @njit(int64(types.FunctionType(int64(int64)), int64))
        def through(function, x):
            y = function(x)
            return y + 1
        try:
            through(pointed, 9)
        except ValueError as error:
            print(json.dumps([each.name for each in traceback.extract_tb(error.__traceback__)]))
    """
    names = values(run(tmp_path, text, **settings))[0]
    assert names[0] == "<module>" and names[-1] == "pointed", names
