"""Tasks of asyncio, and what else waits without a thread."""
