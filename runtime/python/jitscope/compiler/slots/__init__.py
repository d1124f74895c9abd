"""The area of the stack frame that holds the user's variables."""
