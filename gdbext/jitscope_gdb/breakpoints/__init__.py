"""The user's breakpoints: their places, their conditions, and the notes on them."""
