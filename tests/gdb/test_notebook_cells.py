"""Cells of a notebook in a kernel: their numbers, and breakpoints in the document that an editor has open."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from jitscope_shared.clients import notebook

from tests.gdb import dap, harness
from tests.gdb.harness import PROGRAMS, lean, newest_python
from tests.interpreters import gdbs

GDBS = pytest.mark.parametrize("gdb", gdbs().values(), ids=[f"gdb-{name}" for name in gdbs()])
HOOK = {"JITSCOPE_LEVEL": ""}  # jitscope's default
SCALE = """@njit(debug=True)
def scale(values, factor):
    top = values.max()
    scaled = values * factor / top
    return scaled"""  # a cell of notebook.py


@contextlib.contextmanager
def kernel() -> Iterator[int]:
    """Yield the pid of a kernel that runs the last cell of notebook.py again once a debugger is there."""
    program = [newest_python(), str(PROGRAMS / "notebook.py")]
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=lean(HOOK), text=True)
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    try:
        yield pid
        process.wait(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()
        process.stdout.close()


def saved(folder: pathlib.Path, *cells: str) -> pathlib.Path:
    """Return the file of a notebook with these cells, each as a list of lines, as Jupyter saves them."""
    path = folder / "my notes.ipynb"
    kinds = [{"cell_type": "markdown", "source": ["# Notes\n", "on scaling"]}]
    kinds += [{"cell_type": "code", "source": cell.splitlines(True)} for cell in cells]
    path.write_text(json.dumps({"nbformat": 4, "cells": kinds}), encoding="utf-8")
    return path


def uri(path: pathlib.Path, handle: int) -> str:
    """Return VS Code's name of a cell of this notebook, which has fewer than seven cells."""
    return f"vscode-notebook-cell:{str(path).replace(' ', '%20')}#W{handle}sZmlsZQ%3D%3D"


def test_the_file_of_a_cell_is_ipykernels() -> None:
    """ipykernel itself is the oracle, for texts of any length and script."""
    made = random.Random(28)
    texts = ["".join(made.choice("ab \né€😀") for _ in range(length)) for length in range(60)]
    code = (
        "import json, os, sys; from ipykernel.compiler import get_file_name; "
        "print(json.dumps([os.path.basename(get_file_name(text)) for text in json.load(sys.stdin)]))"
    )
    done = subprocess.run(
        [newest_python(), "-c", code], input=json.dumps(texts), capture_output=True, text=True, check=True, env=lean({})
    )
    assert json.loads(done.stdout) == [notebook.Cell("", "", 1, text).file for text in texts]


def test_a_breakpoint_and_frames_have_the_number_of_the_cell() -> None:
    with kernel() as pid:
        done = harness.run(
            ["set breakpoint pending on", "break In[9]:1", "break In[2]:4", "continue", "jit bt 2", "bt 1", "jit bt",
             "detach"],
            pid=pid,
        )  # fmt: skip
    refused = "no cell has the number 9 in this process; cells that have run: In[1], In[2], In[3]"
    assert done.of("break In[9]:1") == refused
    assert "hit Breakpoint 1" in done.of("continue") and ", scale (" in done.of("continue"), done.text
    scale, caller = done.of("jit bt 2").splitlines()[:2]
    assert scale.startswith("#0  scale (") and scale.endswith(" at In[2]:4"), scale
    assert caller == "#1  <module> () at In[4]:1 [py]"
    assert done.of("bt 1").splitlines()[0].endswith(" at In[2]:4")
    assert "Handle._run" in done.of("jit bt") and "_asyncio" not in done.of("jit bt")  # the event loop's step


@contextlib.contextmanager
def attached(gdb: str, pid: int, source: str, lines: list[int]) -> Iterator[tuple[dap.DapClient, list[Any]]]:
    if not dap.speaks(gdb):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    with dap.DapClient(gdb, True, {}) as client:
        client.request("initialize", {"adapterID": "jitscope-test"})
        attached = client.send("attach", {"pid": pid, "program": newest_python()})
        client.event("initialized")
        asked = {"source": {"path": source}, "breakpoints": [{"line": line} for line in lines]}
        answer = client.request("setBreakpoints", asked)["breakpoints"]
        client.request("configurationDone")
        client.response(attached)
        yield client, answer
        client.request("disconnect", {"terminateDebuggee": False})


@GDBS
def test_a_breakpoint_in_the_document_stops_in_the_cell(gdb: str, tmp_path: pathlib.Path) -> None:
    cell = uri(saved(tmp_path, "import numpy as np\nfrom numba import njit", SCALE), 2)
    with kernel() as pid, attached(gdb, pid, cell, [4]) as (client, _):
        stop = client.event("stopped")
        while stop["reason"] != "breakpoint":  # the stop of attaching
            client.request("continue", {"threadId": stop["threadId"]})
            stop = client.event("stopped")
        scale, caller = client.request("stackTrace", {"threadId": stop["threadId"], "levels": 2})["stackFrames"]
        assert scale["name"] == "scale" and scale["line"] == 4, scale
        assert scale["source"] == {"name": "In[2]", "path": cell}
        # The caller's cell is in no document that the client has named: its text is in a file.
        assert caller["name"] == "<module>" and caller["source"]["name"] == "In[4]", caller
        text = client.request("source", {"source": caller["source"], "sourceReference": 0})["content"]
        assert text == "scale(np.arange(4.0), 2)\n"
        evaluated = {"expression": "top", "frameId": scale["id"], "context": "watch"}
        assert client.request("evaluate", evaluated)["result"] == "3.0"


@GDBS
@pytest.mark.parametrize(
    ("handle", "message"),
    [
        (0, "cell 1 of my notes.ipynb is no code"),
        (5, "my notes.ipynb, as it was saved last, has no such cell: save the notebook"),
    ],
)
def test_a_cell_that_cannot_be_found_is_refused(gdb: str, handle: int, message: str, tmp_path: pathlib.Path) -> None:
    cell = uri(saved(tmp_path, SCALE), handle)
    with kernel() as pid, attached(gdb, pid, cell, [2]) as (_, answer):
        assert [each["verified"] for each in answer] == [False]
        assert answer[0]["message"] == message


@GDBS
def test_a_cell_that_has_not_run_waits_and_says_so(gdb: str, tmp_path: pathlib.Path) -> None:
    cell = uri(saved(tmp_path, SCALE.replace("max", "min")), 1)
    with kernel() as pid, attached(gdb, pid, cell, [3]) as (_, answer):
        assert [each["verified"] for each in answer] == [False]
        assert answer[0]["message"] == (
            "no code of cell 2 of my notes.ipynb, as it was saved last, is compiled yet: it stops there once it is"
        )
