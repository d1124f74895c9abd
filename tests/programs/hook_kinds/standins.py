"""Numba's decorators for the programs of hook_kinds, and what stands for them where the interpreter runs a program
(NUMBA_DISABLE_JIT): plain Python that calls the same functions in the same order."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numba
import numba.extending
import numpy as np

Function = Callable[..., Any]
IS_INTERPRETED = bool(numba.config.DISABLE_JIT)


class Array(np.ndarray):  # type: ignore[type-arg]
    """An array that can be given methods."""


def array(count: int) -> Any:
    found = np.arange(float(count))
    return found.view(Array) if IS_INTERPRETED else found


class _Neighbours:
    """What a stencil's kernel sees of an array."""

    def __init__(self, values: Any, at: int) -> None:
        self._values, self._at = values, at

    def __getitem__(self, offset: int) -> Any:
        return self._values[self._at + offset]


def _vectorize(*_given: Any, **_options: Any) -> Callable[[Function], Function]:
    return lambda function: lambda *arrays: np.array([function(*items) for items in zip(*arrays)])


def _guvectorize(*_given: Any, **_options: Any) -> Callable[[Function], Function]:
    def decorate(function: Function) -> Function:
        def over_rows(rows: Any, out: Any) -> Any:
            for row, place in zip(rows, out):
                function(row, place)
            return out

        return over_rows

    return decorate


def _stencil(function: Function) -> Function:
    def over(values: Any) -> Any:
        out = np.zeros_like(values)
        for at in range(1, len(values) - 1):
            out[at] = function(_Neighbours(values, at))
        return out

    return over


def _cfunc(*_given: Any, **_options: Any) -> Callable[[Function], Any]:
    return lambda function: SimpleNamespace(ctypes=function)


def _overload(target: Function, **_options: Any) -> Callable[[Function], Function]:
    def decorate(choose: Function) -> Function:
        setattr(sys.modules[choose.__module__], target.__name__, choose(None))
        return choose

    return decorate


def _overload_method(_kind: Any, name: str, **_options: Any) -> Callable[[Function], Function]:
    def decorate(choose: Function) -> Function:
        setattr(Array, name, choose(None))
        return choose

    return decorate


vectorize: Any = _vectorize if IS_INTERPRETED else numba.vectorize
guvectorize: Any = _guvectorize if IS_INTERPRETED else numba.guvectorize
stencil: Any = _stencil if IS_INTERPRETED else numba.stencil
cfunc: Any = _cfunc if IS_INTERPRETED else numba.cfunc
overload: Any = _overload if IS_INTERPRETED else numba.extending.overload
overload_method: Any = _overload_method if IS_INTERPRETED else numba.extending.overload_method
