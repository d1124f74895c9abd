"""Where programs raise, in the interpreter and at `jit catch`."""
