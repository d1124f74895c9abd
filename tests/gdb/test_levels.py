"""The default level: `steps` while a debugger is there, otherwise `exact`; and the source of the choice that is
shown."""

from __future__ import annotations

import ast
import json
import pathlib
import re
import shutil
import subprocess
import time

import jsonschema
import pytest
from jitscope_source.statements import nan_tests

from tests.gdb import harness
from tests.gdb.harness import PROGRAMS, Transcript, line_of
from tests.gdb.schemas import SCHEMAS
from tests.interpreters import newest_python

PROGRAM = "levels.py"
DEFAULT = {"JITSCOPE_LEVEL": ""}  # harness.environment() sets another level
BODY = f"{PROGRAM}:{line_of(PROGRAM, 'body')}"
UNDER_A_DEBUGGER = ["spin steps debugger", "fast stock fastmath", "kept_exact exact decorator"]
WHY_FAST = f"jit why {PROGRAM}:{line_of(PROGRAM, 'fast-body')}"
CACHED = ["cached cached", "cached_without cached"]
STARTED = pytest.mark.xdist_group("levels-started")  # one GDB for them
ATTACHED = pytest.mark.xdist_group("levels-attached")
NEXT_RUN = "start the program under the debugger, or run it with JITSCOPE_LEVEL=steps"


STEPPED = "JITSCOPE_LOOPS=stepped"


def said(text: str) -> list[str]:
    """Return the program's lines about its functions."""
    return re.findall(r"^(?:spin|fast|kept_exact|cached|cached_without) \w+.*$", text, re.M)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    cache = str(tmp_path_factory.mktemp("cache"))
    return {**DEFAULT, "JITSCOPE_DEBUG": "off", "NUMBA_CACHE_DIR": cache}


def without_debugger(cache: dict[str, str]) -> list[str]:
    command = [newest_python(), str(PROGRAMS / PROGRAM), "cached"]
    done = subprocess.run(command, env=harness.lean(cache), capture_output=True, text=True, timeout=120, check=True)
    return said(done.stdout)


@pytest.fixture(scope="module")
def first(cache: dict[str, str]) -> list[str]:
    return without_debugger(cache)


@pytest.fixture(scope="module")
def shown(cache: dict[str, str], first: list[str]) -> Transcript:
    """Run the program under GDB, at default settings."""
    commands = [
        f"break {BODY} if i == 17", f"tbreak {PROGRAM}:{line_of(PROGRAM, 'fast')}", "break fast", "run", "info locals",
        "continue", "jit functions", "jit functions -json", "jit status", "jit status -json", WHY_FAST,
        "delete", "continue",
    ]  # fmt: skip
    return harness.run(commands, program=PROGRAM, arguments=["cached"], env=cache)


@STARTED
def test_a_condition_in_a_loop(shown: Transcript) -> None:
    assert f"hit Breakpoint 1, spin (n=40) at {PROGRAMS / PROGRAM}" in shown.of("run"), shown.text
    assert "i = 17" in shown.of("info locals") and "optimized out" not in shown.of("info locals")
    assert "jitscope: breakpoint 1" not in shown.text  # each line stops


@STARTED
def test_who_has_chosen(shown: Transcript) -> None:
    listed = shown.of("jit functions")
    assert re.search(r"^spin\(int64\)  levels.py:\d+  steps \(debugger\)  0x", listed, re.M), shown.text
    assert re.search(r"^fast\(int64\)  levels.py:\d+  stock \(fastmath\)  fastmath  0x", listed, re.M), shown.text
    found = json.loads(shown.of("jit functions -json"))
    jsonschema.validate(found, json.loads((SCHEMAS / "functions.json").read_text()))
    assert {each["name"]: each["chosen_by"] for each in found}["fast"] == "fastmath"
    assert " at steps (debugger), 1 function at stock (fastmath)" in shown.of("jit status")
    status = json.loads(shown.of("jit status -json"))
    jsonschema.validate(status, json.loads((SCHEMAS / "status.json").read_text()))
    assert {"level": "stock", "chosen_by": "fastmath", "functions": 1} in status["levels"]


