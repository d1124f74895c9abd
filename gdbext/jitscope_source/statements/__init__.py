"""The effects that a statement may have: access elements, call, store, raise, or run only if another line decides
so."""
