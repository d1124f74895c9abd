"""The frames of exceptions that compiled code raises, against the interpreter's."""
