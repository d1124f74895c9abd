"""Follows what a call of a compiled function computes: what is noted for that, and how statements are computed."""
