"""The mark of tests that take minutes, and say little that a shorter one does not."""

from __future__ import annotations

import os

import pytest

MATRIX = bool(os.environ.get("JITSCOPE_MATRIX"))
MINUTES = pytest.mark.skipif(not MATRIX, reason="only with scripts/test --matrix: minutes")
