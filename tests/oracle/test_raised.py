"""Exceptions that compiled code raises have its frames in their tracebacks (docs/howto-tracebacks.md)."""

from __future__ import annotations

import json
import pathlib
import re
import textwrap

import pytest

from jitscope.compiler.raised import chains, sites
from tests.oracle.raised.__main__ import compare
from tests.oracle.raised.program import (
    BETWEEN,
    MODES,
    ONCE,
    PROGRAM,
    STEPS,
    TOP,
    WITHOUT_ARGUMENTS,
    environment,
    run,
    values,
)

# the name of an exception's constant, with the number by which LLVM makes equal names different
_CONSTANT = re.compile(r"\.(?:const\.pickledata\.[0-9a-f]+|jitscope\.raise\.[0-9a-f]+)(?!\.sha1|[0-9a-f])(?:\.\d+)?")
_NUMBER = re.compile(r"(\.const\.pickledata\.[0-9a-f]+\.sha1)\.\d+")

SHOW = """
    import json
    for each in (once, 9), (twice, 9), (down, 2, 9), (twice, 3):
        print(json.dumps(frames(*each)))
"""


@pytest.mark.parametrize(
    ("settings", "least"), [({}, 80), (STEPS, 95), ({"JITSCOPE_TRACEBACKS": "all"}, 95)], ids=["known", "steps", "all"]
)
def test_generated_programs(settings: dict[str, str], least: int, tmp_path: pathlib.Path) -> None:
    counts, odd = compare(range(24), tmp_path, environment(**settings))
    assert counts["values"] >= 300 or settings != STEPS, counts
    assert not counts["false"], [each for each in odd if each[0] == "false"]
    assert counts["equal"] >= least, counts
    if settings:
        assert not counts["partial"] and not counts["bare"], odd


INLINED = """
    @njit(inline="always")
    def deep(v):
        if v > 2:
            raise ValueError("deep")
        return v
    @njit
    def plain(v):
        if v > 100:
            raise KeyError("plain")
        return v
    @njit
    def outer(x):
        def inner(y):
            w = (lambda z: deep(z) + plain(z))(y + 1)
            return w + 1
        t = inner(x)
        t += inner(x + 1)
        return t
    @njit
    def elements(x):
        r = [deep(i) for i in range(x)]
        return len(r)
    @njit
    def both(x):
        r = [(lambda q: plain(q))(i)
             for i in range(x)]
        return len(r) + (lambda q: plain(q + 200))(x)
    @njit
    def twice(x):
        return outer(x) + deep(x)
    import json
    calls = (outer, 1), (outer, 2), (elements, 5), (both, 150), (both, 3), (twice, 1), (twice, 5), (deep, 9)
    for function, x in calls:
        print(json.dumps(frames(function, x)))
"""


@pytest.mark.parametrize("mode", MODES)
def test_functions_that_numba_inlines(mode: str, tmp_path: pathlib.Path) -> None:
    """Closures, lambdas, comprehensions and functions with `inline=` have their frames, with the lines of the calls."""
    own = {} if mode == "all" else STEPS
    compiled, interpreted = (values(run(tmp_path, INLINED, mode=mode, NUMBA_DISABLE_JIT=off, **own)) for off in "01")
    # since Python 3.12, a comprehension has no frame
    assert compiled == interpreted and len(compiled[0]) == 4


def test_a_function_that_numba_inlines_once(tmp_path: pathlib.Path) -> None:
    """Numba's own code does not say more than the lines; they are enough where there is one call."""
    text = """
        @njit
        def outer(x):
            g = lambda y: between(y + 1)
            return g(x)
        import json
        print(json.dumps(frames(outer, 9)))
    """
    compiled, interpreted = (values(run(tmp_path, text, NUMBA_DISABLE_JIT=off)) for off in "01")
    assert compiled == interpreted == [[["outer", "return g(x)"], ["<lambda>", "g = lambda y: between(y + 1)"],
                                        list(BETWEEN), list(TOP)]]  # fmt: skip


def test_the_function_of_a_failed_check(tmp_path: pathlib.Path) -> None:
    """Numba gives no location of a division by zero; the constant that describes it tells the function."""
    text = """
        @njit
        def one(x):
            return 7 // x
        @njit
        def other(x):
            return 7 // (x - 1)
        @njit
        def outer(x):
            return one(x) + other(x)
        import json
        for x in 0, 1:
            print(json.dumps(frames(outer, x)))
    """
    compiled, interpreted = (values(run(tmp_path, text, NUMBA_DISABLE_JIT=off)) for off in "01")
    assert compiled == interpreted and [each[-1][0] for each in compiled] == ["one", "other"]


