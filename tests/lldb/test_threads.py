"""`jit threads` in LLDB against GDB's on one process, and the names of threads."""

from __future__ import annotations

import functools
import json
import re
from typing import Any

import jsonschema
import pytest

from tests.gdb import harness
from tests.gdb.dap import Client
from tests.gdb.harness import PROGRAMS, line_of
from tests.gdb.threading_layers import NEEDS_TBB, env
from tests.interpreters import ROOT, lldb_adapter, newest_python
from tests.lldb.session import IMPORT, LLDBS, Said, run

SCHEMA = json.loads((ROOT / "docs" / "schema" / "threads.json").read_text())
PROGRAM = "workers.py"
BODY = line_of(PROGRAM, "body")
WORKER = re.compile(r"worker [0-3] of omp: fill:\d+, i = (\d+) of (\d+)\.\.(\d+)")
SAID = ("jit threads", "jit threads -json", "jit bt -json", "jit region", "jit region -json")


@functools.cache
def both(lldb: str, layer: str) -> tuple[list[str], list[str]]:
    """Return what LLDB and GDB say of the threads of one process, whose workers sleep."""
    with harness.target("called.py", env=env(layer, "steps")) as pid:
        first = harness.run(["thread 3", *SAID, "detach"], pid=pid)
        second = run(lldb, "called.py", "steps", ("thread select 3", *SAID, "detach"), pid=pid)
        return [second.of(each)[0] for each in SAID], [first.of(each).strip("\n") for each in SAID]


ON_EACH_LAYER = pytest.mark.parametrize("layer", ["omp", "workqueue"])


@LLDBS
@ON_EACH_LAYER
def test_stack_of_a_worker_goes_on_where_the_loop_was_started(lldb: str, layer: str) -> None:
    """Python frames, compiled ones and headings are GDB's, and so are the other workers; C libraries have symbols that
    GDB does not read."""
    ours, theirs = (json.loads(said[2].splitlines()[-1]) for said in both(lldb, layer))
    kinds = ("jit", "python", "region")
    frames = [[each for each in said["frames"] if each["kind"] in kinds] for said in (ours, theirs)]
    hidden = {"index": 0, "frame": 0, "evaluation": 0}
    assert [{**each, **hidden} for each in frames[0]] == [{**each, **hidden} for each in frames[1]]
    assert ours["workers"] == theirs["workers"]


def without_marks(text: str) -> list[str]:
    """Return the threads' lines without the mark of the selected one. LLDB writes of an attach among them."""
    return [line[2:] for line in text.splitlines() if re.match(r"[* ] \d+ ", line)]


@LLDBS
@ON_EACH_LAYER
def test_json_is_gdbs(lldb: str, layer: str) -> None:
    ours, theirs = (json.loads(said[1].splitlines()[-1]) for said in both(lldb, layer))
    jsonschema.validate(ours, SCHEMA)
    assert ours == theirs
    assert sum(1 for entry in ours if entry["regions"]) == 4


@LLDBS
@ON_EACH_LAYER
def test_the_loop_that_runs_is_gdbs(lldb: str, layer: str) -> None:
    ours, theirs = both(lldb, layer)
    assert theirs[3].startswith("wait, prange at ") and "; 4 workers run " in theirs[3]
    assert [line for line in theirs[3].splitlines() if line not in ours[3].splitlines()] == []
    assert json.loads(ours[4].splitlines()[-1]) == json.loads(theirs[4].splitlines()[-1])


@LLDBS
@ON_EACH_LAYER
def test_lines_are_gdbs(lldb: str, layer: str) -> None:
    ours, theirs = (without_marks(said[0]) for said in both(lldb, layer))
    assert ours == theirs


@LLDBS
@NEEDS_TBB
def test_json_on_tbb_lacks_the_start_of_the_loop_only(lldb: str) -> None:
    """LLDB's unwinder ends in TBB's functions, so that it does not reach the function that has started the loop."""
    ours, theirs = (json.loads(said[1].splitlines()[-1]) for said in both(lldb, "tbb"))
    assert [{**entry, "starts": []} for entry in ours] == [{**entry, "starts": []} for entry in theirs]


@functools.cache
def at_body(lldb: str) -> Said:
    return run(lldb, PROGRAM, "steps", (f"breakpoint set -f {PROGRAM} -l {BODY}", "run", "thread list"))


@LLDBS
def test_a_worker_is_named_in_lists_of_threads(lldb: str) -> None:
    line = next(line for line in at_body(lldb).of("thread list")[0].splitlines() if line.startswith("*"))
    assert (found := re.search(r"name = '(.*?)', stop reason", line)), line
    assert (worker := WORKER.fullmatch(found[1])), line
    index, first, last = map(int, worker.groups())
    assert first <= index <= last


@LLDBS
def test_a_worker_is_named_at_a_stop(lldb: str) -> None:
    found = re.search(r"^\* thread #\d+, name = '(.*)', stop reason = breakpoint", at_body(lldb).text, re.M)
    assert found and WORKER.fullmatch(found[1]), at_body(lldb).text[-2000:]


@LLDBS
def test_other_threads_keep_their_name(lldb: str) -> None:
    other = next(line for line in at_body(lldb).of("thread list")[0].splitlines() if "thread #2:" in line)
    assert "name = 'python'" in other


def names_in_adapter(lldb: str) -> list[str]:
    with Client([lldb_adapter(lldb)]) as client:
        client.request("initialize", {"adapterID": "lldb-dap", "linesStartAt1": True, "pathFormat": "path"})
        settings = harness.lean({"JITSCOPE_LEVEL": "steps"})
        request: dict[str, Any] = {
            "program": newest_python(),
            "args": [str(PROGRAMS / PROGRAM)],
            "initCommands": [IMPORT],
            "customThreadFormat": "${script.thread:jitscope_in_lldb.threads.name}",
            "env": [f"{name}={value}" for name, value in settings.items()],
        }
        launched = client.send("launch", request)
        client.event("initialized")
        source = {"path": str(PROGRAMS / PROGRAM)}
        client.request("setBreakpoints", {"source": source, "breakpoints": [{"line": BODY}]})
        client.request("configurationDone")
        client.response(launched)
        assert client.stop() is not None
        return [each["name"] for each in client.request("threads")["threads"]]


@LLDBS
def test_names_in_an_editor(lldb: str) -> None:
    if "vscode" in lldb_adapter(lldb):
        pytest.skip("lldb-vscode has no format of threads")
    names = names_in_adapter(lldb)
    assert any(WORKER.fullmatch(name) for name in names), names
    assert "python" in names
