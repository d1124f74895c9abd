"""What the front ends for GDB and for LLDB share, and `jitscope stack` and the reports in part. It needs no debugger.

Its packages `base` (the C library, files, texts), `functions` (compiled functions and their sources) and `commands`
(what a user types) use no other module of it, but for `base`."""

__version__ = "0.1.0"