@STARTED
def test_fastmath_is_said_once(shown: Transcript) -> None:
    assert len(re.findall(r"fast computes with fastmath flags and is left as Numba makes it", shown.text)) == 1, (
        shown.text
    )
    whose = "fastmath flags, its own or those of a function that it calls, leave it as Numba makes it"
    assert whose in shown.of(WHY_FAST), shown.text


@STARTED
def test_cached_code(first: list[str], shown: Transcript, cache: dict[str, str]) -> None:
    """Code without debug information is the same under a debugger; other code has one entry for each level."""
    assert first == ["spin exact default", *UNDER_A_DEBUGGER[1:], "cached exact default", "cached_without compiled"]
    assert said(shown.text) == [*UNDER_A_DEBUGGER, "cached steps debugger", CACHED[1]], shown.text
    assert without_debugger(cache)[3:] == CACHED


def test_gdb_alone() -> None:
    done = harness.run(
        [f"break {BODY} if i == 17", "run", "info locals", "delete", "continue"],
        program=PROGRAM, env=DEFAULT, jitscope=False,
    )  # fmt: skip
    assert "i = 17" in done.of("info locals"), done.text
    assert said(done.text) == UNDER_A_DEBUGGER, done.text


def test_lldb() -> None:
    lldb = shutil.which("lldb")
    if lldb is None:
        pytest.skip("no lldb")
    command = [lldb, "--no-lldbinit", "-b", "-o", "run", "--", newest_python(), str(PROGRAMS / PROGRAM)]
    done = subprocess.run(
        command, env=harness.lean(DEFAULT), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )
    assert said(done.stdout) == UNDER_A_DEBUGGER, done.stdout


@pytest.fixture(scope="module")
def attached(tmp_path_factory: pytest.TempPathFactory) -> tuple[Transcript, str]:
    """Attach GDB to the running program, and detach; return also the program's lines about a function that it compiles
    then."""
    log = tmp_path_factory.mktemp("levels") / "log"
    commands = [
        "set jitscope recompile off", f"tbreak {BODY}", f"break {PROGRAM}:{line_of(PROGRAM, 'other')}",
        "condition 2 total == 3", "condition 2",
        "continue", "display k", "watch total", "jit functions ^spin$",
        "delete", "tbreak during", "continue", "jit functions ^during$",
        f"tbreak {PROGRAM}:{line_of(PROGRAM, 'kept-body')}", "continue", "jit why k", "detach",
    ]  # fmt: skip
    with harness.target(PROGRAM, env={**DEFAULT, "COME_AND_GO": str(log)}) as pid:
        done = harness.run(commands, pid=pid)
        end = time.monotonic() + 60
        while not log.exists() or not log.read_text().endswith("\n"):
            assert time.monotonic() < end, done.text
            time.sleep(0.05)
    return done, pathlib.Path(log).read_text()


@ATTACHED
def test_a_debugger_comes_and_goes(attached: tuple[Transcript, str]) -> None:
    done, after = attached
    assert "exact (default)" in done.of("jit functions ^spin$"), done.text
    assert "steps (debugger)" in done.of("jit functions ^during$"), done.text
    assert after == "after exact default\n"


@ATTACHED
def test_what_is_typed_in_a_loop_that_keeps_nothing(attached: tuple[Transcript, str]) -> None:
    done, _ = attached
    unkept = rf"^jitscope: breakpoint \d: line \d+ .*, and level exact keeps no variables there; {NEXT_RUN}$"
    for command in (f"tbreak {BODY}", "condition 2 total == 3"):
        assert len(re.findall(unkept, done.of(command), re.M)) == 1, done.text
    assert not done.of("condition 2").count("jitscope")
    displayed, watched = done.of("display k"), done.of("watch total")
    assert re.search(rf"^jitscope: display 1: k is optimized out: .*; {NEXT_RUN} and {STEPPED}$", displayed, re.M), (
        done.text
    )
    assert "a program that is started under the debugger, or with JITSCOPE_LEVEL=steps, follows" in watched, done.text


