"""Commands that show something: each file has one command and a create() that makes it known to GDB."""
