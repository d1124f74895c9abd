"""Values as LLDB and editors show them, by functions that LLDB calls."""
