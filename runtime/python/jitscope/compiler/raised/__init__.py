"""Tracebacks of exceptions that compiled code raises: the frames of the compiled functions between."""
