"""Functions that are compiled anew for a debugger, while the program runs."""
