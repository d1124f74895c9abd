"""Commands that set breakpoints or let the program run, and the GDB commands that jitscope replaces: one file a
command."""
