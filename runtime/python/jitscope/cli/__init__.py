"""The `jitscope` command."""
