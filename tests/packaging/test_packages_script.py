"""scripts/packages makes the calls of a package in an interpreter that has Numba and the package alone."""

from __future__ import annotations

import subprocess
import sys

from tests.interpreters import ROOT


def test_the_calls_need_no_pytest() -> None:
    code = "import sys; sys.modules['pytest'] = None; import tests.packages.calls.__main__"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=600)
