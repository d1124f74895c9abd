"""Services of the hook in addition to debug information: requested stops, numba.gdb(), pools, perf names, accesses."""