def test_calls_whose_exceptions_are_handled(tmp_path: pathlib.Path) -> None:
    """A call in a `try` is no way out, also in a loop; one after it is."""
    text = """
        @njit
        def caught(x):
            total = 0
            for i in range(3):
                try:
                    total += between(x + i)
                    total += between(x)
                except Exception:
                    total -= 1
            return total
        @njit
        def after(x):
            total = caught(x)
            return total + between(x)
        import json
        print(json.dumps(frames(caught, 9)))
        print(json.dumps(frames(after, 9)))
    """
    found = values(run(tmp_path, text))
    assert found[0] is None
    assert found[1] == [["after", "return total + between(x)"], list(BETWEEN), list(TOP)]


def test_functions_at_steps_among_others(tmp_path: pathlib.Path) -> None:
    """What functions at `steps` record is not taken for the way of an exception that came another way."""
    text = """
        import jitscope, json
        @jitscope.steps
        @njit(debug=True)
        def marked(x):
            if x > 3:
                raise ValueError("too large", 3)
            return between(x + 10)
        @njit
        def plain(x):
            total = 0
            try:
                total += marked(x)
            except Exception:
                total += 1
            if x > 2:
                raise ValueError("too large", 3)
            return total
        @jitscope.steps
        @njit(debug=True)
        def top(x):
            total = 0
            try:
                total += plain(x)
            except Exception:
                total += 1
            if x == 1:
                return total + between(x + 8)
            if x == 2:
                total += marked(0)
            return total + plain(x)
        for function, x in (marked, 9), (marked, 0), (plain, 9), (plain, 3), (top, 1), (top, 2), (top, 3), (top, 4):
            print(json.dumps(frames(function, x)))
    """
    compiled, interpreted = (values(run(tmp_path, text, NUMBA_DISABLE_JIT=off)) for off in "01")
    assert compiled == interpreted


def test_frames_that_all_ways_share_are_shown(tmp_path: pathlib.Path) -> None:
    found = values(run(tmp_path, WITHOUT_ARGUMENTS + SHOW))
    shared = [list(BETWEEN), list(TOP)]
    assert found == [[list(ONCE), *shared], shared, [["down", "return between(x)"], *shared], shared]


def test_arguments_decide(tmp_path: pathlib.Path) -> None:
    compiled, interpreted = (values(run(tmp_path, SHOW, NUMBA_DISABLE_JIT=off)) for off in "01")
    assert compiled == interpreted


def test_all_frames(tmp_path: pathlib.Path) -> None:
    compiled, interpreted = (values(run(tmp_path, SHOW, mode="all", NUMBA_DISABLE_JIT=off)) for off in "01")
    assert compiled == interpreted
    assert len(compiled[2]) == 5  # a recursive function has each of its frames


def test_off_is_numbas_own_traceback(tmp_path: pathlib.Path) -> None:
    assert run(tmp_path, SHOW, mode="off") == run(tmp_path, SHOW, JITSCOPE="0")


def test_the_code_is_the_same(tmp_path: pathlib.Path) -> None:
    text = """
        for each in once, twice:
            frames(each, 9)
            print(*each.inspect_asm().values())
    """
    known, off = (run(tmp_path, text, mode=mode) for mode in ("known", "off"))
    assert ".jitscope.raise." in known and ".jitscope.raise." not in off and "innermost" in known
    known, off = (_NUMBER.sub(r"\1", _CONSTANT.sub("a constant", each)) for each in (known, off))
    assert known == off


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("options", ["(cache=True)", "(nogil=True)", "(debug=True)"])
def test_options(options: str, mode: str, tmp_path: pathlib.Path) -> None:
    text = """
        import json
        print(json.dumps(frames(once, 9)))
        print(json.dumps(list(once.stats.cache_hits.values())))
    """
    for time in range(2):
        found, hits = values(run(tmp_path, text, options, mode, NUMBA_CACHE_DIR=str(tmp_path)))
        assert found == [list(ONCE), list(BETWEEN), list(TOP)]
        assert hits == ([1] if time and "cache" in options else [])


def test_the_cache_is_apart_for_each_mode(tmp_path: pathlib.Path) -> None:
    text = WITHOUT_ARGUMENTS + "    import json; print(json.dumps(frames(twice, 9)))"
    counts = [
        len(values(run(tmp_path, text, "(cache=True)", mode, NUMBA_CACHE_DIR=str(tmp_path), **more))[0])
        for mode, more in (("known", {}), ("all", {}), ("known", {}), ("off", {}), ("known", {"JITSCOPE": "0"}))
    ]
    assert counts == [2, 3, 2, 1, 1]


