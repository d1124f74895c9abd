"""Loading of jitscope into GDB: all commands, all handlers of events, and the changes to GDB's DAP server."""
