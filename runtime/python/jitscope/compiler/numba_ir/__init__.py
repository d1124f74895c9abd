"""Numba's IR and bytecode: the statements that are the user's, and the changes and removals by Numba's passes."""
