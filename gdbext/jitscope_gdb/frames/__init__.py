"""One frame: its function, its variables, what it returns by."""
