"""The part of jitscope that runs inside GDB: thin, no third-party import; the work is done by the C library."""

__version__ = "0.1.0"
