"""`serve --demo --witness`: log, mix and receipts with a witness that says itself that it proves nothing."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from puntobanco.base.refusal import Refusal
from puntobanco_floor.cli.serve import DEMO_WITNESS, serve_floor
from puntobanco_floor.domain.house.gaming_day import Cut
from puntobanco_floor.environment import World
from puntobanco_floor.settings import Settings
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.served import Served, api
from tests.verifier.both import Case, verdicts
from tests.web.test_receipt_links import fetched


def test_a_shoe_is_mixed_and_its_receipt_holds(tmp_path: Path) -> None:
    served = Served(tmp_path, "--demo", "--witness")
    try:
        [path] = tmp_path.glob("*.witness/policy.txt")
        policy = path.read_text("utf-8")
        token = str(api(served, "POST", "/api/guest")[1]["token"])
        asked = {"kind": "shoe", "number": 1}
        until = time.monotonic() + PATIENCE_S
        while True:
            status, link = api(served, "POST", "/api/tables/1/receipts", token, asked)
            if status == 201:  # the shoe is on the table
                _, data, _ = fetched(served, f"{link['path']}.json")
                [said] = verdicts([Case(data, policy)])
                if said.code == 0:
                    break
            assert time.monotonic() < until, link
            time.sleep(1)
        assert json.loads(data)["claim"]["says"] == "demonstration"
        assert f"{DEMO_WITNESS} saw it" in " ".join(text for _, _, text in said.lines)
    finally:
        served.stop()


@pytest.mark.parametrize("end", [Served.stop, Served.kill], ids=["stopped", "killed"])
def test_the_witness_ends_with_the_demonstration_however_that_ends(
    tmp_path: Path, end: Callable[[Served], None]
) -> None:
    served = Served(tmp_path, "--demo", "--witness")
    end(served)
    [path] = tmp_path.glob("*.witness/policy.txt")
    [port] = re.findall(r"http://127\.0\.0\.1:(\d+)", path.read_text("utf-8"))
    wait_until(lambda: not _listens(int(port)), "its end")


def _listens(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


def test_on_a_real_floor_somebody_else_runs_it(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "floor.db"))
    with pytest.raises(Refusal, match="somebody else runs it"):
        serve_floor(settings, (), World(), Cut(), with_witness=True)
