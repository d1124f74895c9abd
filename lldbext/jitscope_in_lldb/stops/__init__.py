"""Stops of the program that are about compiled Python."""
