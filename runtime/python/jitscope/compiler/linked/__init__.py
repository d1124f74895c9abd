"""Changes to LLVM's modules: copies without slots for callers, inlined code, rows."""
