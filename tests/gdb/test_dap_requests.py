"""Requests of a DAP client that are asked less often: formats of a stack, new values in another frame than the selected
one, values that do not fit, lines of a file, and requests that GDB does not have."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.gdb import dap
from tests.gdb.harness import PROGRAMS, line_of
from tests.interpreters import gdbs

GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
PROGRAM = "dap_requests.py"
STEPS = {"JITSCOPE_LEVEL": "steps"}
WITH_BOTH = {"supportsMemoryReferences": True, "supportsVariableType": True}
UNFOLD = "only single values can be written: unfold it, and write the values in it"
NO_PLACE = "Left operand of assignment is not an lvalue"


@contextlib.contextmanager
def stopped(gdb: str, mark: str) -> Iterator[tuple[dap.DapClient, list[dict[str, Any]]]]:
    """Yield a client at the line with this mark, and the frames there."""
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True) as client:
        client.thread = client.launch(PROGRAM, line_of(PROGRAM, mark), STEPS)
        yield client, client.request("stackTrace", {"threadId": client.thread})["stackFrames"]


def scope(client: dap.DapClient, frame: dict[str, Any], name: str = "Arguments") -> dict[str, int]:
    """Return a frame's scope, in the form of an argument, after a client has unfolded it."""
    found = client.request("scopes", {"frameId": frame["id"]})["scopes"]
    inside = {"variablesReference": next(each["variablesReference"] for each in found if each["name"] == name)}
    client.request("variables", inside)
    return inside


def unfolded(client: dap.DapClient, inside: dict[str, int], name: str) -> dict[str, int]:
    rows = client.request("variables", inside)["variables"]
    part = {"variablesReference": next(row["variablesReference"] for row in rows if row["name"] == name)}
    client.request("variables", part)
    return part


@GDBS
def test_a_stack_shows_the_arguments_that_a_format_asks_for(gdb: str) -> None:
    with stopped(gdb, "helper") as (client, _):
        wanted = {"parameters": True, "parameterNames": True, "parameterValues": True}
        asked = {"threadId": client.thread, "format": wanted}
        names = [each["name"] for each in client.request("stackTrace", asked)["stackFrames"]]
        assert names[0] == "helper(x = 0.0, k = 0)" and names[2:] == ["main(number = 3)", "<module>()"], names
        assert names[1].startswith("work(values = array(float64, shape=(4,)), flags = array(bool, shape=(2,))"), names


@GDBS
def test_a_new_value_is_evaluated_in_the_frame_of_its_variable(gdb: str) -> None:
    with stopped(gdb, "helper") as (client, frames):
        values = unfolded(client, scope(client, frames[1]), "values")
        assert client.evaluate("x", frames[0]) == "0.0"  # selects the inner frame
        written = client.request("setVariable", {**values, "name": "[1]", "value": "two * 10"})
        assert written["value"] == "30.0" and client.evaluate("values", frames[1]) == "array([0., 30., 2., 3.])"
        client.evaluate("x", frames[0])
        with pytest.raises(RuntimeError, match="name 'k' is not defined"):
            client.request("setVariable", {**values, "name": "[1]", "value": "k + 1"})


@GDBS
def test_what_cannot_be_written_is_refused_in_a_line(gdb: str) -> None:
    with stopped(gdb, "end") as (client, frames):
        arguments = scope(client, frames[0])
        flags = unfolded(client, arguments, "flags")
        python = scope(client, frames[1])
        refused = (
            (flags, "[1]", "2", "2 is no value of bool"),
            (arguments, "flags", "1", UNFOLD),
            (arguments, "two", "1", NO_PLACE),
            (python, "number", "5", "a variable of an interpreted Python function cannot be written"),
        )
        for inside, name, value, message in refused:
            with pytest.raises(RuntimeError, match=message):
                client.request("setVariable", {**inside, "name": name, "value": value})
        assert client.evaluate("(flags, two)", frames[0]) == "(array([True, False]), 3)"
        assert client.request("setVariable", {**flags, "name": "[1]", "value": "two == 3"})["value"] == "True"
        client.request("continue", {"threadId": client.thread})
        client.event("terminated")
        assert "array([1, 1], dtype=uint8)" in client.output()


