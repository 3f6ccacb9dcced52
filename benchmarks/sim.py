"""Speed of simulation: rounds a second, beside a plain C program that deals the same shoes into the
same cells.
"""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.timing import BEST_OF, sized
from puntobanco import GAMES
from puntobanco.sim.run import default_workers, job_for, play, run

SEED, SHOES, LONG = 7, sized(150_000), sized(1_000_000)


def c_program() -> Path | None:
    compiler = shutil.which("gcc")
    if not compiler:
        return None
    target = Path(tempfile.mkdtemp()) / "reference"
    source = Path(__file__).with_name("reference.c")
    subprocess.run([compiler, "-O3", "-march=native", "-o", str(target), str(source)], check=True)
    return target


def main() -> None:
    reference = c_program()
    rates: dict[str, list[float]] = {"c": [], "fortune-six": [], "six-star": [], "threads": []}
    jobs = {game_id: job_for(GAMES[game_id], 8, SEED) for game_id in ("fortune-six", "six-star")}
    workers = default_workers()
    same = None
    for job in jobs.values():
        play(job, 0, 10)
    for _ in range(BEST_OF):  # turn by turn, so that all meet the machine in the same mood
        for game_id, job in jobs.items():
            start = time.perf_counter()
            tally = play(job, 0, SHOES)
            rates[game_id].append(tally.rounds / (time.perf_counter() - start))
            if reference and game_id == "fortune-six":
                out = subprocess.run(
                    [str(reference), str(SEED), str(SHOES), str(job.rounds)],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                seconds, counts = out.stdout.splitlines()
                rates["c"].append(tally.rounds / float(seconds))
                same = [int(n) for n in counts.split()] == tally.counts.tolist()
        start = time.perf_counter()
        whole = run(jobs["fortune-six"], workers * LONG, workers=workers)
        rates["threads"].append(whole.tally.rounds / (time.perf_counter() - start))
    one, threads = max(rates["fortune-six"]), max(rates["threads"])

    def row(what: str, value: str, target: str = "") -> None:
        print(f"{what:<52}{value:>10}   {target}")

    row("fortune-six, one core, M rounds/s, every line counted", f"{one / 1e6:.1f}", "over 25")
    if reference:
        row(
            f"plain C, M rounds/s, {'same' if same else 'OTHER'} counts",
            f"{max(rates['c']) / 1e6:.1f}",
        )
        row("ratio to plain C", f"{one / max(rates['c']):.2f}", "at least 0.85")
    row(f"fortune-six, {workers} threads, M rounds/s", f"{threads / 1e6:.1f}")
    row("ratio to one core", f"{threads / one:.2f}", "at least 1.8 on two")
    row("six-star, one core, M rounds/s, every line counted", f"{max(rates['six-star']) / 1e6:.1f}")
    print(
        "peers, one core: baccarat-sim 2.6-3.7, macaujack 6.8-9.9, baccarat-engine "
        "1.7-2.1, pybaccarat 0.23-0.26"
    )


if __name__ == "__main__":
    main()
