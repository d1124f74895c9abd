"""The reasons that `jit why` gives in optimised stock code, by their text: one session stops at all lines of a program
and asks for each variable that is not shown."""

from __future__ import annotations

import pathlib
import re

import pytest

from tests.gdb import harness

PROGRAM = "left_out.py"
ASK = """\
import re

for line in range(1, LINES):
    gdb.execute(f"tbreak PROGRAM:{line}", False, True)
gdb.execute("run", False, True)
while gdb.selected_thread() is not None:
    shown = gdb.execute("jit locals", False, True)
    for name in re.findall(r"(?m)^(\\w+) = <", shown):
        print("@@", gdb.execute(f"jit why {name}", False, True).splitlines()[0])
    print(re.sub(r"(?m)^", "## ", shown))
    gdb.execute("continue", False, True)
"""
REASONS = [
    "is unassigned: no statement on the way here has assigned it yet",
    "is optimized out: the compiler left nothing of it",
    "is optimized out: not kept by optimised code",
    "is optimized out: assigned in several places: optimised code does not show which",
    "is optimized out: optimised loop: it is not known which iteration a register belongs to",
    "is optimized out: in the function that started the loop, in thread 1: the compiler left nothing of it",
    "is unknown: moved by the compiler",
    "is unknown: assigned on some paths only",
    "is unknown: assigned after this line, or code was moved here",
    "is unknown: not a variable of this source line",
]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    count = len((harness.PROGRAMS / PROGRAM).read_text("utf-8").splitlines())
    script = tmp_path_factory.mktemp("reasons") / "ask.py"
    script.write_text(ASK.replace("PROGRAM", PROGRAM).replace("LINES", str(count + 1)), encoding="utf-8")
    return harness.run([f"source {pathlib.Path(script)}"], program=PROGRAM).text


@pytest.mark.parametrize("reason", REASONS)
def test_reasons(said: str, reason: str) -> None:
    assert re.search(rf"^@@ \w+ {re.escape(reason)}$", said, re.M)


def test_a_reason_is_in_the_label_of_an_unknown_variable(said: str) -> None:
    assert re.search(r"^## \w+ = <unknown: moved by the compiler>$", said, re.M)