@pytest.mark.parametrize("mode", MODES)
def test_cached_code_of_a_file_that_was_written_to(mode: str, tmp_path: pathlib.Path) -> None:
    """Numba does not compile it anew, and the file's lines are others now."""
    other = tmp_path / "other.py"
    other.write_text(PROGRAM.format(options=""))
    text = """
        import json
        from other import between as outside
        @njit(cache=True)
        def cached(x):
            return outside(x)
        print(json.dumps(frames(cached, 9)), len(cached.stats.cache_hits))
    """
    shown = []
    for added in "", "# a line", "# and another":
        other.write_text(added + "\n" + PROGRAM.format(options="") if added else other.read_text())
        shown.append(run(tmp_path, text, mode=mode, NUMBA_CACHE_DIR=str(tmp_path)))
    mine = ["cached", "return outside(x)"]
    assert shown[0] == json.dumps([mine, BETWEEN, TOP]) + " 0\n"
    assert shown[1:] == [json.dumps([mine]) + " 1\n"] * 2


@pytest.mark.parametrize("mode", MODES)
def test_threads(mode: str, tmp_path: pathlib.Path) -> None:
    text = """
        import threading
        wrong = []
        def work(function, expected):
            for _ in range(500):
                found = [name for name, _ in frames(function, 9)]
                if found != expected:
                    wrong.append(found)
        frames(once, 9), frames(between, 9)
        cases = (once, ["once", "between", "innermost"]), (between, ["between", "innermost"])
        threads = [threading.Thread(target=work, args=case) for case in cases * 2]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        print(wrong)
    """
    assert run(tmp_path, text, "(nogil=True)", mode) == "[]\n"


def test_an_exception_that_cannot_be_made(tmp_path: pathlib.Path) -> None:
    text = """
        class Strange(Exception):
            def __init__(self, text):
                super().__init__(text)
                raise KeyError("none can be made")
        class Other(Exception):
            def __new__(cls, text):
                return 1
        @njit
        def strange():
            raise Strange("x")
        @njit
        def other():
            raise Other("x")
        for each in strange, other:
            try:
                each()
            except Exception as error:
                print(type(error).__name__, error)
    """
    assert run(tmp_path, text) == run(tmp_path, text, JITSCOPE="0")


def test_classes_that_are_not_plain(tmp_path: pathlib.Path) -> None:
    """Python's own rules for exceptions hold: what a class defines is neither asked more often nor passed over."""
    text = """
        class Frozen(Exception):
            def __setattr__(self, name, value):
                raise TypeError("frozen")
        class Hidden(Exception):
            __traceback__ = property(lambda self: None)
        class Equal(type):
            __eq__ = lambda cls, other: isinstance(other, Equal)
            __hash__ = lambda cls: 1
        class First(Exception, metaclass=Equal):
            pass
        class Second(Exception, metaclass=Equal):
            pass
        class Other(Exception):
            def __new__(cls, *arguments):
                return KeyError(*arguments)
        def of(exception):
            @njit
            def inner(x):
                if x > 0:
                    raise exception(x)
                return x
            @njit
            def outer(x):
                return inner(x)
            return outer
        for each in Frozen, Hidden, First, Second, Other:
            function = of(each)
            for handled in None, LookupError("handled"):
                try:
                    try:
                        if handled:
                            raise handled
                        function(1)
                    except LookupError as error:
                        if error is not handled:
                            raise
                        function(1)
                except Exception as error:
                    print(type(error).__name__, type(error) is each, error.args, repr(error.__context__))
    """
    assert run(tmp_path, text) == run(tmp_path, text, JITSCOPE="0")


def test_the_exception_of_a_signals_handler_is_not_lost(tmp_path: pathlib.Path) -> None:
    """A handler may raise at each instruction of Python code that is run for the traceback."""
    text = """
        import collections, signal, time
        class Alarm(Exception):
            pass
        class Slow(Exception):
            def __init__(self, text):
                start = time.perf_counter()
                while armed and time.perf_counter() - start < 10:
                    pass
        @njit
        def slow():
            raise Slow("x")
        def of(number):
            @njit
            def function(x):
                if x > 3:
                    raise ValueError(number)
                return x
            function(0)
            return function
        def handler(*_):
            global armed
            armed = False
            raise Alarm
        signal.signal(signal.SIGALRM, handler)
        armed = False
        frames(slow)
        armed = True
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            slow()
        except Alarm:
            print("Alarm")
        lost = 0
        for number in range(30):
            function, armed = of(number), True
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0003 + 0.0003 * number)
                try:
                    function(9)
                except ValueError:
                    lost += not armed
                while armed:
                    pass
            except Alarm:
                pass
        print(lost)
    """
    assert run(tmp_path, text) == "Alarm\n0\n"


