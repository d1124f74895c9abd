"""Commands that set breakpoints or have the program run, GDB's own among them: one file a command."""
