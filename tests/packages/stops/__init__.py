"""Stops in functions of packages, as they are in a program that nobody has prepared, against the interpreter."""