def test_threads_that_raise_for_the_first_time(tmp_path: pathlib.Path) -> None:
    text = """
        import sys, threading
        def of(number):
            @njit
            def inner(x):
                if x > 3:
                    raise ValueError(number)
                return x
            @njit
            def outer(x):
                return inner(x)
            outer(0)
            return outer
        functions = [of(number) for number in range(12)]
        sys.setswitchinterval(1e-6)
        barrier, found = threading.Barrier(6), []
        def work(start):
            barrier.wait()
            for function in functions[start:] + functions[:start]:
                found.append([name for name, _ in frames(function, 9)])
        threads = [threading.Thread(target=work, args=(start,)) for start in range(6)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        print(len(found), found.count(["outer", "inner"]))
    """
    assert run(tmp_path, text) == "72 72\n"


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_left_behind(mode: str, tmp_path: pathlib.Path) -> None:
    text = """
        import gc, sys, time
        def raises(count):
            for _ in range(count):
                try:
                    once(9)
                except ValueError:
                    pass
        raises(1000)
        gc.collect()
        before = sys.getallocatedblocks()
        start = time.perf_counter()
        raises(20000)
        duration = (time.perf_counter() - start) / 20000
        gc.collect()
        print(sys.getallocatedblocks() - before, duration * 1e6)
    """
    left, microseconds = map(float, run(tmp_path, text, mode=mode).split())
    assert left < 100
    assert microseconds < 200  # ten times what is promised


def test_last_exception(tmp_path: pathlib.Path) -> None:
    text = """
        import jitscope
        print(jitscope.last_exception())
        for each in once, twice:
            frames(each, 9)
            last = jitscope.last_exception()
            print(last.type.__name__, [frame.name for frame in last.frames], last.gap, last.reason)
    """
    assert run(tmp_path, textwrap.dedent(WITHOUT_ARGUMENTS) + textwrap.dedent(text)).splitlines() == [
        "None",
        "ValueError ['once', 'between', 'innermost'] None None",
        "ValueError ['between', 'innermost'] 0 several calls lead to it",
    ]


VARIABLES = """
    import jitscope, json
    @njit
    def inner(a, x):
        total = 0.5
        for i in range(len(a)):
            total += a[i]
            if total > x:
                raise ValueError("total", total)
        return total
    @njit
    def outer(a, n):
        pair = (n, 2.5, (True, 1j))
        nothing = None
        total = 0
        for j in range(n):
            next_j = j + 1
            total += inner(a, 7.0 - j)
        later = 5
        return total + later
    @njit
    def closing(a, n):
        limit = n + 1
        g = lambda y: inner(a, y)
        return g(limit)
    import numpy
    for function in outer, closing:
        frames(function, numpy.arange(10.0), 3)
        last = jitscope.last_exception()
        for frame in last.frames:
            print(frame.name, frame.variables, frame.labels)
"""
ELSEWHERE = {"a": "not kept: it refers to memory that may have changed since"}


@pytest.mark.parametrize("times", [1, 2])
def test_variables_of_frames(times: int, tmp_path: pathlib.Path) -> None:
    """Functions at `steps` have those that are wholly in the frame, from a cache, too; others have none."""
    for _ in range(times):
        own = {**STEPS, "NUMBA_CACHE_DIR": str(tmp_path)}
        text = VARIABLES.replace("@njit", "@njit(cache=True)") if times > 1 else VARIABLES
        found = run(tmp_path, text, **own).splitlines()
    outer = {"n": 3, "pair": (3, 2.5, (True, 1j)), "nothing": None, "total": 0, "j": 0, "next_j": 1}
    assert found == [
        f"outer {outer} {ELSEWHERE | {'later': 'unassigned'}}",
        f"inner { {'x': 7.0, 'total': 10.5, 'i': 4} } {ELSEWHERE}",
        f"closing { {'n': 3, 'limit': 4} } {ELSEWHERE | {'g': 'unknown'}}",
        "<lambda> None {}",
        f"inner { {'x': 4, 'total': 6.5, 'i': 3} } {ELSEWHERE}",
    ]
    assert run(tmp_path, VARIABLES).splitlines() == [
        f"{name} None {{}}" for name in ("outer", "inner", "closing", "<lambda>", "inner")
    ]


# -- which frames


def test_many_equal_ways_take_no_time() -> None:
    """Functions without frames add nothing to a way: there are 2**60 of them here, which are all equal."""
    key = sites.key_of(ValueError, None, "")
    known = {"f60": sites.Sites(None, (), ((0, key),), False)}
    for number in range(60):
        known[f"f{number}"] = sites.Sites(None, ((0, f"g{number}"), (0, f"h{number}")), (), False)
        for name in "gh":
            known[f"{name}{number}"] = sites.Sites(None, ((0, f"f{number + 1}"),), (), False)
    assert chains.find(known, "f0", key) == chains.Chain((), (), None)
    known["f30"] = sites.Sites(None, ((0, "f31"), *((0, f"f{number}") for number in range(30))), (), False)
    assert chains.find(known, "f0", key).reason == "too many calls lead to it"
