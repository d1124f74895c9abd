"""The part of jitscope that runs inside GDB: it is thin and imports no third-party package; the C library does the
work.

Each of its packages uses only itself and those before it:
base → target → frames → threads → present → breakpoints → stops → gather → commands → run_commands → app"""
