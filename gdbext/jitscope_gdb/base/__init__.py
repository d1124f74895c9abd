"""Modules for all other packages: GDB's text, errors, events and symbol files. None of them knows a process."""
