"""`python -m jitscope` is the `jitscope` command."""

import sys

from jitscope.cli.main import main

sys.exit(main())
