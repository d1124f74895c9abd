"""Stops that jitscope itself makes or explains: asked for by the program, behind a call, a step or a loop."""
