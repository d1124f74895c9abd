"""The recorded sessions, played again: each answer is what was recorded."""

from __future__ import annotations

import json
import pathlib

import pytest

from tests.dap import session
from tests.gdb import dap
from tests.gdb.harness import make_core
from tests.interpreters import gdbs, lldb_adapter, lldbs
from tests.minutes import MATRIX

FILES = sorted(session.FOLDER.glob("*.jsonl"))


def debuggers_of(path: pathlib.Path) -> dict[str, str]:
    """Return the debuggers that play a session: of an editor other than VS Code, the newest, or with --matrix all."""
    found = lldbs() if path.stem.endswith("lldb-dap") else gdbs()
    return found if MATRIX or "-vscode-" in path.stem else dict([list(found.items())[-1]])


CASES = [
    pytest.param(path, debugger, id=f"{path.stem}-{version}")
    for path in FILES
    for version, debugger in debuggers_of(path).items()
]


def adapter_of(beginning: session.Beginning, debugger: str) -> str:
    """Return the path of the debug adapter; skip where this debugger has none."""
    if beginning.debugger == "lldb-dap":
        found = lldb_adapter(debugger)
        if "vscode" in pathlib.Path(found).name:
            pytest.skip("this LLDB has lldb-vscode, which lldb-dap has replaced (18 and later)")
        return found
    if not dap.speaks(debugger):
        pytest.skip("this GDB has no gdb.dap (14 and later)")
    if beginning.how == "core" and not dap.opens_cores(debugger):
        pytest.skip("the DAP server of this GDB opens no cores (18 and later)")
    return debugger


@pytest.mark.parametrize(("path", "debugger"), CASES)
def test_session(path: pathlib.Path, debugger: str, tmp_path: pathlib.Path) -> None:
    beginning, recorded = session.read(path)
    adapter = adapter_of(beginning, debugger)
    core = None
    if beginning.how == "core":
        core = make_core(beginning.program, tmp_path, session.environment(beginning.env))
    with session.started(beginning, adapter, core) as played:
        for line in recorded:
            played.play(line)
            if played.lines[-1] != line:
                break  # what comes after it uses its ids
        count = len(played.lines)
        assert as_text(played.lines) == as_text(recorded[:count])
    assert count == len(recorded)


def as_text(lines: list[session.Line]) -> str:
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
