"""Effects that a statement may have: access elements, call, store, raise, or run only as another line decides."""
