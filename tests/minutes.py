"""The mark of tests that take minutes, and say little that a shorter one does not."""

from __future__ import annotations

import os

import pytest

MINUTES = pytest.mark.skipif(not os.environ.get("JITSCOPE_MATRIX"), reason="only with scripts/test --matrix: minutes")
