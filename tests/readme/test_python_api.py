"""docs/python-api.md has all public names; what their docstrings say of arguments and errors is so, and the examples
run."""

from __future__ import annotations

import inspect
import os
import pathlib
import re
import subprocess
import textwrap
from typing import Any

import pytest

import jitscope
from docs import generate
from tests.interpreters import ROOT, newest_python

PAGE = ROOT / "docs" / "python-api.md"

# Calls that fail, the environment, and the error.
ERRORS = (
    ("enable_crash_report(signals=[9])", {}, "OSError"),
    ("steps(len)", {}, "AttributeError"),
    ("exact(len)", {}, "AttributeError"),
    ('schedule("first")', {}, "ValueError"),
    ('schedule("serial")', {"JITSCOPE": "0"}, "RuntimeError"),
    ('schedule("serial")', {"JITSCOPE_LIBRARY": "/nonexistent"}, "OSError"),
    ("attach(1)", {}, "TypeError"),
    ("attach_on(signal.SIGKILL)", {}, "OSError"),
    ("attach_on(signal.SIGUSR1, 1)", {}, "TypeError"),
    ("race_check(len)", {}, "TypeError"),
    ("race_check(shift, signal)", {}, "TypeError"),
    ("race_check(shift, np.zeros(4))", {"JITSCOPE": "0"}, "RuntimeError"),
    ("race_check(shift, np.zeros(4))", {"JITSCOPE_LIBRARY": "/nonexistent"}, "OSError"),
    ("record_writes()", {"JITSCOPE_LIBRARY": "/nonexistent"}, "OSError"),
)
FAILING = """
import signal
import numpy as np
from numba import njit, prange
import jitscope

@njit(parallel=True)
def shift(a):
    for i in prange(a.size - 1):
        a[i] = a[i + 1]

try:
    jitscope.{call}
except {error}:
    pass
else:
    raise SystemExit("there was no error")
"""


def test_every_public_name_is_in_the_python_interface() -> None:
    assert "\n```{generated} python_api\n```\n" in PAGE.read_text("utf-8")
    text, _ = generate.python_api()
    named = re.findall(r"auto(?:function|class):: jitscope\.(\w+)$", text, re.MULTILINE)
    assert sorted([*named, "__version__"]) == sorted(jitscope.__all__)
    assert "`jitscope.__version__`" in PAGE.read_text("utf-8")
    reported = re.findall(r"autoclass:: jitscope\.races\.(\w+)\(\)$", text, re.MULTILINE)
    assert reported == ["Access", "Race", "Difference", "Report"]


def public() -> list[tuple[str, Any]]:
    return [(name, getattr(jitscope, name)) for name in jitscope.__all__ if name != "__version__"]


@pytest.mark.parametrize(("name", "value"), public(), ids=lambda value: value if isinstance(value, str) else "")
def test_docstrings_state_arguments_and_have_an_example(name: str, value: Any) -> None:
    documented = inspect.getdoc(value) or ""
    arguments = documented.partition("\nArgs:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^    (\w+): ", arguments, re.MULTILINE) == list(inspect.signature(value).parameters), name
    returned = inspect.signature(value).return_annotation
    assert isinstance(value, type) or returned in (None, "None") or "\nReturns:\n" in documented, name
    assert documented.count("\nExample::\n") == 1, name


@pytest.mark.parametrize(("name", "value"), public(), ids=lambda value: value if isinstance(value, str) else "")
def test_examples_of_docstrings_run(name: str, value: Any, tmp_path: pathlib.Path) -> None:
    program = tmp_path / f"{name}.py"
    program.write_text(textwrap.dedent((inspect.getdoc(value) or "").partition("\nExample::\n")[2]))
    done = subprocess.run(
        [newest_python(), str(program)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert f"jitscope.{name}(" in program.read_text() or f"@jitscope.{name}\n" in program.read_text()


@pytest.mark.parametrize(("call", "environment", "error"), ERRORS, ids=[f"{call} {error}" for call, _, error in ERRORS])
def test_errors_of_docstrings(call: str, environment: dict[str, str], error: str) -> None:
    program = FAILING.format(call=call, error=error)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JITSCOPE")}
    done = subprocess.run(
        [newest_python(), "-c", program], env={**kept, **environment}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_each_error_of_docstrings_is_tested() -> None:
    documented = set()
    for name, value in public():
        raised = (inspect.getdoc(value) or "").partition("\nRaises:\n")[2].partition("\n\n")[0]
        documented |= {(name, error) for error in re.findall(r"^    (\w+): ", raised, re.MULTILINE)}
    assert documented == {(call.partition("(")[0], error) for call, _, error in ERRORS}
