"""The version of this package; the C library and `gdbext/jitscope.py` must have the same."""

__version__ = "0.1.0"
