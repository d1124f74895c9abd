"""The part of jitscope that runs inside GDB: thin, no third-party import; the work is done by the C library.

Its packages, each of which uses only itself and those before it:
base → target → frames → threads → present → breakpoints → stops → gather → commands → run_commands → app
"""

__version__ = "0.1.0"
