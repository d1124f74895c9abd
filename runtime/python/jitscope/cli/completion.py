"""`jitscope completion`: prints the script by which a shell completes the command line."""

from __future__ import annotations

import argparse

from jitscope.cli.shells import bash, fish, zsh
from jitscope.cli.shells.model import commands_of

SCRIPTS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}

DESCRIPTION = """\
Print the script by which a shell completes commands, options, values, files
and the numbers of Python processes after `jitscope`.

An installation has the scripts in the folders of its share/ in which shells
look for them: bash-completion/completions, zsh/site-functions and
fish/vendor_completions.d. Shells look there in /usr, and bash and fish in
~/.local, too; for an installation elsewhere, such as a virtual environment,
add the line of the examples to the shell's file."""

EPILOG = """\
exit status:
  0  done
  1  the script cannot be written
  2  the command line is wrong

examples:
  source <(jitscope completion bash)
      in ~/.bashrc
  source <(jitscope completion zsh)
      in ~/.zshrc, after compinit
  jitscope completion fish | source
      in ~/.config/fish/config.fish"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "completion",
        help="print the script by which bash, zsh or fish completes the line",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=tuple(SCRIPTS), metavar="SHELL", help="bash, zsh or fish")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    print(SCRIPTS[arguments.shell](commands_of(arguments.parser)), end="")
    return 0
