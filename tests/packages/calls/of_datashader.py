"""Functions of datashader: rasters of points, lines, areas, meshes and images, their shading, and what these call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import datashader as ds
import numpy as np
import pandas as pd
import xarray as xr
from datashader import composite, resampling, utils
from datashader import transfer_functions as tf
from datashader.bundling import directly_connect_edges

SIZE = {"plot_width": 12, "plot_height": 9}


def frame(rows: int = 80) -> pd.DataFrame:
    random = np.random.default_rng(6)
    value = random.normal(size=rows)
    value[::11] = np.nan
    kinds = pd.Categorical(np.array(["a", "b", "c"])[np.arange(rows) % 3])
    return pd.DataFrame({"x": random.random(rows) * 4, "y": random.random(rows), "value": value, "kind": kinds})


def shown(found: Any) -> Any:
    return found.values if hasattr(found, "values") else found


def rasters() -> Iterator[tuple[str, Callable[[], Any]]]:
    data, canvas = frame(), ds.Canvas(**SIZE, x_range=(0.5, 3.5), y_range=(0, 1))
    by_column = ("sum", "mean", "min", "max", "std", "var", "first", "last", "mode", "count", "any")
    reductions = {name: getattr(ds, name)("value") for name in by_column if name != "mode"}
    reductions |= {"count all": ds.count(), "by": ds.by("kind", ds.count()), "by mean": ds.by("kind", ds.mean("value"))}
    reductions |= {"max_n": ds.max_n("value", 3), "first_n": ds.first_n("value", 2), "where": ds.where(ds.max("value"))}
    for name, reduction in reductions.items():
        yield f"points {name}", lambda reduction=reduction: shown(canvas.points(data, "x", "y", agg=reduction))
    for name in ("count all", "mean", "max", "by"):
        reduction = reductions[name]
        yield f"line {name}", lambda reduction=reduction: shown(canvas.line(data, "x", "y", agg=reduction))
    yield "line wide", lambda: shown(canvas.line(data, "x", "y", agg=ds.max("value"), line_width=2))
    yield "area", lambda: shown(canvas.area(data, "x", "y", agg=ds.count()))
    yield "area stacked", lambda: shown(canvas.area(data, "x", "y", agg=ds.count(), y_stack="value"))
    logarithmic = ds.Canvas(**SIZE, x_axis_type="log", y_axis_type="linear", x_range=(0.1, 4), y_range=(0, 1))
    yield "points logarithmic", lambda: shown(logarithmic.points(data, "x", "y"))
    yield "points wrong", lambda: shown(canvas.points(data, "x", "nothing"))
    vertices = pd.DataFrame({"x": [0.0, 4, 2, 3], "y": [0.0, 0.2, 1, 0.7], "z": [1.0, 2, 3, 4]})
    corners = pd.DataFrame({"v0": [0, 1], "v1": [1, 2], "v2": [2, 3]})
    yield "trimesh", lambda: shown(canvas.trimesh(vertices, corners, interpolate="linear"))
    yield "trimesh nearest", lambda: shown(canvas.trimesh(vertices, corners, interpolate="nearest"))


def image() -> xr.DataArray:
    random = np.random.default_rng(2)
    values = random.normal(size=(8, 10))
    values[2, 3] = np.nan
    return xr.DataArray(values, dims=("y", "x"), coords={"y": np.linspace(0, 1, 8), "x": np.linspace(0, 4, 10)})


def images() -> Iterator[tuple[str, Callable[[], Any]]]:
    source, canvas = image(), ds.Canvas(**SIZE)
    for method in ("mean", "min", "max", "first", "last", "mode", "var", "std"):
        small = ds.Canvas(plot_width=4, plot_height=3)
        yield f"raster {method}", lambda small=small, method=method: shown(small.raster(source, agg=method))
    for method in ("nearest", "linear"):
        yield f"raster {method}", lambda method=method: shown(canvas.raster(source, interpolate=method))
    yield "quadmesh", lambda: shown(canvas.quadmesh(source.rename("v").to_dataset(), "x", "y", agg=ds.mean("v")))
    for how in ("linear", "log", "cbrt", "eq_hist"):
        counts = xr.DataArray(np.arange(99).reshape(9, 11) % 17, dims=("y", "x"))
        yield f"shade {how}", lambda how=how, counts=counts: shown(tf.shade(counts, how=how))
    shaded = tf.shade(xr.DataArray(np.arange(99).reshape(9, 11) % 5, dims=("y", "x")))
    yield "spread", lambda: shown(tf.spread(shaded, 2))
    yield "dynspread", lambda: shown(tf.dynspread(shaded))
    yield "stack", lambda: shown(tf.stack(shaded, shaded, how="add"))


def functions() -> Iterator[tuple[str, Callable[[], Any]]]:
    left, right = np.array([[1.0, np.nan], [np.nan, 4.0]]), np.array([[5.0, 2.0], [np.nan, 1.0]])
    for name in ("nanfirst", "nanlast", "nanmax", "nanmin", "nansum"):
        yield f"{name}_in_place", lambda name=name: in_place(getattr(utils, f"{name}_in_place"), left, right)
    colours = np.array([0x80FF0040, 0xFF102030, 0x00FFFFFF], np.uint32)
    for name in ("over", "add", "saturate", "source"):
        yield f"composite {name}", partial(getattr(composite, name), colours, colours[::-1].copy())
    yield "infer_interval_breaks", lambda: resampling.infer_interval_breaks(np.arange(12.0).reshape(3, 4), axis=1)
    nodes = pd.DataFrame({"x": [0.0, 1, 2], "y": [0.0, 3, 1]})
    edges = pd.DataFrame({"source": [0, 1], "target": [1, 2]})
    yield "directly_connect_edges", lambda: shown(directly_connect_edges(nodes, edges))


def in_place(function: Callable[..., Any], left: np.ndarray, right: np.ndarray) -> np.ndarray:
    found = left.copy()
    function(found, right)
    return found


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    yield from rasters()
    yield from images()
    yield from functions()
