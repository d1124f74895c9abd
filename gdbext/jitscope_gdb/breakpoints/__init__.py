"""The user's breakpoints: their places, their conditions, and what is said of them."""
