"""Make the calls of one package that FILE does not name yet, and add a line to it for each.

Usage: python -m tests.packages.calls PACKAGE FILE"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.hooked import returned
from tests.packages.calls.compiled import Compiled
from tests.packages.runs import NOT_INSTALLED, names_in


def plain(value: Any) -> Any:
    """Return values of packages as arrays, numbers, tuples, lists and dicts, which are compared to the bit."""
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return ["objects", value.shape, plain(value.tolist())]
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *map(plain, value)]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (set, frozenset)):
        return [type(value).__name__, *sorted(map(repr, value))]
    if isinstance(value, (np.ndarray, np.generic, int, float, complex, str, bytes, type(None))):
        return value
    if hasattr(value, "todense") and hasattr(value, "data"):  # a sparse array
        parts = [getattr(value, name, None) for name in ("data", "coords", "indices", "indptr")]
        return [type(value).__name__, value.shape, returned.bits(getattr(value, "fill_value", 0)), *parts]
    if hasattr(value, "__next__"):
        return plain(list(value))
    if hasattr(value, "__dict__"):
        return [type(value).__name__, plain({name: vars(value)[name] for name in sorted(vars(value))})]
    return f"{type(value).__name__} {value!r}"


def numbers(value: Any) -> int:
    """Return how many numbers a value of plain() has."""
    if isinstance(value, np.ndarray):
        return int(value.size)
    if isinstance(value, dict):
        return sum(map(numbers, value.values()))
    if isinstance(value, (list, tuple)):
        return sum(map(numbers, value))
    return int(isinstance(value, (np.generic, int, float, complex)))


def result(call: Callable[[], Any]) -> tuple[int, str]:
    """Return how many numbers the call returns, and its result or exception as one line."""
    try:
        value = plain(call())
    except Exception as error:
        arguments = re.sub(r"0x[0-9a-f]+", "ADDRESS", repr(error.args))
        return 0, " ".join(f"raises {type(error).__name__}{arguments}".split())
    shown = " ".join(repr(value).split())[:160]
    return numbers(value), f"{hashlib.sha256(returned.bits(value).encode()).hexdigest()[:32]} {shown}"


def main(package: str, file: str) -> int:
    done = names_in(file)
    compiled = Compiled(package)
    try:
        importlib.import_module(package)
    except ImportError as error:
        print(error, file=sys.stderr)
        return NOT_INSTALLED
    with open(file, "a", buffering=1, encoding="utf-8") as lines:
        for name, call in importlib.import_module(f"tests.packages.calls.of_{package}").calls():
            if name in done:
                continue
            np.random.seed(1)
            print("begin", name, sep="\t", file=lines)
            count, found = result(call)
            print("result", name, count, found, sep="\t", file=lines)
        print("compiled", json.dumps(compiled.told()), sep="\t", file=lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
