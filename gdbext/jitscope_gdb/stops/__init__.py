"""Stops that jitscope itself makes or explains: requested by the program, or after a call, a step or a loop."""
