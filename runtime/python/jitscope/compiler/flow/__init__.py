"""The order of a function: blocks, lines, loops, and which versions of a variable hold where."""
