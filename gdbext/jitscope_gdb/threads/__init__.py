"""Stacks and parallel loops: which thread waits for which, and what each runs."""
