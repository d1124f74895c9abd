"""The program's Python source, parsed: no module here needs GDB, or more than Python itself.

A file that this Python cannot parse, as it has syntax of a newer one, is one that is not there: each function returns
what it returns for that, and files.problem_of() says why."""
