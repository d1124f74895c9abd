"""Every function of numbagg, which are generalised ufuncs, with float32 and float64."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numbagg
import numpy as np


def values(dtype: str, *shape: int) -> np.ndarray:
    """Return numbers with some NaNs."""
    random = np.random.default_rng(7)
    found = random.normal(size=shape) * 10
    found[random.random(shape) < 0.2] = np.nan
    return found.astype(dtype)


def named_as(function: Any) -> str:
    """Return the function's name: `count` is a plain function, the others are objects around one."""
    return getattr(function, "func", function).__name__


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    for dtype in ("float64", "float32"):
        rows, labels = values(dtype, 3, 40), np.arange(40) % 5
        other, empty = rows[:, ::-1] ** 2, np.zeros((2, 0), dtype)
        alpha = np.full(40, 0.3, dtype)
        for function in numbagg.AGGREGATION_FUNCS:
            more = {"quantiles": [0.25, 0.5]} if function is numbagg.nanquantile else {}
            named = partial(function, **more)
            name = f"{named_as(function)} {dtype}"
            yield f"{name} rows", partial(named, rows, axis=-1)
            yield f"{name} columns", partial(named, rows, axis=0)
            yield f"{name} all", partial(named, rows)
            yield f"{name} empty", partial(named, empty, axis=-1)
        for function in numbagg.GROUPED_FUNCS:
            yield f"{named_as(function)} {dtype}", partial(function, rows, labels, axis=-1)
            yield f"{named_as(function)} {dtype} whole", partial(function, rows[0], labels.astype("int32"), axis=0)
            yield f"{named_as(function)} {dtype} wrong", partial(function, rows, labels[:3], axis=-1)
        for function in numbagg.MOVE_FUNCS:
            two = (rows, other) if function in (numbagg.move_corr, numbagg.move_cov) else (rows,)
            yield f"{named_as(function)} {dtype}", partial(function, *two, window=5, min_count=2)
            yield f"{named_as(function)} {dtype} columns", partial(function, *two, window=2, axis=0)
            yield f"{named_as(function)} {dtype} wrong", partial(function, *two, window=500)
        for function in numbagg.MOVE_EXP_FUNCS:
            two = (rows, other) if function in (numbagg.move_exp_nancorr, numbagg.move_exp_nancov) else (rows,)
            yield f"{named_as(function)} {dtype}", partial(function, *two, alpha=alpha)
            yield f"{named_as(function)} {dtype} weight", partial(function, *two, alpha=0.5, min_weight=0.2)
        for function in (*numbagg.MATRIX_FUNCS,):
            yield f"{named_as(function)} {dtype}", partial(function, rows)
        for function in numbagg.MOVE_MATRIX_FUNCS:
            yield f"{named_as(function)} {dtype}", partial(function, rows, window=5)
        for function in numbagg.MOVE_EXP_MATRIX_FUNCS:
            yield f"{named_as(function)} {dtype}", partial(function, rows, alpha=0.5)
        for function in numbagg.OTHER_FUNCS:
            yield f"{named_as(function)} {dtype}", partial(function, rows, axis=-1)
            yield f"{named_as(function)} {dtype} limit", partial(function, rows, limit=1, axis=0)
