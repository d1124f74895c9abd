"""The order of a function: blocks, lines, loops, and the versions of a variable that hold its value at each place."""
