"""Both verifiers on the same receipts, and the demand that they say the same."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from puntobanco_proof.verifier import verify

PAGE = Path(verify.__file__).with_name("verify.html")
RUNNER = Path(__file__).with_name("verify.mjs")


class Case(NamedTuple):
    receipt: bytes
    policy: str | None = None


class Said(NamedTuple):
    code: int
    lines: list[tuple[str, str, str]]
    facts: list[str]


def by_python(case: Case) -> Said:
    verdict = verify.verify(*case)
    return Said(
        verdict.code, [(line.mark, line.check, line.text) for line in verdict.lines], verdict.facts
    )


def by_page(cases: Iterable[Case]) -> list[Said]:
    """In Node, all in one process."""
    rows = [
        json.dumps({"receipt": base64.b64encode(data).decode(), "policy": policy})
        for data, policy in cases
    ]
    done = subprocess.run(
        ["node", str(RUNNER), str(PAGE)],
        input="\n".join(rows),
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    found = list[Said]()
    for row in done.stdout.splitlines():
        said = json.loads(row)
        assert all(said["zh"]), "every line has words in Chinese"
        lines = [(mark, check, text) for mark, check, text in said["lines"]]
        seen = [mark for mark, check, _ in lines if check == "witnesses"] == ["ok"]
        assert ("these witnesses saw" in said["means"]) == (seen and said["code"] != verify.REFUSED)
        found.append(Said(said["code"], lines, said["facts"]))
    assert len(found) == len(rows), done.stderr
    return found


def verdicts(cases: Iterable[Case]) -> list[Said]:
    """What both say; they must agree, in every word where a receipt is not refused as unreadable."""
    cases = list(cases)
    found = [by_python(case) for case in cases]
    for case, ours, theirs in zip(cases, found, by_page(cases), strict=True):
        is_unreadable = ours.code == 1 and ours.lines[-1][1] == "file"
        if is_unreadable:
            assert (theirs.code, theirs.lines[-1][:2]) == (1, ("no", "file")), case
        else:
            assert ours == theirs, case
    return found
