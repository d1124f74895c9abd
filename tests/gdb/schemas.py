"""The schemas of what the commands write as JSON."""

from __future__ import annotations

from tests.interpreters import ROOT

SCHEMAS = ROOT / "docs" / "schema"
