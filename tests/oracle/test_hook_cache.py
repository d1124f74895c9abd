"""`cache=True`: code of another level, of another version of the hook, or without the hook is never taken for this
one's."""

from __future__ import annotations

import pathlib
import subprocess

from tests.gdb.harness import environment
from tests.interpreters import ROOT, newest_python


def said(folder: pathlib.Path, levels: str, *arguments: str, **env: str) -> list[str]:
    """Return for each level whether the code was cached, and the level of the code."""
    command = [newest_python(), "-m", "tests.programs.cached", levels, *arguments]
    variables = environment({"NUMBA_CACHE_DIR": str(folder), **env})
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.splitlines()


def test_levels_and_versions(tmp_path: pathlib.Path) -> None:
    assert said(tmp_path, "exact,exact,steps,steps,exact") == [
        "exact compiled exact",
        "exact cached exact",
        "steps compiled steps",
        "steps cached steps",
        "exact cached exact",
    ]
    assert said(tmp_path, "exact,exact", JITSCOPE="0") == ["exact compiled stock", "exact cached stock"]
    assert said(tmp_path, "exact,steps", "other-version") == ["exact compiled exact", "steps compiled steps"]
    assert said(tmp_path, "steps,exact") == ["steps cached steps", "exact cached exact"]
    assert said(tmp_path, "stock", JITSCOPE_LEVEL="stock") == ["stock cached stock"]
