"""Commands that show something: one file a command, with a create() that makes it known to GDB."""
