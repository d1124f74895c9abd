"""Modules for all other packages: GDB's text, the C library, errors, events and files. None of them knows a process."""
