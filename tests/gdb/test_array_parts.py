"""Arrays as front ends unfold them: by axes, in ranges, to the last element, with their statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from tests.gdb import dap, harness
from tests.gdb.harness import line_of
from tests.interpreters import gdbs
from tests.programs import unfolded_arrays

PROGRAM = "unfolded_arrays.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
STEPS = {"JITSCOPE_LEVEL": "steps"}
SEEDS = 12

# Unfolds a part: returns the names, the texts and the handles of its children, from `start` on, `count` at most.
Unfold = Callable[..., "list[tuple[str, str, Any]]"]


@contextmanager
def of_dap(
    gdb: str, mark: str, scope: str = "Arguments"
) -> Iterator[tuple[dap.DapClient, Callable[[str], Any], Unfold]]:
    """Yield a client that has stopped, a function that gives an argument's handle, and one that unfolds."""
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True, STEPS) as client:
        client.request("initialize", {"adapterID": "jitscope-test", "supportsVariablePaging": True})
        client.event("initialized")
        client.set_breakpoint(PROGRAM, line_of(PROGRAM, mark))
        launch = {"program": harness.newest_python(), "args": [str(harness.PROGRAMS / PROGRAM)]}
        launched = client.send("launch", {**launch, "env": dict(harness.lean(STEPS))})
        client.request("configurationDone")
        client.response(launched)
        client.stop()

        def argument(name: str) -> Any:
            frame = client.request("stackTrace", {"threadId": client.thread, "levels": 1})["stackFrames"][0]
            scopes = client.request("scopes", {"frameId": frame["id"]})["scopes"]
            found = unfold(next(each["variablesReference"] for each in scopes if each["name"] == scope))
            return next(handle for each, _, handle in found if each == name)

        def unfold(handle: Any, start: int = 0, count: int = 0) -> list[tuple[str, str, Any]]:
            found = client.request("variables", {"variablesReference": handle, "start": start, "count": count})
            return [(each["name"], each["value"], each["variablesReference"]) for each in found["variables"]]

        yield client, argument, unfold


@contextmanager
def of_mi(
    gdb: str, mark: str, _scope: str = ""
) -> Iterator[tuple[harness.MachineInterface, Callable[[str], Any], Unfold]]:
    pytest.importorskip("pygdbmi")
    with harness.machine_interface(PROGRAM, env=STEPS, gdb=gdb) as mi:
        mi.send("-enable-pretty-printing")
        mi.send(f"-break-insert -f {PROGRAM}:{line_of(PROGRAM, mark)}")
        mi.until_stop("-exec-run")

        def argument(name: str) -> Any:
            return mi.send(f"-var-create - * {name}")["payload"]["name"]

        def unfold(handle: Any, start: int = 0, count: int = 0) -> list[tuple[str, str, Any]]:
            asked = f'"{handle}" {start} {start + count}' if count else f'"{handle}"'
            children = mi.send(f"-var-list-children --all-values {asked}")["payload"].get("children", [])
            return [(each["exp"], each["value"], each["name"]) for each in children]

        yield mi, argument, unfold


WAYS = pytest.mark.parametrize("way", [of_dap, of_mi], ids=["dap", "mi"])


def elements(unfold: Unfold, handle: Any, dimensions: int) -> list[Any]:
    rows = [row for row in unfold(handle) if row[0] != "statistics"]
    assert [name for name, _, _ in rows] == [f"[{number}]" for number in range(len(rows))]
    if dimensions == 1:
        return [text for _, text, _ in rows]
    return [elements(unfold, each, dimensions - 1) for _, _, each in rows]


def texts(values: Any) -> list[Any]:
    """Return the elements as Python writes them."""
    return [texts(row) for row in values] if values and isinstance(values[0], list) else [repr(each) for each in values]


