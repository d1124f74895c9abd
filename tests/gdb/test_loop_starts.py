"""The thread that has started a parallel loop, in the stack of a worker: frames under a heading in DAP, and a line in
MI and in GDB's own `bt`."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.gdb import dap, harness
from tests.gdb.harness import PROGRAMS, lean, line_of, newest_python
from tests.interpreters import gdbs

PROGRAM = "shares.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
ENV = {"JITSCOPE_LEVEL": "", "NUMBA_NUM_THREADS": "2"}
LAST, HEADER, CALL = (line_of(PROGRAM, mark) for mark in ("last", "header", "call"))
SAYS = re.compile(
    rf"^jitscope: thread 1 has started this loop, in shared at {PROGRAM}:{HEADER}; `jit bt` shows its frames$", re.M
)


def stack(client: dap.DapClient, thread: int, *pages: tuple[int, int]) -> list[dict[str, Any]]:
    """Return the frames of these pages, each a start and a number of frames."""
    found = []
    for start, levels in pages:
        asked = {"threadId": thread, "startFrame": start, "levels": levels}
        found += client.request("stackTrace", asked)["stackFrames"]
    return found


@GDBS
def test_a_dap_client_has_the_frames(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True, ENV) as client:
        client.request("initialize", {"adapterID": "jitscope-test"})
        client.event("initialized")
        client.set_breakpoint(PROGRAM, LAST)
        launch = {"program": newest_python(), "args": [str(PROGRAMS / PROGRAM)], "env": dict(lean(ENV))}
        launched = client.send("launch", launch)
        client.request("configurationDone")
        client.response(launched)
        thread = client.event("stopped")["threadId"]
        while thread == 1:
            client.request("continue", {"threadId": thread})
            thread = client.event("stopped")["threadId"]
        # in pages, as editors ask: the frames of the first page were not looked at when the last page is asked for
        frames = stack(client, thread, (3, 20), (0, 1), (1, 2))
        frames = frames[-3:] + frames[:-3]
        assert [(each["name"], each["line"]) for each in frames] == [
            ("shared.prange", LAST),
            ("--- region started by thread 1 ---", 0),
            ("shared", HEADER),
            ("<module>", CALL),
        ]
        assert [each.get("presentationHint") for each in frames] == [None, "label", None, None]
        assert frames == stack(client, thread, (0, 20))
        body, _, caller, module = frames

        def locals_of(frame: dict[str, Any]) -> dict[str, str]:
            scopes = client.request("scopes", {"frameId": frame["id"]})["scopes"]
            named = [each for each in scopes if each["name"] in ("Arguments", "Locals")]
            answers = [client.request("variables", {"variablesReference": s["variablesReference"]}) for s in named]
            return {each["name"]: each["value"] for answer in answers for each in answer["variables"]}

        index = client.evaluate("i", body)
        assert client.evaluate("a.sum() + total", caller) == "60"
        assert locals_of(caller)["a"] == "array([4, 5, 6, 7, 8, 9, 10, 11])"
        assert locals_of(body)["i"] == index == client.evaluate("i", body)
        assert client.evaluate("t", body) == str((int(index) + 4) * 2)
        with pytest.raises(RuntimeError, match="NameError: name 'total' is not defined"):
            client.evaluate("total", module)
        text = client.request("source", {"source": module["source"], "sourceReference": 0})["content"]
        assert text.splitlines()[CALL - 1].startswith("print(shared(")


@GDBS
def test_mi_has_a_line_at_each_stop(gdb: str) -> None:
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, env=ENV, gdb=gdb) as mi:
        mi.send("-enable-frame-filters")
        mi.send(f"-break-insert -f {PROGRAM}:{LAST}")
        stop = mi.until_stop("-exec-run")
        while stop["thread-id"] == "1":
            assert mi.send("-stack-list-frames")["message"] == "done" and not SAYS.search(mi.console), mi.console
            stop = mi.until_stop("-exec-continue")
        for _ in range(2):
            frames = mi.send("-stack-list-frames")["payload"]["stack"]
            assert [(each["func"], each["line"]) for each in frames] == [("shared.prange", str(LAST))]
        assert len(SAYS.findall(mi.console)) == 1, mi.console


@GDBS
def test_bt_ends_with_a_line(gdb: str) -> None:
    commands = [f"break {PROGRAM}:{LAST} if $_thread != 1", "run", "bt", "bt 1", "thread 1", "bt", "jit bt"]
    done = harness.run(commands, program=PROGRAM, env=ENV, gdb=gdb)
    lines = done.of("bt").splitlines()
    assert lines[0].startswith("#") and "shared.prange" in lines[0] and SAYS.fullmatch(lines[-1]), lines
    assert not SAYS.search(done.of("bt 1")) and not SAYS.search(done.of("bt", 1)), done.text
