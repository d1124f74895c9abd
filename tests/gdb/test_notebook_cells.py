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


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "%%time\nf(1)",
            "is a cell magic, whose code has no file of the cell's: set a breakpoint at the function's name",
        ),
        (
            "\n\nx = 1",
            "begins with an empty line, which IPython removes: remove it, save the notebook, and run the cell",
        ),
        (
            "!echo a \\\n b\nx = 1",
            "has a magic that goes on in another line, and IPython joins the lines: write it in one line",
        ),
    ],
)
def test_a_cell_whose_lines_ipython_changes_is_refused(text: str, why: str, tmp_path: pathlib.Path) -> None:
    path = saved(tmp_path, text)
    assert notebook.cell_at(uri(path, 1)) == (None, f"cell 2 of {path.name} {why}")


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


FAILS = "break In[2]:4 if values[99] > 1"


def test_a_breakpoint_and_frames_have_the_number_of_the_cell() -> None:
    with kernel() as pid:
        done = harness.run(
            ["set breakpoint pending on", "break In[9]:1", FAILS, "continue", "jit bt 2", "bt 1", "jit bt",
             'dprintf In[2]:5,"scaled %s\\n",scaled.sum()', "continue"],
            pid=pid,
        )  # fmt: skip
    refused = "no cell has the number 9 in this process; cells that have run: In[1], In[2], In[3]"
    assert done.of("break In[9]:1") == refused
    assert "`values[99] > 1` fails at In[2]:4, and stops there this once: " in done.of("continue"), done.text
    assert "hit Breakpoint 1" in done.of("continue") and ", scale (" in done.of("continue"), done.text
    scale, caller = done.of("jit bt 2").splitlines()[:2]
    assert scale.startswith("#0  scale (") and scale.endswith(" at In[2]:4"), scale
    assert caller == "#1  <module> () at In[4]:1 [py]"
    assert done.of("bt 1").splitlines()[0].endswith(" at In[2]:4")
    assert "scaled 4.0\n" in done.of("continue", 1), done.text
    assert "Handle._run" in done.of("jit bt") and "_asyncio" not in done.of("jit bt")  # the event loop's step


HIDDEN = """
import asyncio, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
CELL = "from numba import njit\\n@njit\\ndef {0}(x):\\n    y = x + {1}\\n    return y\\nprint({0}(10))"
shell.run_cell("one = 1", store_history=True)
shell.run_cell(CELL.format("hidden", 1), store_history=False)
shell.run_cell(CELL.format("shown", 2), store_history=True)
shell.run_cell("%%capture told\\n" + CELL.format("captured", 3), store_history=True)
shell.run_cell("print(told)", store_history=True)
"""


def test_code_that_runs_beside_the_cells_has_no_number(tmp_path: pathlib.Path) -> None:
    """IPython gives such code the number of the next cell."""
    program = tmp_path / "hidden.py"
    program.write_text(HIDDEN)
    commands = ["break hidden", "break shown", "break captured", "run", "jit bt 2", "continue", "jit bt 2", "continue",
                "jit bt 2", "break In[3]:4", "break In[2]:4"]  # fmt: skip
    done = harness.run(commands, program=program, env=HOOK)
    hidden, shown, captured = (done.of("jit bt 2", number).splitlines()[0] for number in range(3))
    assert hidden.startswith("#0  hidden (") and "<ipython-input-2-" in hidden and "In[" not in hidden, hidden
    assert shown.startswith("#0  shown (") and shown.endswith(" at In[2]:4"), shown
    assert captured.startswith("#0  captured (") and "In[" not in captured, captured
    assert "<ipython-input-2-" in done.of("break In[2]:4") and "hidden" not in done.of("break In[2]:4"), done.text


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
        saved(tmp_path, "import numpy as np\nfrom numba import njit", SCALE.replace("factor / top", "top"))
        for _ in range(2):
            scale = client.request("stackTrace", {"threadId": stop["threadId"], "levels": 1})["stackFrames"][0]
            assert scale["source"]["name"] == "In[2]" and scale["source"]["path"] != cell, scale
            text = client.request("source", {"source": scale["source"], "sourceReference": 0})["content"]
            assert text.rstrip() == SCALE
        was_changed = (
            "jitscope: cell 3 of my notes.ipynb was changed after it was run: its frames show the text that runs"
        )
        assert client.output().count(was_changed) == 1


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
