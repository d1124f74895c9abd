"""The hooked oracle: generated programs at a level of the compiler hook, under GDB, against the same code as Python."""
