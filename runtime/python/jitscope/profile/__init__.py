"""Names of the JIT-compiled code of a running process, and the files in which profilers read them."""
