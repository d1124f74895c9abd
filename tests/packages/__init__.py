"""Functions of installed packages, with the compiler hook and without: results and exceptions to the bit."""
