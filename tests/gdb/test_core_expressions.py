"""Expressions on a core: nothing can be called there, and all expressions are evaluated on the memory that is read."""

from __future__ import annotations

import pathlib
import re

from tests.gdb import harness
from tests.gdb.harness import line_of

PROGRAM = "shown.py"

EXPRESSIONS = {
    "matrix[1:, ::-1]": "array([[7., 6., 5., 4.], [11., 10., 9., 8.]])",
    "matrix[matrix > 8].sum() / 2": "15.0",
    "(matrix * 2 - 1).max()": "21.0",
    "matrix.T.shape, len(text), text.upper()": "((4, 3), 5, 'HÉLLO')",
    "records['n'][::4]": "array([0, 4, 8], dtype=int32)",
    "records[7].at.x + records[-1]['d'][1]": "-0.5",
    "pair[1] if grown > 2 else nothing": "2.5",
    "abs(-grown) in (1, 2, 3)": "True",
    "matrix.meminfo.size, matrix.meminfo.refct > 0": "(0, True)",
    "matrix[3]": "IndexError: index 3 is out of bounds for axis 0 with size 3",
    "grown +": "SyntaxError: invalid syntax",
}


PRINTF = 'printf "%s\\n", $jit_str("matrix[[0, 2]].sum(axis=1)")'  # a core has no memory for a text


def test_expressions_on_a_core(tmp_path: pathlib.Path) -> None:
    core = tmp_path / "core"
    env = {"JITSCOPE_LEVEL": "steps"}
    stop = f"break {PROGRAM}:{line_of(PROGRAM, 'hold') - 1}"
    live = harness.run([stop, "run", f"generate-core-file {core}", "kill"], program=PROGRAM, env=env, jitscope=False)
    assert core.exists(), live.text
    commands = [f"jit print {text}" for text in EXPRESSIONS]
    commands += ["jit print matrix.meminfo", "jit why last"]
    seen = harness.run([*commands, "jit array matrix", 'print $jit("matrix.sum()")', PRINTF, "bt 1"], core=core)
    core.unlink()
    wrong = [
        f"{text}: {seen.of(f'jit print {text}')}"
        for text, wanted in EXPRESSIONS.items()
        if not seen.of(f"jit print {text}").endswith(wanted)
    ]
    assert not wrong, "\n".join(wrong) + seen.text
    why = seen.of("jit why last")
    assert why.startswith("last is unassigned: ") and len(why.splitlines()) == 1 and "step" not in why, why
    owner = seen.of("jit print matrix.meminfo")
    assert re.fullmatch(r"<MemInfo at 0x\w+: refcount \d, size 0, data 0x\w+(, destructor 0x\w+)?>", owner), owner
    assert "\nmean, std  5.5, 3.452052529534663\n" in seen.of("jit array matrix")
    assert seen.of('print $jit("matrix.sum()")') == "$1 = 66", seen.text
    assert seen.of(PRINTF).startswith("array("), seen.text
