"""What the front ends for GDB and for LLDB share. It needs no debugger, but the C library by
jitscope_gdb.base.native, which needs Python alone."""
