"""The calls: one module a package, whose calls() yields a name ("function arguments") and what makes the call."""
