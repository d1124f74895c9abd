"""The base of all parts of the hook: the layout of values, levels, instructions, code for debuggers alone."""
