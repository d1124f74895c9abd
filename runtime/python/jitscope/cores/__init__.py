"""Cores as files: found, decompressed, and opened."""
