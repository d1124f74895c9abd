"""What a statement may do: access elements, call, store, raise, and run only as another line decides."""
