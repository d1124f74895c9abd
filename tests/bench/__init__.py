"""What scripts/bench measures; each figure is a ratio against another tool in the same run."""
