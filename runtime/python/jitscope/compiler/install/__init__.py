"""The installation of the hook in Numba: the start in a process, and the wrappers of Numba's lowering."""
