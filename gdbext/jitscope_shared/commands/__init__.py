"""What a user types after a command: its options, and the words of a breakpoint."""
