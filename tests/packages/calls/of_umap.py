"""Functions of umap-learn and of pynndescent, which it calls: distances, sparse distances, and whole embeddings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pynndescent
import scipy.sparse
import umap
from pynndescent import distances as more_distances
from pynndescent import sparse as more_sparse
from umap import distances, sparse, umap_


def points(rows: int = 60, columns: int = 5, seed: int = 4) -> np.ndarray:
    random = np.random.default_rng(seed)
    centres = random.normal(size=(3, columns)) * 6
    return (centres[np.arange(rows) % 3] + random.normal(size=(rows, columns))).astype(np.float32)


def of_distances() -> Iterator[tuple[str, Callable[[], Any]]]:
    x, y = np.abs(points(2)).astype(np.float64)
    for named in (distances, more_distances):
        part = named.__name__.partition(".")[0]
        done = set()
        for name, function in sorted(named.named_distances.items()):
            if function not in done and hasattr(function, "py_func"):
                done.add(function)
                yield f"{part} {name}", partial(function, x, y)
                yield f"{part} {name} zeros", partial(function, x, np.zeros_like(x))
    for name, function in sorted(distances.named_distances_with_gradients.items()):
        yield f"umap gradient {name}", partial(function, x, y)


def of_sparse() -> Iterator[tuple[str, Callable[[], Any]]]:
    left, right = np.array([0, 2, 3, 7], np.int32), np.array([1, 2, 7, 9], np.int32)
    x, y = np.array([1.5, 0.25, 3.0, 2.0], np.float32), np.array([0.5, 4.0, 1.0, 0.125], np.float32)
    for named in (sparse, more_sparse):
        part = named.__name__.partition(".")[0]
        yield f"{part} arr_union", partial(named.arr_union, left, right)
        yield f"{part} arr_intersect", partial(named.arr_intersect, left, right)
        for name in ("sparse_sum", "sparse_diff", "sparse_mul"):
            yield f"{part} {name}", partial(getattr(named, name), left, x, right, y)
        table = named.sparse_named_distances
        for name, function in sorted(table.items()):
            if hasattr(function, "py_func"):
                more = (10,) if name in named.sparse_need_n_features else ()
                yield f"{part} sparse {name}", partial(function, left, x, right, y, *more)


def of_umap() -> Iterator[tuple[str, Callable[[], Any]]]:
    near = np.sort(np.abs(points(20, 6, 8)), axis=1)
    near[:, 0] = 0
    indices = np.array([[(row + step) % 20 for step in range(6)] for row in range(20)])
    yield "smooth_knn_dist", partial(umap_.smooth_knn_dist, near, 6.0)
    yield "smooth_knn_dist connectivity", partial(umap_.smooth_knn_dist, near, 6.0, 32, 2.5)
    sigmas, rhos = np.full(20, 0.7, np.float32), near[:, 1].copy()
    yield "compute_membership_strengths", partial(umap_.compute_membership_strengths, indices, near, sigmas, rhos)
    weights = near / near.sum(axis=1)[:, None]
    yield "init_transform", partial(umap_.init_transform, indices, weights, points(20, 2))


def index(metric: str, data: Any = None, **options: Any) -> Any:
    found = pynndescent.NNDescent(
        points(90) if data is None else data, metric=metric, n_neighbors=6, random_state=5, n_jobs=1, **options
    )
    found.prepare()
    return found.neighbor_graph, found.query(points(5, seed=9) if data is None else data[:5], k=4)


def embedded(**options: Any) -> Any:
    data = points(50)
    labels = options.pop("labels", None)
    fitted = umap.UMAP(n_neighbors=8, n_epochs=30, random_state=3, n_jobs=1, init="random", **options)
    found = fitted.fit(data, labels)
    return found.embedding_, found.graph_.toarray()


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    yield from of_distances()
    yield from of_sparse()
    yield from of_umap()
    for metric in ("euclidean", "cosine"):
        yield f"NNDescent {metric}", partial(index, metric)
    yield "NNDescent sparse", partial(index, "euclidean", scipy.sparse.csr_matrix(points(60) * (points(60) > 0)))
    yield "NNDescent wrong", partial(index, "no such metric")
    yield "UMAP", embedded
    yield "UMAP manhattan", partial(embedded, metric="manhattan")
    yield "UMAP supervised", partial(embedded, labels=np.arange(50) % 3)
    yield "UMAP wrong", partial(embedded, metric="no such metric")