@GDBS
@WAYS
def test_the_elements_are_those_of_numpy(gdb: str, way: Any) -> None:
    with way(gdb, "array") as (session, argument, unfold):
        for seed in range(SEEDS):
            expected = unfolded_arrays.make(seed)
            handle = argument("array")
            assert elements(unfold, handle, expected.ndim) == texts(expected.tolist()), (seed, expected)
            figures = {name: text for name, text, _ in unfold(unfold(handle)[-1][2])}
            if expected.dtype.kind in "iuf":
                assert float(figures["min"]) == expected.min() and float(figures["max"]) == expected.max()
                assert float(figures["mean"]) == pytest.approx(float(expected.mean()))
                assert int(figures["zero"]) == int(np.sum(expected == 0)), (seed, figures)
            if isinstance(session, dap.DapClient):
                session.go_on()
            elif seed < SEEDS - 1:
                session.until_stop("-exec-continue")


@GDBS
@WAYS
def test_a_large_array_unfolds_to_its_last_element(gdb: str, way: Any) -> None:
    with way(gdb, "large") as (_, argument, unfold):
        large = argument("large")
        ranges = unfold(large)
        assert len(ranges) == 101 and ranges[-1][0] == "statistics"
        assert ranges[-1][1] in ("computed when unfolded", "{...}")  # MI before GDB 14 has no text of a parent
        assert ranges[12][0] == "[12000000..12999999]" and ranges[99][0] == "[99000000..99999999]"
        thousands = unfold(ranges[12][2], 345, 1) if way is of_dap else unfold(ranges[12][2])[345:346]
        assert thousands[0][0] == "[12345000..12345999]"
        found = unfold(thousands[0][2])
        assert (
            len(found) == 1000 and found[678][:2] == ("[12345678]", "42.5") and found[679][:2] == ("[12345679]", "0.0")
        )
        last = unfold(unfold(ranges[99][2])[999][2])[999]
        assert last[:2] == ("[99999999]", "7.0")
        figures = {name: text for name, text, _ in unfold(ranges[-1][2])}
        assert figures["max"] == "42.5" and figures["zero"] == str(unfolded_arrays.LARGE - 2), figures


@GDBS
@WAYS
def test_arrays_without_elements_and_without_axes(gdb: str, way: Any) -> None:
    with way(gdb, "large") as (_, argument, unfold):
        rows = unfold(argument("empty"))
        assert [name for name, _, _ in rows][:3] == ["[0]", "[1]", "[2]"] and unfold(rows[0][2]) == []
        assert [each[:2] for each in unfold(argument("scalar"))] == [("[()]", "2.5")]


@GDBS
def test_elements_that_are_records(gdb: str) -> None:
    with of_dap(gdb, "large") as (_, argument, unfold):
        records = unfold(argument("records"))
        assert [text for _, text, _ in records] == ["(0, (1.5, 0.0))", "(1, (1.5, 0.0))", "(2, (1.5, 0.0))"]
        fields = unfold(records[2][2])
        assert [each[:2] for each in fields] == [("n", "2"), ("at", "(1.5, 0.0)")]
        assert [each[:2] for each in unfold(fields[1][2])] == [("x", "1.5"), ("y", "0.0")]


@GDBS
@WAYS
def test_fields_that_are_arrays(gdb: str, way: Any) -> None:
    expected = unfolded_arrays.make_grids()
    with way(gdb, "grids") as (_, argument, unfold):
        for number, record in enumerate(unfold(argument("grids"))[: len(expected)]):
            fields = {name: (text, handle) for name, text, handle in unfold(record[2])}
            assert elements(unfold, fields["grid"][1], 2) == texts(expected["grid"][number].tolist())
            if way is of_dap:
                assert "".join(fields["grid"][0].split()) == "".join(repr(expected["grid"][number]).split())
            ranges = unfold(fields["long"][1])
            assert [name for name, _, _ in ranges] == ["[0..999]", "[1000..1999]", "[2000..2499]"]
            assert [text for _, text, _ in unfold(ranges[2][2])] == texts(expected["long"][number][2000:].tolist())
            for place, cell in enumerate(unfold(fields["cells"][1])):
                parts = {name: handle for name, _, handle in unfold(cell[2])}
                assert elements(unfold, parts["v"], 1) == texts(expected["cells"]["v"][number][place].tolist())


