"""Conditions as front ends set them, over MI and DAP: on lines that are not compiled yet, in Python's words."""

from __future__ import annotations

import pytest

from tests.gdb import dap, harness
from tests.gdb.dap import DapClient
from tests.gdb.harness import line_of
from tests.interpreters import gdbs

PROGRAM = "stepped_by_lldb.py"
STEPS, EXACT = {"JITSCOPE_LEVEL": "steps"}, {"JITSCOPE_LEVEL": "exact"}
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
SUM, HALF = line_of(PROGRAM, "sum"), line_of(PROGRAM, "half")
# Conditions for one loop, each with the next i for which it is true.
CONDITIONS = (("10 < i < 12", 11), ("i // 3 == 4", 12), ("not (i < 9)", 13), ("i & 1 == 0", 14), ("i in (4, 17)", 17))
BEHIND = ("i // 2 == 1 and not total & 1", 3)  # in the other function
# A condition in a loop that keeps no variable, and one with a name that the function does not have.
HOPELESS = ((EXACT, "i == 3", "i"), (STEPS, "nosuch > 3", "nosuch"))


def client_of(gdb: str, env: dict[str, str]) -> DapClient:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    return DapClient(gdb, jitscope=True, env=env)


@GDBS
def test_machine_interface(gdb: str) -> None:
    """-break-insert -f and then -break-condition, as cpptools; -break-insert -c; -break-condition where GDB requires
    C."""
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, env=STEPS, gdb=gdb) as mi:

        def of(name: str) -> str:
            return str(mi.send(f"-data-evaluate-expression {name}")["payload"]["value"])

        first = mi.send(f"-break-insert -f {PROGRAM}:{SUM}")["payload"]["bkpt"]["number"]
        mi.send(f'-break-insert -f -c "{BEHIND[0]}" {PROGRAM}:{HALF}')
        for number, (condition, i) in enumerate(CONDITIONS):
            # the first waits for its code, and GDB takes any text for it
            is_c = not number or condition == "i & 1 == 0"
            text = condition if is_c else f'$py("{condition}")'
            done = mi.send(f"-break-condition {first} {text}")
            assert done["message"] == "done", done
            stopped = mi.until_stop("-exec-continue" if number else "-exec-run")
            assert (stopped["reason"], of("i")) == ("breakpoint-hit", str(i)), condition
        assert CONDITIONS[-1][0] in mi.send(f"-break-info {first}")["payload"]["BreakpointTable"]["body"][0]["cond"]
        stopped = mi.until_stop("-exec-continue")
        assert (stopped["reason"], of("i")) == ("breakpoint-hit", str(BEHIND[1]))
        assert mi.until_stop("-exec-continue")["reason"] == "exited-normally"


@GDBS
def test_debug_adapter_protocol(gdb: str) -> None:
    with client_of(gdb, STEPS) as client:
        client.start(PROGRAM, STEPS, SUM, CONDITIONS[0][0])
        frame = client.stop()
        for number, (condition, i) in enumerate(CONDITIONS):
            if number:
                client.set_breakpoint(PROGRAM, SUM, condition)
                frame = client.go_on()
            assert frame is not None and frame["line"] == SUM, condition
            assert client.evaluate("i", frame) == str(i), condition
        client.set_breakpoint(PROGRAM, HALF, BEHIND[0])
        frame = client.go_on()
        assert frame is not None and (frame["line"], client.evaluate("i", frame)) == (HALF, str(BEHIND[1]))
        assert client.go_on() is None


@GDBS
@pytest.mark.parametrize(("env", "condition", "name"), HOPELESS, ids=["optimized-out", "no-such-name"])
def test_a_condition_without_a_value_is_reported_once(gdb: str, env: dict[str, str], condition: str, name: str) -> None:
    """Such a condition stops at most once."""
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, env=env, gdb=gdb) as mi:
        mi.send(f"-break-insert -f {PROGRAM}:{SUM}")
        mi.send(f"-break-condition 1 {condition}")
        stops = 0
        while mi.until_stop("-exec-continue" if stops else "-exec-run")["reason"] != "exited-normally":
            stops += 1
            assert stops <= 1, mi.said
        assert reports(mi.said, name) == 1, mi.said


@GDBS
@pytest.mark.parametrize(("env", "condition", "name"), HOPELESS, ids=["optimized-out", "no-such-name"])
def test_a_client_of_dap_hears_of_it_once(gdb: str, env: dict[str, str], condition: str, name: str) -> None:
    with client_of(gdb, env) as client:
        client.start(PROGRAM, env, SUM, condition)
        stops = 0
        frame = client.stop()
        while frame is not None:
            stops += 1
            assert stops <= 1, client.output()
            frame = client.go_on()
        assert reports(client.output(), name) == 1, client.output()


def reports(said: str, name: str) -> int:
    """Return the number of jitscope's lines about the breakpoint that contain the name."""
    ours = [line for line in said.splitlines() if line.startswith("jitscope: breakpoint 1")]
    return sum(name in line.split("`")[1::2] for line in ours)
