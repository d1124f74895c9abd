"""Generated programs that raise: `jit catch` stops where the interpreter raises, as often, and names the same."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

import pytest

from tests.gdb import harness
from tests.interpreters import newest_python
from tests.minutes import MINUTES
from tests.oracle.raises import generate

FUNCTIONS = 25
SEEDS = (1, pytest.param(2, marks=MINUTES))
LINE = re.compile(r"^Exception (\w+)(?:\((.*)\))? raised in ([\w.]+) at .*:(\d+)( \(.*\))?(?:: .*)?$", re.M)
# The interpreter and NumPy have other messages for these.
OWN_WORDS = {"IndexError", "ZeroDivisionError"}


def recorded(path: pathlib.Path) -> list[list[object]]:
    command = [newest_python(), str(pathlib.Path(generate.__file__).with_name("record.py")), str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=harness.environment(), text=True, check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def caught(path: pathlib.Path, level: str, most: int) -> list[list[object]]:
    commands = ["jit catch", "run", *["continue"] * most]
    env = {"JITSCOPE_LEVEL": level, "NUMBA_NUM_THREADS": "1"}
    done = harness.run(commands, program=path, env=env, timeout=400)
    assert not done.timed_out and "exited normally" in done.text, done.text[-3000:]
    return [
        [kind, text or "", function.removesuffix(".prange"), int(line)]
        for kind, text, function, line, _ in LINE.findall(done.text)
    ]


def comparable(entries: list[list[object]]) -> list[tuple[object, ...]]:
    return [(kind, "" if kind in OWN_WORDS else text, name, line) for kind, text, name, line in entries]


@pytest.mark.parametrize("level", ["steps", "exact"])
@pytest.mark.parametrize("seed", SEEDS)
def test_catch_stops_where_the_interpreter_raises(seed: int, level: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / f"raises{seed}.py"
    path.write_text(generate.program(seed, FUNCTIONS))
    wanted = comparable(recorded(path))
    assert len(wanted) >= FUNCTIONS
    assert comparable(caught(path, level, len(wanted) + 5)) == wanted


if __name__ == "__main__":  # python -m tests.oracle.test_raises SEED prints the program
    sys.stdout.write(generate.program(int(sys.argv[1]), FUNCTIONS))
