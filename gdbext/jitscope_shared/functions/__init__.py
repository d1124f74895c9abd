"""Compiled functions, and what their sources and the hook say of them."""
