"""Short names of types: what they leave out, and where a client sees the whole name."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from jitscope_shared.clients import type_names

from tests.gdb import dap
from tests.gdb.harness import lean, line_of, newest_python
from tests.interpreters import gdbs

PROGRAM = "short_types.py"
GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
RECORD = "Record(x: float64, at: Record(row: int64, place: nestedarray(float32, (2, 2))))"
SHORT = {
    "counter": "Counter",
    "records": f"array({RECORD}, 1d, C)",
    "table": "DictType[int64,float64]",
    "pair": "Tuple(Counter, int64)",
}
# Types in Python, whose names Numba itself writes, and their short names.
MADE = {
    "types.int64": "int64",
    "types.Array(types.float64, 2, 'A', aligned=False)": "array(float64, 2d, A)",
    "types.Array(types.float64, 2, 'A', readonly=True)": "readonly array(float64, 2d, A)",
    "types.DictType(types.unicode_type, types.ListType(types.int64))": "DictType[unicode_type,ListType[int64]]",
    "types.List(types.int64, reflected=True)": "reflected list(int64)",
    "types.Tuple([types.literal('s'), types.literal(3), types.float64])": "Tuple(str, int, float64)",
    "typeof(f)": "function f",
    "types.Optional(types.int64)": "OptionalType(int64)",
    "typeof(np.zeros(2, [('a b', 'f8'), ('x', 'i4')]))": "array(Record(a b: float64, x: int32), 1d, C)",
    # What the names of the program make ambiguous is shown whole.
    "typeof(np.zeros(2, [('x[0]', 'i2')]))": "unaligned array(Record(x[0][type=int16;offset=0];2;False), 1d, C)",
    "types.literal('mutable array(int64)')": "Literal[str](mutable array(int64))",
    "types.FunctionType(types.int64(types.float64))": "FunctionType[int64(float64)]",
}


def test_numbas_names_are_shortened() -> None:
    code = "import numpy as np; from numba import njit, types, typeof; import json; \n@njit\ndef f(): pass\n"
    code += f"print(json.dumps([str(each) for each in ({', '.join(MADE)})]))"
    done = subprocess.run([newest_python(), "-c", code], capture_output=True, text=True, check=True, env=lean({}))
    assert [type_names.short(name) for name in json.loads(done.stdout)] == list(MADE.values())


@GDBS
def test_a_list_has_short_names_and_the_mouse_whole_ones(gdb: str) -> None:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True, {}) as client:
        client.request("initialize", {"adapterID": "jitscope-test", "supportsVariableType": True})
        client.event("initialized")
        client.set_breakpoint(PROGRAM, line_of(PROGRAM, "stop"))
        launch = {"program": newest_python(), "args": [str(dap.PROGRAMS / PROGRAM)]}
        launched = client.send("launch", {**launch, "env": dict(lean({"JITSCOPE_LEVEL": "steps"}))})
        client.request("configurationDone")
        client.response(launched)
        frame = client.stop()
        assert frame is not None
        shown: dict[str, Any] = {}
        for scope in client.request("scopes", {"frameId": frame["id"]})["scopes"][:2]:
            found = client.request("variables", {"variablesReference": scope["variablesReference"]})["variables"]
            shown.update((each["name"], each["type"]) for each in found)
        assert {name: shown[name] for name in SHORT} == SHORT
        hovered = {"expression": "counter", "frameId": frame["id"], "context": "hover"}
        whole = client.request("evaluate", hovered)["type"]
        assert whole.startswith("instance.jitclass.Counter#") and whole.endswith(
            "<total:int64,values:array(float64, 1d, A)>"
        )
