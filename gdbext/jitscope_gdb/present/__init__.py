"""What GDB shows of a value and of a fault."""
