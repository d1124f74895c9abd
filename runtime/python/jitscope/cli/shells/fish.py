"""The script for fish 3 and later."""

from __future__ import annotations

from collections.abc import Sequence

from jitscope.cli.shells import posix
from jitscope.cli.shells.model import Command

HEAD = """\
# Completion of `jitscope` for fish; `jitscope completion fish` prints it. In ~/.config/fish/config.fish:
#     jitscope completion fish | source

# Prints the processes of Python, each with its command line, in which `?` replaces what is no text.
function __jitscope_pids
    for folder in /proc/*
        string match -qr '^/proc/[0-9]+$' -- $folder; or continue
        test -r $folder/cmdline; or continue
        set -l line (string split0 <$folder/cmdline 2>/dev/null)
        string match -qr '(^|/)(python|pypy)[^/]*$' -- "$line[1]"; or continue
        set -l text (string replace -ra '\\p{C}' '?' -- "$line" | string sub -l 60)
        printf '%s\\t%s\\n' (string replace /proc/ '' -- $folder) "$text"
    end
end

"""
TAIL = """\
# Sets command, place, pending and ended from the words between `jitscope` and the cursor.
function __jitscope_parse --no-scope-shadowing
    set command ''
    set place 0
    set pending ''
    set ended ''
    for word in $argv
        if test -n "$pending"
            set pending ''
        else if test -z "$command"
            string match -q -- '-*' $word; or set command $word
        else if test "$word" = --
            if __jitscope_passes $command; and test -z "$ended"
                set place 0
            end
            set ended 1
        else if string match -q -- '-*' $word
            if test -z "$ended"; and __jitscope_value "$command $word" >/dev/null
                set pending $word
            end
        else
            set place (math $place + 1)
        end
    end
    if test $place -gt 0; and __jitscope_passes $command
        set ended 1
    end
end

# Prints the kind of the word at the cursor, then its choices; "options" or "commands" where those are expected.
function __jitscope_expected
    set -l command ''
    set -l place 0
    set -l pending ''
    set -l ended ''
    set -l current (commandline -ct)
    __jitscope_parse (commandline -opc)[2..-1]
    if test -n "$pending"
        __jitscope_value "$command $pending"
    else if test -z "$ended"; and string match -qr '^(?<name>--[^=]*)=' -- "$current"
        __jitscope_value "$command $name="
    else if test -z "$ended"; and string match -q -- '-*' "$current"
        echo options
        echo "$command"
    else if test -z "$command"
        echo commands
    else
        __jitscope_place "$command $place"
    end
end

function __jitscope_words
    set -l expected (__jitscope_expected)
    set -l before (string match -r -- '^--[^=]*=' (commandline -ct))
    switch "$expected[1]"
        case options
            __jitscope_options "$expected[2]"
        case commands
            __jitscope_commands
        case pid
            __jitscope_pids
        case choice
            for each in $expected[2..-1]
                echo "$before$each"
            end
        case program
            set -l current (commandline -ct)
            string match -qr '^$|/' -- "$current"; or complete -C"$current"
    end
end

function __jitscope_expects_file
    contains -- (__jitscope_expected)[1] file program
end

complete -c jitscope -f -a '(__jitscope_words)'
complete -c jitscope -n __jitscope_expects_file -F
"""


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def cases(name: str, rows: Sequence[tuple[Sequence[str], Sequence[str]]]) -> str:
    """Return a function that prints the lines of the row that has its argument, and fails if none has."""
    lines = [f"function {name}", '    switch "$argv[1]"']
    for patterns, printed in rows:
        lines.append(f"        case {' '.join(map(quoted, patterns))}")
        lines += [f"            echo -e {quoted(line)}" for line in printed]
    return "\n".join([*lines, "        case '*'", "            return 1", "    end", "end", ""])


def script(commands: Sequence[Command]) -> str:
    summaries = [f"{command.name}\\t{command.summary}" for command in commands if command.name]
    options = [
        ([command.name], [f"{name}\\t{option.help}" for option in command.options for name in option.names])
        for command in commands
    ]
    passing = [command.name for command in commands if command.is_passing]
    return "\n".join(
        [
            f"{HEAD}{cases('__jitscope_commands', [(['*'], summaries)])}",
            cases("__jitscope_options", options),
            cases("__jitscope_passes", [(passing, [])] if passing else []),
            cases("__jitscope_value", [(names, text.split()) for names, text in posix.value_rows(commands)]),
            cases("__jitscope_place", [(names, text.split()) for names, text in posix.place_rows(commands)]),
            TAIL,
        ]
    )
