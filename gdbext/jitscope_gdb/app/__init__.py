"""How it is loaded: all commands, all handlers of events, and what is changed in GDB's DAP server."""
