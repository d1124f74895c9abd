"""Makes the calls of programs, and prints the traceback of each as JSON, with the variables of its frames.
NUMBA_DISABLE_JIT=1: by the interpreter."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
import traceback
from typing import Any

import numpy as np

import jitscope

_COLUMNS = re.compile(r" +[~^]+")  # the line below a line of the source, since Python 3.11


def _load(path: str) -> Any:
    spec = importlib.util.spec_from_file_location(path.rpartition("/")[2][:-3], path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _variables(error: BaseException) -> list[dict[str, str] | None]:
    """Return the numbers in each frame; None: the frame has no variables."""
    if os.environ["NUMBA_DISABLE_JIT"] == "0":
        last = jitscope.last_exception()
        found: list[Any] = [each.variables for each in last.frames] if last is not None else []
    else:
        found = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__)][1:]
    return [None if each is None else {name: repr(_number(value)) for name, value in each.items()} for each in found]


def _reason() -> str | None:
    """Return why frames of compiled functions are missing, or None."""
    last = jitscope.last_exception() if os.environ["NUMBA_DISABLE_JIT"] == "0" else None
    return last.reason if last is not None else None


def _call(module: Any, index: int, x: int) -> Any:
    function = getattr(module, f"f{index}")
    try:
        return repr(function(np.arange(6), x) if module.TAKES_ARRAY else function(x))
    except Exception as error:
        entries = [
            (each.name, each.filename, each.lineno, each.line) for each in traceback.extract_tb(error.__traceback__)[1:]
        ]
        text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        return {
            "type": type(error).__name__,
            "arguments": repr(error.args),
            "entries": entries,
            "variables": _variables(error),
            "reason": _reason(),
            "text": [line for line in text.splitlines() if not _COLUMNS.fullmatch(line)],
        }


def main() -> None:
    for path in sys.argv[1:]:
        module = _load(path)
        for index, x in module.CALLS:
            print(json.dumps([path, index, x, _call(module, index, x)]), flush=True)


main()
