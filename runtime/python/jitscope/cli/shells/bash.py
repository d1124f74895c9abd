"""The script for bash 4 and later. It needs neither bash-completion nor Python while it completes."""

from __future__ import annotations

from collections.abc import Sequence

from jitscope.cli.shells import posix
from jitscope.cli.shells.model import Command

HEAD = """\
# Completion of `jitscope` for bash; `jitscope completion bash` prints it. In ~/.bashrc:
#     source <(jitscope completion bash)

# Prints the processes of Python, without starting a program.
_jitscope_pids() {
    local folder first
    for folder in /proc/[0-9]*; do
        first=''
        { IFS= read -r -d '' first <"$folder/cmdline"; } 2>/dev/null
        case ${first##*/} in
        python* | pypy*) printf '%s\\n' "${folder#/proc/}" ;;
        esac
    done
}

"""
TAIL = """\
# Offers what the kind and choices in $1 say, for the text $2.
_jitscope_offer() {
    case ${1%% *} in
    pid) mapfile -t COMPREPLY < <(compgen -W "$(_jitscope_pids)" -- "$2") ;;
    choice) mapfile -t COMPREPLY < <(compgen -W "${1#choice}" -- "$2") ;;
    file) compopt -o default 2>/dev/null ;;
    program)
        case $2 in
        '' | */* | '~'*) compopt -o default 2>/dev/null ;;
        *)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$2"; compgen -c -- "$2")
            ;;
        esac
        ;;
    esac
}

_jitscope() {
    local command place pending ended REPLY i current=${COMP_WORDS[COMP_CWORD]} before=()
    # readline takes `--level=exact` for three words.
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [ "${COMP_WORDS[i]}" = = ] && [ ${#before[@]} -gt 0 ]; then
            before[${#before[@]}-1]+="="
            if [ $((i + 1)) -lt "$COMP_CWORD" ]; then before[${#before[@]}-1]+=${COMP_WORDS[++i]}; fi
        else
            before+=("${COMP_WORDS[i]}")
        fi
    done
    if [ "$current" = = ] && [ ${#before[@]} -gt 0 ]; then
        before[${#before[@]}-1]+="="
        current=''
    fi
    COMPREPLY=()
    _jitscope_parse "${before[@]}"
    if [ ${#before[@]} -gt 0 ] && [ -z "$ended" ] && _jitscope_value "$command ${before[${#before[@]}-1]}" &&
        { [ -n "$pending" ] || [[ ${before[${#before[@]}-1]} == *= ]]; }; then
        _jitscope_offer "$REPLY" "$current"
    elif [[ -z $ended && $current == -* ]]; then
        if _jitscope_options "$command"; then mapfile -t COMPREPLY < <(compgen -W "$REPLY" -- "$current"); fi
    elif [ -z "$command" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$_jitscope_commands" -- "$current")
    elif _jitscope_place "$command $place"; then
        _jitscope_offer "$REPLY" "$current"
    fi
}

complete -F _jitscope jitscope
"""


def script(commands: Sequence[Command]) -> str:
    options = posix.cases(
        "_jitscope_options",
        "The options of the command $1.",
        '"$1"',
        [([command.name], " ".join(command.option_names)) for command in commands],
    )
    names = " ".join(command.name for command in commands if command.name)
    return "\n".join([f"{HEAD}_jitscope_commands='{names}'\n", posix.functions(commands), options, TAIL])
