"""The message of a DAP client's breakpoint whose condition, hit condition or log message has no answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gdb import dap
from tests.gdb.harness import PROGRAMS, lean, line_of, newest_python
from tests.interpreters import gdbs

PROGRAM = "logged.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
KNOWN = "it has i, k, name, part, total, values"
NAMELESS = f"scan has no variable `nope`; {KNOWN}. Where `{{}}` asks for it, {{}}"
PLACE = f"{PROGRAM}:{line_of(PROGRAM, 'log')}"
OUTSIDE = "IndexError: index 99 is out of bounds for axis 0 with size 12"
MESSAGES = {
    "name": ({"condition": "nope == 3"}, NAMELESS.format("nope == 3", "the breakpoint does not stop")),
    "value": (
        {"condition": "i == 3 and values[99] > 1"},
        f"`i == 3 and values[99] > 1` fails at {PLACE}, and stops there this once: {OUTSIDE}",
    ),
    "logged name": ({"logMessage": "at {nope} {i}"}, NAMELESS.format("nope", "the message has the error")),
    "logged syntax": ({"logMessage": "at {1 +} {i}"}, "`{1 +}` in the message: SyntaxError: invalid syntax"),
    "name of a log point": (
        {"logMessage": "at {i}", "condition": "nope > 1"},
        NAMELESS.format("nope > 1", "the log point writes nothing"),
    ),
}
REFUSED = {
    "nope": "the hit condition `nope` is no number of hits that are passed over first",
    ">= 3": "the hit condition `>= 3` is no number of hits that are passed over first",
    "-1": "the hit condition `-1` is no number of hits that are passed over first",
}


def started(client: dap.DapClient, given: dict[str, Any]) -> dict[str, Any]:
    """Start the program with this breakpoint at the loop's line; return the answer about it."""
    client.request("initialize", {"adapterID": "jitscope-test"})
    client.event("initialized")
    asked = {"source": {"path": str(PROGRAMS / PROGRAM)}, "breakpoints": [{"line": line_of(PROGRAM, "log"), **given}]}
    answer = client.request("setBreakpoints", asked)["breakpoints"][0]
    launch = {"program": newest_python(), "args": [str(PROGRAMS / PROGRAM)]}
    launched = client.send("launch", {**launch, "env": dict(lean({"JITSCOPE_LEVEL": ""}))})
    client.request("configurationDone")
    client.response(launched)
    return dict(answer)


@GDBS
@pytest.mark.parametrize("case", MESSAGES)
def test_the_breakpoint_says_why(case: str, gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    given, message = MESSAGES[case]
    with dap.DapClient(gdb, True, {}) as client:
        first = started(client, given)
        while client.stop() is not None:
            client.request("continue", {"threadId": client.thread})
        changed = [each["body"]["breakpoint"] for each in client.waiting if each.get("event") == "breakpoint"]
        assert message in [each.get("message") for each in (first, *changed)], (first, changed)


@GDBS
def test_a_hit_condition_that_is_no_number_is_refused(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True, {}) as client:
        client.request("initialize", {"adapterID": "jitscope-test"})
        client.event("initialized")
        source, line = {"path": str(PROGRAMS / PROGRAM)}, line_of(PROGRAM, "log")
        for text, message in REFUSED.items():
            asked = {"source": source, "breakpoints": [{"line": line, "hitCondition": text}]}
            answer = client.request("setBreakpoints", asked)["breakpoints"][0]
            assert not answer["verified"] and answer["message"] == message, answer


@GDBS
def test_a_new_condition_removes_the_message(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True, {}) as client:
        started(client, {"condition": "i == 4 and nope == i"})
        assert client.event("terminated") is not None
    with dap.DapClient(gdb, True, {}) as client:
        started(client, {"condition": "i == 3"})
        assert client.stop() is not None
        path = {"path": str(PROGRAMS / PROGRAM)}
        for condition, is_said in (("nope == 3", True), ("i == 9", False), ("nope == 3", True), (None, False)):
            asked = {"line": line_of(PROGRAM, "log"), **({"condition": condition} if condition else {})}
            answer = client.request("setBreakpoints", {"source": path, "breakpoints": [asked]})["breakpoints"][0]
            assert ("nope" in answer.get("message", "")) == is_said, (condition, answer)