@GDBS
def test_an_expression_is_written_only_where_its_place_holds_the_value(gdb: str) -> None:
    """GDB alone cuts 5.7 to 5, and takes `box.data[1]` for what lies behind the attributes of the instance."""
    with stopped(gdb, "row") as (client, frames):

        def write(expression: str, value: str) -> str:
            given = {"expression": expression, "value": value, "frameId": frames[0]["id"]}
            return str(client.request("setExpression", given)["value"])

        refused = (
            ("row.n", "5.7", "5.7 is no value of int64"),
            ("row.n", "row.q", "1.5 is no value of int64"),
            ("row.n", "'x'", "is no number that can be written"),
            ("box.data[1]", "4", NO_PLACE),
            ("box", "4", UNFOLD),
            ("label", "4", UNFOLD),
            ("turn", "4", "a value of complex128 cannot be written here"),
        )
        for expression, value, message in refused:
            with pytest.raises(RuntimeError, match=message):
                write(expression, value)
        assert client.evaluate("(row.n, box)", frames[0]) == "(2, Box(n=1, data=array([0., 1., 2.])))"
        assert write("row.n", "row.n + 5") == "7" and write("box.n", "row.n") == "7"
        assert client.evaluate("row.n + box.n", frames[0]) == "14"


@GDBS
def test_a_variable_has_neither_an_address_nor_a_type_that_the_program_does_not_know(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True) as client:
        client.request("initialize", {"adapterID": "jitscope-test", **WITH_BOTH})
        client.event("initialized")
        client.set_breakpoint(PROGRAM, line_of(PROGRAM, "row"))
        launched = client.send("launch", {"program": dap.newest_python(), "args": [str(PROGRAMS / PROGRAM)],
                                          "env": dict(dap.lean(STEPS))})  # fmt: skip
        client.request("configurationDone")
        client.response(launched)
        frame = client.stop()
        assert frame is not None
        label = unfolded(client, scope(client, frame, "Locals"), "label")
        parts = client.request("variables", label)["variables"]
        assert parts[1]["value"] == "'text'" and "memoryReference" not in parts[1], parts
        python = client.request("stackTrace", {"threadId": client.thread})["stackFrames"][1]
        rows = client.request("variables", scope(client, python, "Locals"))["variables"]
        kinds = {row["name"]: (row["value"], row["type"]) for row in rows}
        assert kinds["last"] == ("<unassigned>", "") and kinds["name"] == ("'text'", "str"), kinds


@GDBS
def test_a_name_is_what_it_is_in_python(gdb: str) -> None:
    with stopped(gdb, "helper") as (client, frames):
        for frame in frames:
            assert client.evaluate("helper", frame).startswith("CPUDispatcher(<function helper at 0x"), frame


@GDBS
def test_lines_of_breakpoints_are_those_of_all_functions(gdb: str) -> None:
    with stopped(gdb, "end") as (client, _):
        asked = {"source": {"path": str(PROGRAMS / PROGRAM)}, "line": 1, "endLine": 100}
        lines = {each["line"] for each in client.request("breakpointLocations", asked)["breakpoints"]}
        assert {line_of(PROGRAM, mark) for mark in ("helper", "end")} <= lines, lines


@GDBS
def test_a_breakpoint_is_described_by_a_place_that_is_on(gdb: str) -> None:
    """LLVM has functions of these names, whose places are off."""
    with stopped(gdb, "helper") as (client, _):
        client.request("setBreakpoints", {"source": {"path": str(PROGRAMS / PROGRAM)}, "breakpoints": []})
        asked = {"breakpoints": [{"name": "helper"}, {"name": "work"}]}
        for found in client.request("setFunctionBreakpoints", asked)["breakpoints"]:
            assert found["verified"] and found["source"]["name"] == PROGRAM, found


@GDBS
def test_what_gdb_has_not_is_refused_in_a_sentence(gdb: str) -> None:
    with stopped(gdb, "helper") as (client, frames):
        for request in ("restart", "dataBreakpointInfo", "gotoTargets"):
            with pytest.raises(RuntimeError, match=f"GDB has no request `{request}`"):
                client.request(request, {"threadId": client.thread})
        for number in (99, -1):
            with pytest.raises(RuntimeError, match=f"no frame has the number {number} at this stop"):
                client.request("scopes", {"frameId": number})
        assert client.evaluate("k", frames[0]) == "0"
