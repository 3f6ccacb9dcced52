"""Worlds one after another until so many table-hours are simulated: `python -m tests.soak --hours 500 --seed 1`."""

from __future__ import annotations

import argparse
import sys
import time

from tests.soak.runs import plan, tallies
from tests.soak.world import Tally, Violation


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=500.0, help="table-hours to simulate (500)")
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        help="the first world's seed; the next has the next number (1)",
    )
    parser.add_argument("--worlds", type=int, help="stop after so many worlds")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    args = parser.parse_args()
    total, begun, what = Tally(), time.monotonic(), "done"
    try:
        for seed, tally in tallies(plan(args.hours, args.seed, args.worlds), args.jobs):
            total.add(tally)
            rate = total.table_hours / (time.monotonic() - begun) * 60
            print(
                f"seed {seed}: {tally.rounds:,} rounds, {tally.faults:,} faults; "
                f"{total.table_hours:,.1f} of {args.hours:,.1f} table-hours, {rate:,.0f} a minute",
                flush=True,
            )
    except KeyboardInterrupt:
        what = "stopped"
    except Violation as violation:
        print(violation, file=sys.stderr)
        what = "broken"
    print(f"{what}: {total}", flush=True)
    return {"done": 0, "stopped": 130, "broken": 1}[what]


if __name__ == "__main__":
    sys.exit(main())
