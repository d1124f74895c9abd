"""The measurements of scripts/bench; each figure is a ratio to another tool in the same run."""
