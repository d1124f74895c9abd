"""The comparison of the places where programs raise, in the interpreter and at `jit catch`."""
