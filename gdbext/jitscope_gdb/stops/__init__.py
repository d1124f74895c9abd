"""Stops that jitscope itself makes or explains: asked for by the program, after a call, a step or a loop."""
