"""What the hook does beside debug information: requested stops, numba.gdb(), pools, perf names, accesses."""
