"""Makes the calls of programs, and prints the traceback of each as JSON. NUMBA_DISABLE_JIT=1: by the interpreter."""

from __future__ import annotations

import importlib.util
import json
import sys
import traceback
from typing import Any

import numpy as np


def _load(path: str) -> Any:
    spec = importlib.util.spec_from_file_location(path.rpartition("/")[2][:-3], path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _call(module: Any, index: int, x: int) -> Any:
    function = getattr(module, f"f{index}")
    try:
        return repr(function(np.arange(6), x) if module.TAKES_ARRAY else function(x))
    except Exception as error:
        entries = [
            (each.name, each.filename, each.lineno, each.line)
            for each in traceback.extract_tb(error.__traceback__)[1:]
        ]
        return {"type": type(error).__name__, "arguments": repr(error.args), "entries": entries}


def main() -> None:
    for path in sys.argv[1:]:
        module = _load(path)
        for index, x in module.CALLS:
            print(json.dumps([path, index, x, _call(module, index, x)]), flush=True)


main()
