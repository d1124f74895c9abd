"""scripts/test asks LLDB for its version: an error that does not matter is not shown, and all others are."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.interpreters import ROOT, lldbs, newest_python

KNOWN = """Traceback (most recent call last):
  File "<string>", line 1, in <module>
ModuleNotFoundError: No module named 'lldb.embedded_interpreter'
"""
OTHERS = "error: one\n", KNOWN.replace("<string>", "other"), KNOWN.replace("lldb.embedded", "lldb.other")


def run(expression: str) -> tuple[str, str]:
    command = f"import sys; sys.path.insert(0, 'scripts'); import stages; print({expression}, end='')"
    done = subprocess.run([newest_python(), "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr


@pytest.mark.parametrize("lldb", lldbs().values(), ids=list(lldbs()))
def test_the_installed_lldb(lldb: str) -> None:
    if shutil.which(lldb) is None:
        pytest.skip("no LLDB is installed")
    said = subprocess.run([lldb, "--version"], capture_output=True, text=True)
    version, errors = run(f"stages.lldb_version({lldb!r})")
    assert f"lldb version {version}." in said.stdout and errors == said.stderr.replace(KNOWN, ""), (said, errors)


def test_other_errors_are_shown() -> None:
    text = KNOWN.join(["", *OTHERS, ""])
    assert run(f"stages.lldb_errors({text!r})")[0] == "".join(OTHERS)
