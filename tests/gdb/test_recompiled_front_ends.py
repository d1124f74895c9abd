"""Front ends that attach to a running program: a breakpoint with a condition in a plain @njit function stops in code
that is compiled for stepping, as at GDB's own prompt."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gdb import dap, harness
from tests.gdb.dap import DapClient
from tests.interpreters import gdbs

GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
PROGRAM = "service.py"
HOOKED = {"JITSCOPE_LEVEL": ""}
SUM = (harness.PROGRAMS / PROGRAM).read_text().splitlines().index("        total += v") + 1
TOTAL = sum(j % 10 * 2.0 for j in range(13))


@pytest.fixture
def pid() -> Iterator[int]:
    with harness.target(PROGRAM, env=HOOKED, timeout=300) as number:
        yield number


@GDBS
def test_a_client_of_dap(pid: int, gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with DapClient(gdb, jitscope=True) as client:
        client.request("initialize", {"adapterID": "jitscope-test"})
        client.event("initialized")
        attached = client.send("attach", {"pid": pid})
        client.request("configurationDone")
        client.response(attached)
        client.stop()
        client.set_breakpoint(PROGRAM, SUM, "j == 13 and v > 100")
        frame = client.go_on()
        assert frame is not None and (frame["name"], frame["line"]) == ("scan", SUM), client.output()
        assert [client.evaluate(name, frame) for name in ("j", "total", "v")] == ["13", f"{TOTAL}", "106.0"]
        assert "scan: compiled for stepping when main() next calls it from Python" in client.output()
        client.request("disconnect", {"terminateDebuggee": False})


@GDBS
def test_the_machine_interface(pid: int, gdb: str) -> None:
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, gdb=gdb) as mi:
        mi.send(f"-target-attach {pid}")
        made = mi.send(f"-break-insert {PROGRAM}:{SUM}")
        assert made["message"] == "done", made
        mi.send("-break-condition 1 j == 13")
        stopped = mi.until_stop("-exec-continue")
        assert (stopped["reason"], stopped["frame"]["func"]) == ("breakpoint-hit", "scan"), mi.said
        shown = [mi.send(f"-data-evaluate-expression {name}")["payload"]["value"] for name in ("j", "total")]
        assert shown == ["13", f"{TOTAL}"], mi.said
        mi.send("-target-detach")
