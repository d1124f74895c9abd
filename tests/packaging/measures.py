"""scripts/structure.py, as a module."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from tests.interpreters import ROOT

SCRIPT = ROOT / "scripts" / "structure.py"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("structure", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["structure"] = module  # dataclasses look there for a class's module
    spec.loader.exec_module(module)
    return module


structure = load()
