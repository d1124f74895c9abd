"""The part of jitscope that runs inside LLDB. It adapts LLDB's memory, registers, frames and output to the C library;
the modules of gdbext that need no GDB are used as they are."""
