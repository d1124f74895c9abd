"""One frame: its function, its variables and its return convention."""
