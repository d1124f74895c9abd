"""Functions of interpolation: splines, multilinear interpolation and complete polynomials."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from interpolation import complete_poly, interp, mlinterp
from interpolation.splines import CGrid, CubicSpline, CubicSplines, UCGrid, eval_linear, filter_cubic, prefilter
from interpolation.splines import extrap_options as extrapolation
from interpolation.splines.hermite import HermiteInterpolationVect

K = 9


def values(dimensions: int, *more: int) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(*[K] * dimensions, *more))


def splines(dimensions: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    random = np.random.default_rng(5)
    points = random.random((12, dimensions)) * 1.4 - 0.2
    even = UCGrid(*[(0.0, 1.0, K)] * dimensions)
    uneven = CGrid(*[np.linspace(0, 1, K) ** 2] * dimensions)
    one, several = values(dimensions), values(dimensions, 3)
    for grid, kind in ((even, "even"), (uneven, "uneven")):
        for data, count in ((one, "one"), (several, "several")):
            name = f"{dimensions} {kind} {count}"
            yield f"eval_linear {name}", partial(eval_linear, grid, data, points)
            yield f"eval_linear point {name}", partial(eval_linear, grid, data, points[0])
            yield f"eval_linear constant {name}", partial(eval_linear, grid, data, points, extrapolation.CONSTANT)
            yield f"eval_linear nearest {name}", partial(eval_linear, grid, data, points, extrapolation.NEAREST)
    if dimensions > 2:
        return
    for k in (1, 3):
        yield f"prefilter {dimensions} {k}", partial(prefilter, even, one, k=k)
    first, last, orders = [0.0] * dimensions, [1.0] * dimensions, [K] * dimensions
    yield f"filter_cubic {dimensions}", partial(filter_cubic, even, one)
    yield f"CubicSpline {dimensions}", lambda: CubicSpline(first, last, orders, one)(points)
    yield f"CubicSplines {dimensions}", lambda: CubicSplines(first, last, orders, several)(points)


def others() -> Iterator[tuple[str, Callable[[], Any]]]:
    x, random = np.linspace(0, 1, K) ** 2, np.random.default_rng(8)
    y, points = random.random(K), random.random(7) * 1.2
    yield "interp", partial(interp, x, y, points)
    yield "interp number", partial(interp, x, y, 0.35)
    yield "interp two", partial(interp, x, x, values(2), points, points[::-1].copy())
    yield "interp wrong", partial(interp, x, y, "0.3")
    yield "mlinterp", partial(mlinterp, ((0.0, 1.0, K), x), values(2), random.random((6, 2)))
    yield "HermiteInterpolationVect", partial(HermiteInterpolationVect, points, x, y, random.random(K))
    z = random.random((2, 6))
    for degree in (1, 2, 4):
        yield f"n_complete {degree}", partial(complete_poly.n_complete, 3, degree)
        yield f"complete_polynomial {degree}", partial(complete_poly.complete_polynomial, z, degree)
        yield f"complete_polynomial vector {degree}", partial(complete_poly.complete_polynomial, z[:, 0], degree)
        yield f"complete_polynomial_der {degree}", partial(complete_poly.complete_polynomial_der, z, degree, 1)


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    for dimensions in (1, 2, 3):
        yield from splines(dimensions)
    yield from others()
