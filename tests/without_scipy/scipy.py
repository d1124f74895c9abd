"""Stands before SciPy on the path of programs that do not need it: Numba loads its linear algebra wherever it finds it,
and GDB reads that at each start."""

raise ImportError("this program runs without SciPy")
