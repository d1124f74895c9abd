"""Puts the repository on the path, so that tests import each other as tests.*"""

from __future__ import annotations

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

# Most tests are about Numba as it comes; those of the compiler hook say what level they want.
os.environ.setdefault("JITSCOPE_LEVEL", "stock")
