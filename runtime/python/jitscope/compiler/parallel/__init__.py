"""Parallel loops: kernels, and the source's loops that they are."""
