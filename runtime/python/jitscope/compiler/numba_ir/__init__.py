"""Numba's IR and bytecode: which statements are the user's, and what Numba's passes have changed or removed."""
