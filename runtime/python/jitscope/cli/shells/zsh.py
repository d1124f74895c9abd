"""The script for zsh: `_jitscope` of a folder in fpath, or sourced after compinit."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from jitscope.cli.shells import posix
from jitscope.cli.shells.model import Command

HEAD = """\
#compdef jitscope
# Completion of `jitscope` for zsh; `jitscope completion zsh` prints it. In ~/.zshrc, after compinit:
#     source <(jitscope completion zsh)

# Offers the processes of Python, each with its command line, in which `?` replaces what a terminal would not print.
_jitscope_pids() {
    local folder word
    local -a found line
    for folder in /proc/<->(N); do
        line=()
        { while IFS= read -r -d $'\\0' word; do line+=("$word"); done <$folder/cmdline; } 2>/dev/null
        [[ ${line[1]:t} == (python|pypy)* ]] || continue
        word=${(j: :)line}
        found+=("${folder:t}:${${word//[^[:print:]]/?}[1,60]}")
    done
    _describe -V process found
}

"""
TAIL = """\
# Offers what the kind and choices in $1 say.
_jitscope_offer() {
    case ${1%% *} in
    pid) _jitscope_pids ;;
    choice) compadd -- ${=1#choice} ;;
    file) _files ;;
    program) _alternative 'files:file:_files' 'commands:command:_command_names -e' ;;
    esac
}

_jitscope() {
    local command place pending ended REPLY current=$words[CURRENT]
    _jitscope_parse "${(@Q)words[2,CURRENT-1]}"
    if [[ -n $pending ]]; then
        _jitscope_value "$command $pending" && _jitscope_offer "$REPLY"
    elif [[ -z $ended && $current == --*=* ]]; then
        _jitscope_value "$command ${current%%=*}=" && compset -P 1 '*=' && _jitscope_offer "$REPLY"
    elif [[ -z $ended && $current == -* ]]; then
        _jitscope_options "$command"
    elif [[ -z $command ]]; then
        _jitscope_commands
    elif _jitscope_place "$command $place"; then
        _jitscope_offer "$REPLY"
    fi
}

if [[ ${funcstack[1]} == _jitscope ]]; then
    _jitscope "$@"
else
    compdef _jitscope jitscope
fi
"""


def script(commands: Sequence[Command]) -> str:
    summaries = [(command.name, command.summary) for command in commands if command.name]
    lines = ["_jitscope_commands() {", "    local -a found", *_describe("command", summaries, "    "), "}", ""]
    lines += [
        "# Offers the options of the command $1.",
        "_jitscope_options() {",
        "    local -a found",
        "    case $1 in",
    ]
    for command in commands:
        options = [(name, option.help) for option in command.options for name in option.names]
        lines += [f"    {shlex.quote(command.name)})", *_describe("option", options, " " * 8), "        ;;"]
    lines += ["    esac", "}", ""]
    return "\n".join([HEAD + posix.functions(commands), *lines, TAIL])


def _describe(what: str, rows: Sequence[tuple[str, str]], margin: str) -> list[str]:
    """Return the lines that offer names, each with its description."""
    lines = [f"{margin}found=("]
    lines += [f"{margin}    {shlex.quote(f'{name}:{text}')}" for name, text in rows]
    return [*lines, f"{margin})", f"{margin}_describe -V {what} found"]
