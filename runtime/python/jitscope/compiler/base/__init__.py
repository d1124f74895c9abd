"""What every part of the hook stands on: the objects' form, levels, instructions, code for debuggers alone."""
