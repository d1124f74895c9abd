"""Object mode that was compiled with the hook: its lines stop, and its variables read as Python writes them."""

from __future__ import annotations

import ast
import pathlib
import re

import pytest

from tests.gdb import harness
from tests.gdb.harness import line_of
from tests.interpreters import gdbs

PROGRAM = "object_mode.py"
NAMES = ("b", "c", "f", "big", "array", "empty", "many", "n", "t", "s", "item", "when", "half", "bad", "typed")


@pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
@pytest.mark.parametrize("level", ["exact", "steps"])
def test_variables(level: str, gdb: str) -> None:
    here = line_of(PROGRAM, "here")
    commands = [f"break {PROGRAM}:{here - 16}", f"break {PROGRAM}:{here}", "run", "info locals", "jit locals"]
    commands += ["continue", *(f"print {name}" for name in NAMES), "jit print c['k'][1]", "jit print f.x"]
    commands += ["jit print typed[-1] + len(typed)", "jit print array[1].sum()"]
    commands += ["jit print -json f", "continue", "continue", *(f"print {name}" for name in NAMES), "continue"]
    seen = harness.run(commands, program=PROGRAM, gdb=gdb, env={"JITSCOPE_LEVEL": level}, timeout=120)
    assert "array = <unassigned>" in seen.of("jit locals") and "b = [3, 'x']" in seen.of("jit locals"), seen.text
    assert re.search(r"^n = <optimized out>$", seen.of("info locals"), re.M), seen.text
    assert seen.of("jit print c['k'][1]") == "'x'"
    assert seen.of("jit print f.x") == "1"
    assert seen.of("jit print typed[-1] + len(typed)") == "4.5"
    assert seen.of("jit print array[1].sum()") == "5"
    assert '"value": {"class": "__main__.Foo", "attributes": {"x": 1}}' in seen.of("jit print -json f")
    wrong = []
    for turn, command in enumerate((0, 2)):
        expected = dict(re.findall(r"^EXPECT (\w+) (.*)$", seen.of("continue", command), re.M))
        assert set(expected) == set(NAMES), seen.text
        for name, text in expected.items():
            wanted = re.sub(r"\s+", " ", ast.literal_eval(text)).replace("[ ", "[")
            shown = re.sub(r"^\$\d+ = ", "", seen.of(f"print {name}", turn))
            if shown != wanted:
                wrong.append(f"{name}: {shown}, not {wanted}")
    assert not wrong, "\n".join(wrong)
    assert "exited normally" in seen.text


BLOCK = """
from numba import njit, objmode

def show(i, v):
    return "%d:%s" % (i, v)

@njit(debug=True)
def talk(n):
    out = 0
    for i in range(n):
        with objmode(k="int64"):
            txt = show(i, i * i)
            k = len(txt)  # at: last
        out += k  # at: behind
    return out + 1  # at: returns

print(talk(3))
"""


@pytest.mark.parametrize("command", ["next", "step", "finish"])
def test_a_step_leaves_a_block_for_the_line_behind_it(tmp_path: pathlib.Path, command: str) -> None:
    """The block is compiled by itself, in object mode, and called through the interpreter's C code."""
    program = tmp_path / "block.py"
    program.write_text(BLOCK)
    last, behind = (line_of(program, mark) for mark in ("last", "behind"))
    commands = [f"break block.py:{last}", "run", "delete", command]
    commands += ["next"] if command == "finish" else [command] * 2
    seen = harness.run([*commands, "frame", "print out", "print k"], program=program, env={"JITSCOPE_LEVEL": "steps"})
    assert "talk has left its block in object mode, and goes on behind it" in seen.text, seen.text
    assert "talk returned" not in seen.text, seen.text
    assert re.search(rf"^{behind}\s+out \+= k", seen.of("frame"), re.M), seen.text
    assert seen.of("print out").endswith("= 0") and seen.of("print k").endswith("= 3"), seen.text
