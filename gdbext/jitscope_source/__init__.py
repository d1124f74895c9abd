"""The program's Python source, parsed: no module here needs GDB."""
