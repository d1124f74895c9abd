"""What clients of the Debug Adapter Protocol need. Plain Python, usable outside of GDB."""
