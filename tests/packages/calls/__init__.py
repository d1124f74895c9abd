"""The calls: each package has a module whose calls() yields a name ("function arguments") and a function that makes the
call."""
