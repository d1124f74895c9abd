#!/bin/sh
# What a newcomer types, on a machine with nothing but Debian's minimum, in a clone whose path holds what paths may hold.
# scripts/test --bare SCRIPT runs it there.
set -eu
echo 'bare: the machine is there'
clone="/src it's here/jit scope"
rm -rf "${clone%/*}"
mkdir -p "${clone%/*}"
git clone -q . "$clone"
cd "$clone"
scripts/demo

# Without a network, from the wheels that the first set-up has kept.
rm -rf .venv
unshare --net scripts/setup
[ "$(scripts/setup)" = 'setup: nothing to do' ]
[ "$(.venv/bin/jitscope gdbinit)" = "source $clone/gdbext/jitscope.py" ]
cd /
"$clone/.venv/bin/python" -c 'import numba; from jitscope.native import load; load()'
