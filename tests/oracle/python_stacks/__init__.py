"""Helpers of test_python_stacks.py: interpreters, blocked programs, readers, damaged memory."""
