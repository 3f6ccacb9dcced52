import json
from datetime import date
from pathlib import Path

import pytest

from puntobanco.base.version import __version__, source_hash
from puntobanco.game_files import load_game
from puntobanco.rules.definition import digest
from tests.test_cli import EXAMPLE, Runner, run

__all__ = ["run"]


def test_simulate_json_has_the_fixed_form(run: Runner) -> None:
    ran = run("simulate", "fortune-six", "--decks", "8", "--rounds", "1e5", "--seed", "7", "--json")
    answer = ran.json
    assert ran.status == 0
    assert [
        answer[k] for k in ("game", "decks", "seed", "shoes", "rounds", "engine", "passed")
    ] == [
        "fortune-six",
        8,
        7,
        1493,
        100_031,
        "cpu",
        True,
    ]
    line = answer["bets"][0]["lines"][0]
    assert set(line) == {"clause", "pays", "count", "expected", "z"}
    assert sum(x["count"] for x in answer["bets"][1]["lines"]) == answer["rounds"]
    assert 0.8 < answer["bets"][1]["return"] < 1.1
    again = run(
        "simulate", "fortune-six", "--rounds", "100000", "--seed", "7", "--json", "--workers", "1"
    ).json
    assert again["bets"] == answer["bets"]


def test_shoes_one_by_one(run: Runner) -> None:
    answer = run("simulate", "rapid", "--rounds", "1e4", "--per-shoe", "50", "--json").json
    assert {row["bet"] for row in answer["per_shoe"]} == {
        "player",
        "banker",
        "tie",
        "player-pair",
        "banker-pair",
    }
    assert (
        "shoe by shoe, 50 shoes"
        in run("simulate", "rapid", "--rounds", "1e4", "--per-shoe", "50").out
    )


def test_a_cut_card_is_shown_and_not_judged(run: Runner) -> None:
    assert (
        run("simulate", "rapid", "--rounds", "1e4", "--cut-card", "14", "--json").json["passed"]
        is None
    )
    assert "not judged" in run("simulate", "rapid", "--rounds", "1e4", "--cut-card", "14").out


def test_reports_name_the_seed_the_code_and_the_machine(run: Runner, tmp_path: Path) -> None:
    page, paper = tmp_path / "sim.html", tmp_path / "sim.pdf"
    assert (
        run("simulate", EXAMPLE, "--rounds", "1e5", "--seed", "5", "--report", str(page)).status
        == 0
    )
    text = page.read_text("utf-8")
    assert all(
        word in text for word in ("Seed", "source", "Machine", "passed at 0.001", "big-banker")
    )
    assert run("simulate", "rapid", "--rounds", "1e4", "--report", str(paper)).status == 0
    assert paper.read_bytes().startswith(b"%PDF")


def test_a_run_says_which_definition_it_is_of_when_it_was_made_and_by_what(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puntobanco.cli.simulate.today", lambda: date(2026, 11, 15))
    page, own = tmp_path / "sim.html", digest(load_game(Path(EXAMPLE)))
    told = run("simulate", EXAMPLE, "--rounds", "1e4", "--report", str(page), "--json").json
    assert (told["rules_digest"], told["made"], told["program"]) == (
        own,
        "2026-11-15",
        f"puntobanco {__version__}",
    )
    assert told["source"] == source_hash()
    text = page.read_text("utf-8")
    assert f"<dt>Definition</dt><dd>{own}</dd>" in text
    assert "<dt>Made</dt><dd>2026-11-15</dd>" in text
    assert "<dd>Lucky Rapid Baccarat, mbs-rapid-2017-02-17</dd>" in text


def test_a_checkpoint_is_kept(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    first = run("simulate", "rapid", "--rounds", "1e5", "--checkpoint", str(path), "--json").json
    assert json.loads(path.read_text())["done"] == first["shoes"]
    assert (
        run("simulate", "rapid", "--rounds", "1e5", "--checkpoint", str(path), "--json").json[
            "bets"
        ]
        == first["bets"]
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["simulate", "rapid", "--rounds", "many"], "a whole number such as"),
        (["simulate", "rapid", "--rounds", "1.5"], "a whole number such as"),
        (["simulate", "rapid", "--rounds", "0"], "a run is 1 to"),
        (["simulate", "rapid", "--rounds", "1e99"], "a whole number such as"),
        (["simulate", "rapid", "--rounds", "nan"], "a whole number such as"),
        (["simulate", "rapid", "--seed", "-1"], "a seed is"),
        (["simulate", "rapid", "--cut-card", "1"], "a cut card lies"),
        (["simulate", "rapid", "--report", "x.txt"], ".html or a .pdf"),
        (["simulate", "rapid", "--rounds", "1e4", "--engine", "gpu"], "the gpu engine needs"),
        (["sessions", "rapid", "--bankroll", "100"], "Missing option '--bet'"),
        (["sessions", "rapid", "--bet", "banker=100", "--bankroll", "x"], "not an amount"),
        (["sessions", "rapid", "--bet", "dragon=100", "--bankroll", "100"], "no bet 'dragon'"),
        (
            ["sessions", "rapid", "--bet", "banker=100", "--bankroll", "100", "--plan", "none.py"],
            "there is no plan",
        ),
        (
            ["sessions", "rapid", "--bet", "banker=100", "--bankroll", "100", "--plot", "x.gif"],
            ".png or an .svg",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    run: Runner, arguments: list[str], reason: str
) -> None:
    assert reason in run.refused(*arguments)


def test_sessions_print_and_plot(run: Runner, tmp_path: Path) -> None:
    plot, plan = tmp_path / "out.png", tmp_path / "plan.py"
    plan.write_text(
        "import numpy as np\ndef stake(seat):\n    return np.where(seat.last < 0, 2.0, 1.0)\n"
    )
    arguments = [
        "sessions",
        "fortune-six",
        "--bet",
        "banker=100",
        "--rounds",
        "50",
        "--patrons",
        "1000",
        "--bankroll",
        "5000",
        "--stop-loss",
        "2000",
        "--goal",
        "1000",
        "--plan",
        str(plan),
    ]
    answer = run(*arguments, "--json").json
    assert answer["patrons"] == 1_000
    assert 0 < answer["stopped_by_loss"] < 1
    assert "hold by day" in run(*arguments, "--plot", str(plot)).out
    assert plot.read_bytes().startswith(b"\x89PNG")
