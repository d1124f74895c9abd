"""Plays the stories, prints the table, and writes docs/stories.md."""

from __future__ import annotations

import argparse
import concurrent.futures
import sys

from .page import PAGE, page, row
from .story import played, stories


def main() -> int:
    """Return 1 if a line of a story blames something that is not the cause."""
    parser = argparse.ArgumentParser(prog="scripts/stories", description=__doc__)
    known = stories()
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these stories; the page is not written")
    parser.add_argument("--output", action="store_true", help="print all that GDB prints")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.names) - set(known)):
        parser.error(f"no story {', '.join(unknown)}; there are: {', '.join(known)}")
    chosen = {name: known[name] for name in arguments.names or known}
    results, blamed = {}, 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, outcome in zip(chosen, pool.map(played, chosen.values())):
            results[name] = (chosen[name], outcome)
            print((f"{outcome.output}\n" if arguments.output else "") + row(chosen[name], outcome), end="", flush=True)
            for line in outcome.blamed:
                print(f"  {name} blames what is not the cause: {line}", flush=True)
            blamed += bool(outcome.blamed)
    named = sum(outcome.is_named for _, outcome in results.values())
    print(f"the cause is named in {named} of {len(results)} stories, something else is blamed in {blamed}")
    if not arguments.names:
        PAGE.write_text(page(results), "utf-8")
    return 1 if blamed else 0


if __name__ == "__main__":
    sys.exit(main())
