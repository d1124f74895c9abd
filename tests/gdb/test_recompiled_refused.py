"""Functions that are not compiled anew, and processes that compile nothing anew: each says why in one line."""

from __future__ import annotations

import pytest

from tests.gdb import harness
from tests.gdb.harness import Transcript, line_of

PROGRAM = "recompiled_refused.py"
HOOKED = {"JITSCOPE_LEVEL": ""}
STOCK = {"JITSCOPE": "0", "JITSCOPE_LEVEL": ""}
LAST = f"tbreak {PROGRAM}:{line_of(PROGRAM, 'last')}"
NAMES = ("replaced", "defaulted", "unkept", "came", "typed", "failing", "in_object_mode", "written", "entangled")


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    cache = str(tmp_path_factory.mktemp("cache"))
    asks = [f"jit level {name} steps" for name in NAMES]
    commands = ["set jitscope recompile off", LAST, "continue", *asks, LAST, "continue", "detach"]
    with harness.target(PROGRAM, env={**HOOKED, "NUMBA_CACHE_DIR": cache}, timeout=300) as pid:
        return harness.run(commands, pid=pid)


@pytest.mark.parametrize(
    "why",
    [
        "replaced would not be the same: its code has been replaced since it was compiled",
        "defaulted would not be the same: its default arguments have changed since it was compiled",
        "unkept would not be the same: the value that `VALUE` had when it was compiled was not kept",
        "came would not be the same: `LATER` has come since it was compiled",
        "typed would not be the same: its option `locals` has changed since it was compiled",
        "failing cannot be compiled anew: RuntimeError: the second time",
        "entangled calls itself with other types, or by way of another function",
        "in_object_mode is compiled in object mode, or has loops that are",
        "written comes from Numba's cache, which does not keep what it was made of",
    ],
)
def test_a_function_that_is_refused(refused: Transcript, why: str) -> None:
    assert f"jitscope: not compiled for stepping: {why}\n" in refused.of("continue", 1), refused.text
    assert "hit Temporary breakpoint" in refused.of("continue", 1), refused.text


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    many = "python [gdb.execute(f'jit level {name} steps') for _ in range(33) for name in ('scan', 'weight')]"
    core = tmp_path_factory.mktemp("core") / "core"
    commands = [
        "jit level", "break nothing_yet", "jit level ", "jit level scan exact", "delete",
        f"tbreak service.py:{weight()}", "continue", "jit level scan steps", many,
        f"generate-core-file {core}", "detach", f"core-file {core}", "jit level  scan steps",
    ]  # fmt: skip
    with harness.target("service.py", env=HOOKED, timeout=300) as pid:
        return harness.run(commands, pid=pid)


def weight() -> int:
    lines = (harness.PROGRAMS / "service.py").read_text().splitlines()
    return lines.index("    w = x * 2.0") + 1


def test_nothing_was_asked_for(served: Transcript) -> None:
    assert served.of("jit level") == "Nothing is compiled anew."


def test_a_function_that_is_still_to_come(served: Transcript) -> None:
    assert served.of("jit level ") == "nothing_yet  steps  when it is first compiled"


def test_another_level(served: Transcript) -> None:
    assert "jitscope: compiled at exact: scan (" in served.of("continue"), served.text


def test_a_call_that_runs(served: Transcript) -> None:
    call = (harness.PROGRAMS / "service.py").read_text().splitlines().index("        scan(a, 20)") + 1
    assert served.of("jit level scan steps") == (
        f"scan: compiled for stepping when main() next calls it from Python (thread 1, called from service.py:{call}, "
        "is in it now, and goes on in the code that it has)"
    )


def test_many_requests(served: Transcript) -> None:
    assert "64 requests are in force: `jit level NAME lines` withdraws one" in served.text, served.text


def test_a_core(served: Transcript) -> None:
    assert served.of("jit level  scan steps") == "a core cannot compile anything", served.text


@pytest.fixture(scope="module")
def stock() -> Transcript:
    with harness.target("service.py", env=STOCK, timeout=300) as pid:
        return harness.run(["jit level scan", "jit level scan steps", "detach"], pid=pid)


def test_no_level(stock: Transcript) -> None:
    assert stock.of("jit level scan").endswith("  no level: it was compiled without jitscope"), stock.text


def test_no_lines(stock: Transcript) -> None:
    assert stock.of("jit level scan steps") == (
        "scan has no lines: it was compiled without jitscope, and stays as it is"
    ), stock.text


def test_a_process_without_jitscope() -> None:
    with harness.target("service.py", env={**STOCK, "NUMBA_DEBUGINFO": "1"}, timeout=300) as pid:
        done = harness.run(["jit level scan steps", "detach"], pid=pid)
    assert done.of("jit level scan steps") == (
        "only a running process that has jitscope installed compiles functions anew: see `jit status`"
    ), done.text
