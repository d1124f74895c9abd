"""Stops of a program that are about compiled Python, in what both debuggers share."""
