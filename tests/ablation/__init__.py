"""Each rule for stock code switched off: what is shown then, and what is false in that."""
