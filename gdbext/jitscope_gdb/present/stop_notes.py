def explain(current, event): pass
