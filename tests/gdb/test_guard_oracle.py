"""Random programs under JITSCOPE_GUARD: each first wrong access stops at its line, and names the right array."""

from __future__ import annotations

import os
import pathlib
import re

import pytest

from tests.gdb import guarded_programs, harness

SEEDS = range(int(os.environ.get("JITSCOPE_GUARDED_FROM", "0")), int(os.environ.get("JITSCOPE_GUARDED", "6")))


def line(program: guarded_programs.Program, mark: str) -> int:
    lines = program.text.splitlines()
    return next(number for number, text in enumerate(lines, 1) if text.endswith(f"# at: {mark}"))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_wrong_access_is_found(seed: int, tmp_path: pathlib.Path) -> None:
    program = guarded_programs.made(seed)
    path = tmp_path / "program.py"
    path.write_text(program.text, encoding="utf-8")
    shown = harness.run(
        ["run", "frame"],
        program=path,
        env={"JITSCOPE_LEVEL": os.environ.get("JITSCOPE_GUARDED_LEVEL", ""), "JITSCOPE_GUARD": "1"},
    )
    said = shown.of("run")
    assert "not found" not in said and "AssertionError" not in said, f"{program}\n{said}"
    made = line(program, program.maker)
    if program.kind == "slack":
        assert "SIGABRT" in said, f"{program}\n{said}"
        found = re.search(r"went before the start of an array of (\d+) bytes?, made at program\.py:(\d+)", said)
        assert found and (int(found[1]), int(found[2])) == (program.size, made), f"{program}\n{said}"
        return
    wrong = line(program, "late" if program.kind == "freed" else "wrong")
    assert "SIGSEGV" in said and re.search(rf"program\.py:{wrong}\b", shown.of("frame")), f"{program}\n{said}"
    if program.kind == "freed":
        freed = line(program, "freed")
        assert f"the memory of `a` was freed at program.py:{freed}: " in said, f"{program}\n{said}"
        assert f"made at program.py:{made})" in said, f"{program}\n{said}"
    else:
        assert re.search(r"is outside axis 0 of `a` \(", said), f"{program}\n{said}"
