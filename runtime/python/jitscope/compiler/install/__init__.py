"""How the hook gets into Numba."""
