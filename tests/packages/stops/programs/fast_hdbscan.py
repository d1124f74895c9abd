"""The disjoint sets of fast_hdbscan's trees, and a linkage tree, whose compiled functions call one another."""

import numpy as np
from fast_hdbscan import cluster_trees

SOURCE = cluster_trees.__file__
INTERPRETED = [cluster_trees]
EDGES = np.array([[0.0, 1.0, 0.5], [2.0, 3.0, 0.75], [1.0, 2.0, 1.5]])

CALLS = [lambda: cluster_trees.mst_to_linkage_tree(EDGES)]
