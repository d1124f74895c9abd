"""Answers to front ends about code that was compiled with the hook: over MI and DAP, with the extension and without,
about a variable that is not assigned yet and one whose type changes."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import pytest

from tests.gdb import harness
from tests.gdb.dap import DapClient
from tests.gdb.harness import line_of
from tests.interpreters import gdbs, newest_python

PROGRAM = "retype.py"
LEVEL = {"JITSCOPE_LEVEL": "steps"}
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
WHERE = pytest.mark.parametrize("jitscope", [False, True], ids=["plain", "jitscope"])
# At each stop: the value of x, with the extension and as GDB alone writes its present type.
X = (
    ("int", "1", "{0, int64 = 1}"),
    ("float", "2.5", "{1, float64 = 2.5}"),
    ("tuple", "(5, 11.5)", "{2, Tuple(int64, float64) = {f0 = 5, f1 = 11.5}}"),
)
LATER = {"total": "9", "i": "4", "last": "8", "y": "11.5"}  # not assigned before the last stop
LABEL = r"<optimized out>|<error reading variable: Cannot access memory at address 0x0>"


def variables(mi: harness.MachineInterface) -> dict[str, str]:
    rows = mi.send("-stack-list-variables --all-values")["payload"]["variables"]
    return {row["name"]: row["value"] for row in rows}


@GDBS
@WHERE
def test_machine_interface(gdb: str, jitscope: bool) -> None:
    with harness.machine_interface(PROGRAM, jitscope=jitscope, env=LEVEL, gdb=gdb) as mi:
        mi.send("-enable-pretty-printing")
        for mark, *_ in X:
            mi.send(f"-break-insert -f {PROGRAM}:{line_of(PROGRAM, mark)}")
        created = False
        for number, (mark, known, alone) in enumerate(X):
            stopped = mi.until_stop("-exec-continue" if number else "-exec-run")
            frame: dict[str, Any] = stopped["frame"]
            assert (frame["func"], frame["line"]) == ("grow", str(line_of(PROGRAM, mark)))
            assert frame["args"] == [{"name": "n", "value": "5"}]
            expected = known if jitscope else alone
            found = variables(mi)
            assert found["n"] == "5" and found["x"] == expected
            assert mi.send("-data-evaluate-expression x")["payload"]["value"] == expected
            for name, value in LATER.items():
                assert re.fullmatch(value if mark == "tuple" else LABEL, found[name]), (name, found[name])
            if not created:
                made = mi.send("-var-create late * y")["payload"]
                assert made["value"] in ("", "<optimized out>")
                if jitscope:
                    assert mi.send("-var-create changing * x")["payload"]["value"] == known
                created = True
            changed = {
                row["name"]: row.get("value") for row in mi.send("-var-update --all-values *")["payload"]["changelist"]
            }
            assert changed.get("late") == ("11.5" if mark == "tuple" else None)
            if jitscope:
                assert mi.send("-var-evaluate-expression changing")["payload"]["value"] == known


@GDBS
@WHERE
def test_debug_adapter_protocol(gdb: str, jitscope: bool) -> None:
    probe = subprocess.run(
        [gdb, "-nx", "-batch", "-ex", "python import gdb.dap"], capture_output=True, text=True, check=False
    )
    if "Error" in probe.stderr:
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with DapClient(gdb, jitscope=jitscope, env=LEVEL) as client:
        thread = client.launch(PROGRAM, line_of(PROGRAM, "float"), LEVEL, newest_python())
        frame = client.request("stackTrace", {"threadId": thread, "levels": 1})["stackFrames"][0]
        assert re.match(r"grow\b", frame["name"])
        shown: dict[str, str] = {}
        for scope in client.request("scopes", {"frameId": frame["id"]})["scopes"]:
            # GDB alone gives no answer for a scope in which a variable is not assigned yet (docs/limits.md).
            if scope["name"] == "Arguments" or jitscope and scope["name"] == "Locals":
                reference = {"variablesReference": scope["variablesReference"]}
                rows = client.request("variables", reference)["variables"]
                shown.update({row["name"]: row["value"] for row in rows})
        assert shown["n"] == "5"
        assert not jitscope or shown["x"] == "2.5"
        for name in LATER:
            assert re.match("<", shown.get(name, "<")), shown
        result = client.request("evaluate", {"expression": "n", "frameId": frame["id"]})
        assert result["result"] == "5"
