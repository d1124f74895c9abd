"""The stack of the selected thread: Python, compiled and native frames in order, and which of them is selected."""
