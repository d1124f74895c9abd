"""Modules for all other packages: the C library, files of one process, and texts. None of them knows a process."""
