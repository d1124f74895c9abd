"""GDB's own lists of frames (`bt`, DAP, MI with frame filters) as a Python programmer sees the stack."""
