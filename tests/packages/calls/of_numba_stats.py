"""Functions of numba-stats: densities, distribution functions, quantiles and random numbers of some distributions, each
compiled for both dtypes when it is imported."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

FUNCTIONS = ("pdf", "logpdf", "density", "pmf", "logpmf", "cdf", "ppf", "rvs", "scaled_cdf")
DISTRIBUTIONS = ("norm", "uniform", "expon", "truncexpon", "poisson", "crystalball")
ARGUMENTS = {"loc": 0.3, "scale": 1.7, "mu": 2.5, "xmin": -1.0, "xmax": 4.0, "beta": 1.3, "m": 2.4}


def named(dtype: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    for module in DISTRIBUTIONS:
        distribution = importlib.import_module(f"numba_stats.{module}")
        for name in FUNCTIONS:
            function = getattr(distribution, name, None)
            if function is None:
                continue
            first, *others = inspect.signature(function).parameters
            x = np.linspace(-1.5, 6, 17)
            if name == "ppf":
                x = np.linspace(0, 1, 9)
            if name in ("pmf", "logpmf"):
                x = np.arange(12.0)
            values = [ARGUMENTS.get(each, 1.25) for each in others if each not in ("size", "random_state")]
            if name == "rvs":
                given = [ARGUMENTS.get(first, 1.25), *values]
                yield f"{module}.{name}", partial(function, *given, size=13, random_state=1)
                continue
            yield f"{module}.{name} {dtype}", partial(function, x.astype(dtype), *values)
            yield f"{module}.{name} {dtype} NaN", partial(function, np.array([np.nan, 1.0], dtype), *values)
            yield f"{module}.{name} {dtype} wrong", partial(function, x.astype(dtype), *values, 1.0)


def in_numba() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield calls from compiled code, which inlines the functions, with a parallel loop of it around them."""
    import numba
    from numba_stats import expon, norm

    @numba.njit(parallel=True)
    def likelihood(x: Any, mu: float, sigma: float, share: float) -> Any:
        return -np.sum(np.log(share * norm.pdf(x, mu, sigma) + (1 - share) * expon.pdf(x, 0.0, 2.0)))

    @numba.njit
    def mixed(x: Any, mu: float, sigma: float) -> Any:
        return norm.cdf(x, mu, sigma) - norm.logpdf(x, mu, sigma)

    x = np.linspace(0.1, 5, 40)
    yield "compiled likelihood", partial(likelihood, x, 1.5, 0.6, 0.4)
    yield "compiled mixed", partial(mixed, x, 1.5, 0.6)


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    yield from named("float64")
    yield from named("float32")
    yield from in_numba()
