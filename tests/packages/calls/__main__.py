"""Make the calls of one package that FILE does not name yet, and add lines to it for each: its result, its warnings
and, with `timed`, the CPU seconds of a later call of the same function with the same arguments.

Usage: python -m tests.packages.calls PACKAGE FILE MOST [timed]      MOST: at most so many calls, spread over all"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracle.hooked import returned
from tests.packages.calls.compiled import Compiled
from tests.packages.runs import NOT_INSTALLED, names_in

ADDRESS = re.compile(r"0x[0-9a-f]+")
LEAST, MOST = 0.02, 50  # CPU seconds and calls after which no other call is timed


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


def result(call: Callable[[], Any]) -> tuple[int, str, list[str]]:
    """Return how many numbers the call returns, its result or exception as one line, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = plain(call())
        except Exception as error:
            count, found = (
                0,
                " ".join(f"raises {type(error).__name__}{ADDRESS.sub('ADDRESS', repr(error.args))}".split()),
            )
        else:
            shown = " ".join(repr(value).split())[:160]
            digest = hashlib.sha256(returned.bits(value).encode()).hexdigest()[:32]
            count, found = numbers(value), f"{digest} {shown}"
    warned = [f"{each.category.__name__}: {ADDRESS.sub('ADDRESS', str(each.message))}" for each in caught]
    return count, found, [" ".join(text.split()) for text in warned]


def seconds(call: Callable[[], Any], compiled: Compiled) -> float:
    """Return the least CPU seconds of a call, compilation apart. What the call raises is the business of result()."""
    found: list[float] = []
    started = time.process_time()
    while not found or (time.process_time() - started < LEAST and len(found) < MOST):
        compiling, begun = compiled.compiling(), time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                plain(call())
            except Exception:
                pass
        found.append(time.process_time() - begun - (compiled.compiling() - compiling))
    return min(found)


def main(package: str, file: str, most: int, is_timed: bool) -> int:
    done = names_in(file)
    compiled = Compiled(package)
    try:
        importlib.import_module(package)
    except ImportError as error:
        print(error, file=sys.stderr)
        return NOT_INSTALLED
    with open(file, "a", buffering=1, encoding="utf-8") as lines:
        every = list(importlib.import_module(f"tests.packages.calls.of_{package}").calls())
        chosen = [every[at * len(every) // most] for at in range(most)] if most < len(every) else every
        for name, call in chosen:
            if name in done:
                continue
            np.random.seed(1)
            print("begin", name, sep="\t", file=lines)
            count, found, warned = result(call)
            print("result", name, count, found, sep="\t", file=lines)
            print("warned", name, json.dumps(warned), sep="\t", file=lines)
            if is_timed:
                print("timed", name, seconds(call, compiled), sep="\t", file=lines)
        print("compiled", json.dumps(compiled.told()), sep="\t", file=lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), "timed" in sys.argv[4:]))
