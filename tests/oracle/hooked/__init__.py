"""The oracle of the hook: generated programs, compiled at one of its levels, under GDB, against the same code run as
Python."""
