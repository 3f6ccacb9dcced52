"""A receipt from a log of a million entries: its size, and how long each verifier takes.

`python -m benchmarks.receipt [LEAVES]`. The log is made for it: a round and a shoe of a small
journal, and other leaves around them; what a verifier does depends on the log's size alone.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.timing import sized
from puntobanco_proof.receipt_format import What
from puntobanco_proof.verifier import verify
from tests.browser.chromium import provide
from tests.verifier.made import Journal, played, policy, receipt, shoe_played

PAGE = Path(verify.__file__).with_name("verify.html")
DRAWN = """([receipt, policy]) => new Promise((done) => {
  const begun = performance.now(), out = document.querySelector(".out");
  const took = () => [Number(out.dataset.code), performance.now() - begun];
  const tell = () => out.dataset.code && done(took());
  new MutationObserver(tell).observe(out, { attributes: true });
  const files = new DataTransfer();
  files.items.add(new File([policy], "policy.txt"));
  files.items.add(new File([receipt], "receipt.json"));
  dispatchEvent(Object.assign(new Event("drop", { cancelable: true }), { dataTransfer: files }));
})"""


def by_python(data: bytes, own: str) -> tuple[int, float]:
    """The whole process, from its start to its end."""
    with tempfile.TemporaryDirectory() as folder:
        file, policy_file = Path(folder, "receipt.json"), Path(folder, "policy.txt")
        file.write_bytes(data)
        policy_file.write_text(own, "utf-8")
        command = [sys.executable, "-I", verify.__file__, str(file), "--policy", str(policy_file)]
        begun = time.perf_counter()
        done = subprocess.run(command, capture_output=True, check=False)
        return done.returncode, time.perf_counter() - begun


def by_page(data: bytes, own: str) -> tuple[int, float]:
    """In Chromium, offline, from a drop to the verdict on the page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=provide())
        page = browser.new_context(offline=True).new_page()
        page.goto(PAGE.as_uri())
        code, took_ms = page.evaluate(DRAWN, [data.decode(), own])
        browser.close()
    return int(code), took_ms / 1000


def stories(leaves: int) -> dict[str, bytes]:
    journal, what, places = played()
    wager = What(kind="wager", table=what.table, round=1, session=what.session, bet="banker")
    shoe, of_shoe, in_shoe = shoe_played(rounds=6)
    made = list[tuple[str, What, Journal, dict[int, list[int]]]]()
    made.append(("wager", wager, journal, {3: [1]}))
    made.append(("round", what, journal, {seq: list(each) for seq, each in places.items()}))
    made.append(("shoe", of_shoe, shoe, {seq: list(each) for seq, each in in_shoe.items()}))
    found = dict[str, bytes]()
    for name, of, own, shown in made:
        others = leaves - len(own.rows)
        found[name] = receipt(of, own.proven(dict(shown), others=others))
    return found


def main() -> None:
    leaves = int(sys.argv[1]) if len(sys.argv) > 1 else sized(1_000_000)
    own = policy()
    for name, data in stories(leaves).items():
        changed = data.replace(b'"kind":"', b'"kind": ', 1)
        for label, each in ((name, data), (f"{name}, changed", changed)):
            code, seconds = by_python(each, own)
            code_page, seconds_page = by_page(each, own)
            print(f"{label}: {len(each)} bytes, a log of {leaves}")
            print(f"  verify.py   {code} in {seconds:.3f} s")
            print(f"  verify.html {code_page} in {seconds_page:.3f} s")


if __name__ == "__main__":
    main()
