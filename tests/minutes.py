"""The marks of tests that are left out because others test the same: tests of minutes, or tests that also run on a bare
machine."""

from __future__ import annotations

import os

import pytest

MATRIX = bool(os.environ.get("JITSCOPE_MATRIX"))
MINUTES = pytest.mark.skipif(not MATRIX, reason="only with scripts/test --matrix: minutes")

# tests/packaging/bare.sh runs the same in this run of scripts/test.
BESIDE_BARE = pytest.mark.skipif(
    bool(os.environ.get("JITSCOPE_BARE")) and not MATRIX, reason="tests/packaging/bare.sh on the bare Debian shows it"
)
