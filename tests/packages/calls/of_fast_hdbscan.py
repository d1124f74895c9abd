"""Functions of fast_hdbscan: its trees and disjoint sets, and whole clusterings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import fast_hdbscan
import numpy as np
from fast_hdbscan import cluster_trees, disjoint_set, kruskal, numba_kdtree


def points(rows: int = 120, seed: int = 4) -> np.ndarray:
    random = np.random.default_rng(seed)
    centres = random.normal(size=(3, 3)) * 8
    return centres[np.arange(rows) % 3] + random.normal(size=(rows, 3))


def united(kind: str) -> Any:
    """Return a disjoint set after some unions, and what is found in it."""
    made = getattr(disjoint_set, f"ds_{kind}_create")(12)
    union = getattr(disjoint_set, f"ds_union_by_{kind}")
    for left, right in ((0, 1), (2, 3), (1, 3), (7, 8), (8, 8), (4, 0)):
        union(made, left, right)
    return [disjoint_set.ds_find(made, n) for n in range(12)], tuple(made)


def queried(data: np.ndarray, k: int) -> Any:
    tree = numba_kdtree.build_kdtree(data, 10)
    return tuple(tree), numba_kdtree.parallel_tree_query(tree, data, k)


def trees() -> dict[str, Callable[[], Any]]:
    random = np.random.default_rng(2)
    edges = np.array([(n, n + 1, weight) for n, weight in enumerate(np.sort(random.random(29)))])
    linkage = cluster_trees.mst_to_linkage_tree(edges)
    condensed = cluster_trees.condense_tree(linkage, 3)
    clusters = cluster_trees.extract_leaves(condensed)
    order, rows, columns = np.argsort(edges[:, 2]), edges[:, 0].astype(np.int32), edges[:, 1].astype(np.int32)
    return {
        "mst_to_linkage_tree": lambda: cluster_trees.mst_to_linkage_tree(edges),
        "condense_tree": lambda: tuple(cluster_trees.condense_tree(linkage, 3)),
        "bfs_from_hierarchy": lambda: cluster_trees.bfs_from_hierarchy(linkage, 50, 30),
        "extract_leaves": lambda: cluster_trees.extract_leaves(condensed),
        "cluster_tree": lambda: tuple(cluster_trees.cluster_tree_from_condensed_tree(condensed)),
        "score_condensed_tree_nodes": lambda: sorted(cluster_trees.score_condensed_tree_nodes(condensed).items()),
        "extract_eom_clusters": lambda: cluster_trees.extract_eom_clusters(
            condensed, cluster_trees.cluster_tree_from_condensed_tree(condensed)
        ),
        "get_cluster_label_vector": lambda: cluster_trees.get_cluster_label_vector(condensed, clusters, 0.0, 30),
        "get_cluster_labelling_at_cut": lambda: cluster_trees.get_cluster_labelling_at_cut(linkage, 0.4, 3),
        "simplify_hierarchy": lambda: tuple(cluster_trees.simplify_hierarchy(condensed, 0.1)),
        "_kruskal_core": lambda: kruskal._kruskal_core(edges[:, 2].copy(), rows, columns, order, 30),
    }


def fitted(**options: Any) -> Any:
    found = fast_hdbscan.HDBSCAN(min_cluster_size=8, **options).fit(points())
    return found.labels_, found.probabilities_, found._single_linkage_tree


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    for kind in ("rank", "size"):
        yield f"disjoint set {kind}", partial(united, kind)
    for k in (1, 7):
        yield f"parallel_tree_query {k}", partial(queried, points(), k)
        yield f"parallel_tree_query {k} float32", partial(queried, points().astype(np.float32), k)
    x, y = points(2)
    yield "rdist", partial(numba_kdtree.rdist, x.astype(np.float32), y.astype(np.float32))
    yield from trees().items()
    yield "HDBSCAN", fitted
    yield "HDBSCAN leaf", partial(fitted, cluster_selection_method="leaf")
    yield "HDBSCAN epsilon", partial(fitted, cluster_selection_epsilon=0.5, min_samples=4)
    yield "HDBSCAN single", partial(fitted, allow_single_cluster=True)
    yield "HDBSCAN wrong", partial(fitted, cluster_selection_method="none")
    yield "HDBSCAN infinite", lambda: fast_hdbscan.HDBSCAN().fit(np.full((9, 2), np.nan))
