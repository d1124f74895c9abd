"""A module that hides SciPy from programs that do not need it: Numba loads its linear algebra if it is installed, and
GDB reads all of it at each start."""

raise ImportError("this program runs without SciPy")