@ATTACHED
def test_steps_alone_does_not_keep_variables_of_a_loop_before_a_debugger_comes(
    attached: tuple[Transcript, str],
) -> None:
    done, _ = attached
    instead = (
        "run the program with JITSCOPE_STEPS=__main__.kept_exact, or write @jitscope.steps above its @njit instead"
    )
    advice = f"{instead} of @jitscope.exact, and set {STEPPED} where no debugger starts the program"
    assert done.of("jit why k").splitlines()[1:] == [advice], done.text


FAST = """\
import math

import numpy as np
from numba import njit


@njit(fastmath=True)
def tested(values):
    total = 0.0
    for value in values:
        if not math.isnan(value):
            total += value
    return total


@njit(fastmath={"contract", "reassoc"})
def kept(values):
    total = 0.0
    for value in values:
        if not np.isnan(value):
            total += value
    return total


@njit(fastmath=True)
def plain(values):
    return values.sum()


array = np.array([1.0, np.nan])
tested(array)
tested(array)
kept(array)
plain(array)
"""


COMPARED = """import math
import numpy as np
from numba import njit

inf = 9.0


@njit(fastmath=True)
def {name}(x):
    found = {test}
    return found


{name}(np.inf)
"""
# Tests that fastmath=True makes wrong, and others
FAST_TESTS = {
    "x == np.inf": True,
    "x <= -math.inf or x > 1": True,
    "x != x": True,
    'float("-inf") < x': True,
    "x != np.float64(1)": False,
    "x == inf": False,
    "x < x + 1": False,
}


@pytest.mark.parametrize("test", FAST_TESTS)
def test_comparisons_with_infinities_and_of_a_name_with_itself(test: str) -> None:
    text = COMPARED.replace("{name}", "f").replace("{test}", test)
    (function,) = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    first = test.partition(" or ")[0]
    assert nan_tests.first_test(function, text) == ((first, 10) if FAST_TESTS[test] else None)


def test_a_comparison_with_an_infinity_is_noted(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(COMPARED.replace("{name}", "f").replace("{test}", "x == np.inf"), encoding="utf-8")
    shown = harness.run(["break program.py:11", "run"], program=program, env={"JITSCOPE_LEVEL": ""})
    assert (
        "jitscope: f has fastmath=True, for which there are no NaNs and infinities, so that x == np.inf (line 10) may "
        "be wrong; write fastmath="
    ) in shown.of("run"), shown.text


def test_a_test_for_nan_with_fastmath_is_noted_once(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(FAST, encoding="utf-8")
    lines = [n for n, text in enumerate(FAST.splitlines(), 1) if text.startswith("    return")]
    commands = [*(f"break program.py:{line}" for line in lines), "run", "continue", "continue", "continue"]
    shown = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": ""})
    note = (
        "jitscope: tested has fastmath=True, for which there are no NaNs and infinities, so that math.isnan (line 11) "
        "may be wrong; write fastmath={'contract', 'arcp', 'afn', 'reassoc', 'nsz'} in its decorator"
    )
    assert shown.of("run").splitlines().count(note) == 1, shown.text
    assert shown.text.count("NaNs") == 1 and shown.text.count("hit Breakpoint") >= 3, shown.text


INLINED = """
import numpy as np
from numba import njit


@njit(fastmath=True)
def fast(v, k):
    w = v * k
    return w + np.sqrt(w)


@njit
def around(a):
    s = 0.0
    for v in a:
        s += fast(v, 2.0)
    return s


print(around(np.arange(4.0)))
"""


def test_notes_name_an_inlined_function_and_not_the_one_around(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(INLINED)
    loop, last = (
        INLINED.splitlines().index(line) + 1 for line in ("        s += fast(v, 2.0)", "    return w + np.sqrt(w)")
    )
    commands = [f"break program.py:{loop}", f"break program.py:{last} if nope == 1", "run", *["step"] * 3]
    stock = harness.run(commands, program=program, env={"JITSCOPE_LEVEL": "stock", "NUMBA_DEBUGINFO": "1"})
    assert "jitscope: breakpoint 2: fast has no variable `nope`; it has k, v, w. Where" in stock.text, stock.text
    shown = harness.run(commands, program=program, env=DEFAULT)
    assert "jitscope: fast computes with fastmath flags" in shown.text, shown.text
    assert "around computes" not in shown.text and "its fastmath flags" not in shown.text, shown.text
