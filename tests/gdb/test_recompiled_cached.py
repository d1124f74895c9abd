"""Functions from Numba's cache that a debugger has compiled anew, and those that might not be the same."""

from __future__ import annotations

from typing import Any

import pytest

from jitscope.compiler.recompiled import cached, made_of
from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

PROGRAM = "recompiled_cached.py"
NAMES = ("differs", "above", "factorial", "deep", "foreign", "extended", "scaled", "twice", "wide")


def at(mark: str) -> str:
    return f"{PROGRAM}:{line_of(PROGRAM, mark)}"


def in_call(session: Transcript, number: int) -> list[str]:
    return session.of("jit locals", number).splitlines()


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    """The second process has another value of a global. It ends if a result changes."""
    folder = tmp_path_factory.mktemp("cache")
    environment = {"JITSCOPE_LEVEL": "", "NUMBA_CACHE_DIR": str(folder)}
    with harness.target(PROGRAM, env=environment, timeout=300):
        assert list(folder.rglob("*.nbc")), "nothing was cached"
    stop = [f"tbreak {at('inner')}", "continue", "jit locals", f"tbreak {at('tiny')}", "continue", "jit locals"]
    stop += ["tbreak same", "continue", "jit locals", f"tbreak {at('ufunc')}"]
    asks = [f"jit level {name} steps" for name in NAMES]
    last = [f"tbreak {at('last')}", "continue"]
    with harness.target(PROGRAM, env={**environment, "JITSCOPE_TEST_CHANGED": "1"}, timeout=300) as pid:
        return harness.run([*stop, *asks, *last, *last, *last, "jit functions deep", "detach"], pid=pid)


def test_a_part_of_its_caller(session: Transcript) -> None:
    """Its own dispatcher has no code."""
    assert "jitscope: compiled for stepping: outer (" in session.of("continue"), session.text
    assert in_call(session, 0) == ["x = 50", "y = 0.0", "i = 0"], session.text


def test_a_part_without_lines_of_its_own(session: Transcript) -> None:
    """LLVM has inlined it, and it has one instruction."""
    assert in_call(session, 1) == ["x = 1.0"], session.text


def test_a_part_without_code(session: Transcript) -> None:
    """It returns its argument: no object has its name."""
    assert "jitscope: compiled for stepping: uses (" in session.of("continue", 2), session.text
    assert in_call(session, 2) == ["x = 3"], session.text


@pytest.mark.parametrize("name", ["factorial", "scaled_by.scaled"])
def test_a_cached_function(session: Transcript, name: str) -> None:
    """One calls itself, the other is a closure."""
    assert f"jitscope: compiled for stepping: {name} (" in session.text, session.text


@pytest.mark.parametrize(
    "why",
    [
        "differs would not be the same: `CHANGED` has changed since it was cached",
        "above would not be the same: below, which is a part of it, is another one: `CHANGED` has changed since it was "
        "cached",
        "deep would not be the same: below, which is a part of it, is another one: `CHANGED` has changed since it was "
        "cached",
        "foreign would not be the same: it comes from Numba's cache, and the value that `helper` had then was not kept",
        "extended comes from Numba's cache, which does not keep what it was made of",
        "wide would not be the same: Numba's cache does not keep what extended was made of",
        "twice would not be the same: scaled_by.<locals>.scaled, which its cached code contains, is not found",
        f"{at('ufunc')} is in a ufunc, a callback, or code from Numba's cache, which stays as it is",
    ],
)
def test_what_might_not_be_the_same_is_refused(session: Transcript, why: str) -> None:
    assert f"jitscope: not compiled for stepping: {why}\n" in session.text, session.text


def test_the_results_stay_the_same(session: Transcript) -> None:
    assert session.text.count("hit Temporary breakpoint") == 6, session.text


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"code": "0"}, "its code is another one than in the cache"),
        ({"defaults": ("1",)}, "its default arguments may have changed since it was cached"),
        ({"options": {"fastmath": ("bool", "True")}}, "its option `fastmath` may have changed since it was cached"),
        ({"settings": {"OPT": 2}}, "the setting OPT has changed since it was cached"),
    ],
)
def test_records_that_differ(change: dict[str, Any], why: str) -> None:
    record = cached.Record("", ("2",), {}, {"fastmath": ("bool", "False")}, {"OPT": 3}, [], None, False)
    with pytest.raises(made_of.Changed) as error:
        cached.check(record, record._replace(**change))
    assert str(error.value) == why
