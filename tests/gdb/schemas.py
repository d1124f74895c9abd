"""The schemas of the commands' JSON."""

from __future__ import annotations

from tests.interpreters import ROOT

SCHEMAS = ROOT / "docs" / "schema"
