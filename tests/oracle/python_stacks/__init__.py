"""What test_python_stacks.py needs: interpreters, blocked programs, readers, spoilt memory."""
