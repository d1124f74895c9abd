"""Parallel loops: kernels, and the loops of the source that they run."""
