"""All stacks of a process or a core, for `jitscope stack`: taken by the C library, and written as text."""
