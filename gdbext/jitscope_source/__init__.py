"""The program's Python source, parsed. No module here needs GDB, or more than Python itself.

A file that this Python cannot parse, because it has syntax of a newer one, counts as missing: each function returns
what it returns for a missing file, and files.problem_of() says why."""
