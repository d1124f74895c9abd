"""Modules for all others: GDB's text, the C library, errors, events, files. Nothing here knows of a process."""
