"""The texts that GDB shows for values, frames and faults."""
