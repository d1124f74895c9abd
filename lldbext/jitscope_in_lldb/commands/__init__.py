"""The `jit` commands of LLDB."""
