"""One file a command, with a create() that makes it known to GDB (command_list.py)."""
