"""What the front ends for GDB and for LLDB share. It needs Python alone."""
