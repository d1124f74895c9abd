"""The oracle of the hook: generated programs at a level of it, under GDB, against the same code run as Python."""
