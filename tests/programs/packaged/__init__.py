"""A package that uncompiled.py imports."""
