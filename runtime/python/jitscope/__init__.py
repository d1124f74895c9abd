"""Debug JIT-compiled Python in GDB as the source you wrote."""

from jitscope.version import __version__

__all__ = ["__version__"]
