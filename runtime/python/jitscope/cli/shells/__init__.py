"""Completion of the command line in bash, zsh and fish, made from the parsers of the commands."""
