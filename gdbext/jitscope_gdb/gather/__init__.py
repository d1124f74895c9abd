"""One stop for all workers of a parallel loop."""
