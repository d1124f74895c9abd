"""Puts the repository on the path, so that tests import each other as tests.*"""

from __future__ import annotations

import importlib.util
import os
import pathlib
import signal
import sys

import hypothesis
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

# The folder of these packages is on no path, for it holds a jitscope.py, which is not the package that tests import.
for _name in ("jitscope_gdb", "jitscope_source"):
    _package = importlib.util.spec_from_file_location(_name, ROOT / "gdbext" / _name / "__init__.py")
    assert _package is not None
    sys.modules[_name] = importlib.util.module_from_spec(_package)

# What these helpers assert is told as a test's own assertions are.
pytest.register_assert_rewrite("tests.oracle.hook_results", "tests.oracle.hooked.expected", "tests.oracle.source_flow")

# A shell starts what it runs in the background with Ctrl-C ignored, which all that tests start would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Most tests are about Numba as it comes; those of the compiler hook say what level they want.
os.environ.setdefault("JITSCOPE_LEVEL", "stock")

# The same examples at each run; scripts/test --matrix takes others each time.
hypothesis.settings.register_profile("fixed", derandomize=True)
if not os.environ.get("JITSCOPE_MATRIX"):
    hypothesis.settings.load_profile("fixed")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Tests of one group share what takes long, or must not run beside each other: pytest-xdist names the group in the
    test's id, and without it spreads them without a word."""
    if not getattr(session.config.option, "loadgroup", False):
        return
    for item in session.items:
        if item.get_closest_marker("xdist_group") and "@" not in item.nodeid:
            pytest.exit(f"{item.nodeid}: this pytest-xdist keeps no groups together on pytest {pytest.__version__}", 3)
