"""Texts that GDB shows for a value, a frame's line and a fault."""
