"""python -m tests.scenarios [NAME …] [--plain] [--second]: one column of scenarios, in full, with the checks."""

from __future__ import annotations

import argparse

from .run import column, scenarios

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("names", nargs="*")
parser.add_argument("--plain", action="store_true")
parser.add_argument("--second", action="store_true")
arguments = parser.parse_args()
for name, scenario in scenarios(int(arguments.second)).items():
    if arguments.names and name not in arguments.names:
        continue
    transcript = column(scenario, jitscope=not arguments.plain)
    print(f"==== {name}: {scenario.title} ({transcript.seconds:.1f} s)\n{transcript.text}")
    failures = scenario.failures(transcript)
    for check in scenario.checks:
        why = next((why for failed, why in failures if failed is check), None)
        print(f"  {'FAIL' if why else 'ok  '} {check.title}" + (f"\n         {why}" if why else ""))
