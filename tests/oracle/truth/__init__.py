"""The truth oracle: the values that GDB shows at each stop of compiled code, against the same code run as Python."""
