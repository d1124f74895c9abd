"""Makes the calls of one package whose names are not on standard input; a line for each result."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.hooked import returned
from tests.packages.__main__ import NOT_INSTALLED


def plain(value: Any) -> Any:
    """Values of packages as arrays, numbers, tuples, lists and dicts, which are compared to the bit."""
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return plain(value.tolist())
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *map(plain, value)]
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (np.ndarray, np.generic, int, float, complex, str, bytes, type(None))):
        return value
    if hasattr(value, "todense") and hasattr(value, "data"):  # a sparse array
        parts = [getattr(value, name, None) for name in ("data", "coords", "indices", "indptr")]
        return [type(value).__name__, value.shape, returned.bits(value.fill_value), *parts]
    if hasattr(value, "__dict__"):
        return [type(value).__name__, plain({name: vars(value)[name] for name in sorted(vars(value))})]
    if hasattr(value, "__next__"):
        return plain(list(value))
    return f"{type(value).__name__} {value!r}"


def result(call: Callable[[], Any]) -> str:
    try:
        value = plain(call())
    except Exception as error:
        arguments = re.sub(r"0x[0-9a-f]+", "ADDRESS", repr(error.args))
        return " ".join(f"raises {type(error).__name__}{arguments}".split())
    shown = " ".join(repr(value).split())[:160]
    return f"{hashlib.sha256(returned.bits(value).encode()).hexdigest()[:32]} {shown}"


class Compiled:
    """How many functions Numba lowers, and how many of them with the hook's debug information."""

    def __init__(self) -> None:
        from numba.core import lowering

        self.all = self.hooked = 0
        original = lowering.BaseLower.lower

        def lower(lowerer: Any) -> Any:
            self.all += 1
            levels = sys.modules.get("jitscope.compiler.base.levels")
            self.hooked += bool(levels and levels.is_on() and levels.is_followed(lowerer.func_ir.func_id.func))
            return original(lowerer)

        lowering.BaseLower.lower = lower

    def __str__(self) -> str:
        return f"{self.hooked} of {self.all} functions that Numba compiled had the hook's debug information"


def main(package: str) -> int:
    done = set(sys.stdin.read().splitlines())
    try:
        importlib.import_module(package)
    except ImportError as error:
        print(error, file=sys.stderr)
        return NOT_INSTALLED
    compiled = Compiled()
    lines = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what compiled code prints
    for name, call in importlib.import_module(f"tests.packages.calls.of_{package}").calls():
        if name in done:
            continue
        np.random.seed(1)
        print("begin", name, sep="\t", file=lines)
        print("result", name, result(call), sep="\t", file=lines)
    print("compiled", compiled, sep="\t", file=lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
