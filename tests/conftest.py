"""Puts the repository on the path, so that tests import each other as tests.*"""

from __future__ import annotations

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
