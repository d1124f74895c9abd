"""Services of the hook beside debug information: requested stops, numba.gdb(), pools, perf names, accesses."""