@GDBS
@WAYS
def test_a_record_that_is_a_variable(gdb: str, way: Any) -> None:
    expected = unfolded_arrays.make_grids()[1]
    with way(gdb, "grids", "Locals") as (session, argument, unfold):
        fields = {name: (text, handle) for name, text, handle in unfold(argument("row"))}
        assert list(fields) == list(expected.dtype.names)
        assert elements(unfold, fields["grid"][1], 2) == texts(expected["grid"].tolist())
        first = unfold(fields["cells"][1])[0][2]
        assert dict(each[:2] for each in unfold(first))["w"] == str(expected["cells"]["w"][0])
        if isinstance(session, dap.DapClient):
            row = unfold(fields["grid"][1])[0][2]
            unfold(row)
            session.request("setVariable", {"variablesReference": row, "name": "[1]", "value": "8.5"})
            frame = session.request("stackTrace", {"threadId": session.thread, "levels": 1})["stackFrames"][0]
            assert session.evaluate("grids[1]['grid'][0, 1]", frame) == "8.5"


@GDBS
def test_an_element_can_be_written(gdb: str) -> None:
    with of_dap(gdb, "large") as (client, argument, unfold):
        record = unfold(argument("records"))[1][2]
        assert unfold(record)[0][:2] == ("n", "1")
        client.request("setVariable", {"variablesReference": record, "name": "n", "value": "9"})
        assert unfold(argument("records"))[1][1] == "(9, (1.5, 0.0))"
        frame = client.request("stackTrace", {"threadId": client.thread, "levels": 1})["stackFrames"][0]
        assert client.evaluate("records[1].n", frame) == "9"


@GDBS
def test_a_part_that_is_no_single_value_is_not_written(gdb: str) -> None:
    with of_dap(gdb, "grids") as (client, argument, unfold):
        grids = argument("grids")
        record = unfold(grids)[1][2]
        grid = next(handle for name, _, handle in unfold(record) if name == "grid")
        row = unfold(grid)[1][2]
        for reference, name in ((grids, "[1]"), (record, "grid"), (grid, "[0]")):
            with pytest.raises(RuntimeError, match="only single values can be written"):
                client.request("setVariable", {"variablesReference": reference, "name": name, "value": "5"})
        assert [text for _, text, _ in unfold(row)] == ["4.5", "5.0", "5.5"]
        client.request("setVariable", {"variablesReference": row, "name": "[2]", "value": "2.25"})
        frame = client.request("stackTrace", {"threadId": client.thread, "levels": 1})["stackFrames"][0]
        assert client.evaluate("grids[1]['grid'][1, 2]", frame) == "2.25"


@GDBS
def test_a_value_that_an_element_cannot_hold_is_refused(gdb: str) -> None:
    """GDB alone cuts a number as C does, and writes the address of a text."""
    refused = {"1 << 63": "is no value of int64", "-1 - (1 << 63)": "is no", "2.5 + 0": "2.5 is no value of int64",
               "'text'": "'text' is no number that can be written", "None": "None is no number"}  # fmt: skip
    with of_dap(gdb, "large") as (client, argument, unfold):
        record = unfold(argument("records"))[1][2]
        assert unfold(record)[0][:2] == ("n", "1")
        for value, message in refused.items():
            with pytest.raises(RuntimeError, match=message.replace("(", "[(]")):
                client.request("setVariable", {"variablesReference": record, "name": "n", "value": value})
        client.request("setVariable", {"variablesReference": record, "name": "n", "value": "1 - (1 << 63) + 0"})
        assert unfold(argument("records"))[1][1] == f"({1 - (1 << 63)}, (1.5, 0.0))"
        place = unfold(record)[1][2]
        assert unfold(place)[0][:2] == ("x", "1.5")
        client.request("setVariable", {"variablesReference": place, "name": "x", "value": "1.5 - 4"})
        assert unfold(place)[0][:2] == ("x", "-2.5")
