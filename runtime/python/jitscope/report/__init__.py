"""Reports of crashes: what a process did when a signal ended it, read from a copy of it by another program."""
