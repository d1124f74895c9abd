"""Generated programs of integers and floats, and whether `jit trap` stops at each result that does not fit in its type,
at each NaN that is made of numbers, and nowhere else.

The generator computes what each statement does: integers exactly, floats by functions that Numba compiles without
jitscope, and types by Numba's typing. The line, the operands and the results of each stop are known, in order."""
