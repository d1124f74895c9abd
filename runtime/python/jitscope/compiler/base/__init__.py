"""The base of all parts of the hook: the layout of values, levels, instructions, and code that only debuggers use."""
