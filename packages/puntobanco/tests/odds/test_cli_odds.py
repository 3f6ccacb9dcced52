"""`puntobanco odds`: formats, files, and refusals in one line."""

import csv
import io
import json
import re
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from puntobanco import GAMES
from puntobanco.base.version import __version__
from puntobanco.rules.definition import digest
from tests.test_cli import EXAMPLE, Runner, run

__all__ = ["run"]


def test_json_has_the_fixed_form(run: Runner) -> None:
    sheet = run("odds", "fortune-six", "--decks", "8", "--format", "json").json
    assert (sheet["game"], sheet["decks"], sheet["cards"]) == ("fortune-six", 8, 416)
    assert list(sheet["round"]) == ["player", "banker", "tie", "cards_4", "cards_5", "cards_6"]
    assert sheet["round"]["cards_4"] == {"exact": "140356/370461", "decimal": "0.378868490880"}
    pair = next(b for b in sheet["bets"] if b["bet"] == "player-pair")
    assert pair["ev"] == {"exact": "-43/415", "decimal": "-0.103614457831"}
    assert pair["push"] == {"exact": "0/1", "decimal": "0"}
    assert pair["variance"] == {"exact": "1714176/172225", "decimal": "9.95311946582"}
    assert pair["lines"][0] | {"clause": "4.1", "pays": "11 to 1"} == pair["lines"][0]
    six = next(b for b in sheet["bets"] if b["bet"] == "fortune-six")
    assert six["ev"]["exact"] == "-47209656769/282970916865"


def test_the_six_star_tie_carries_its_bonus_apart(run: Runner) -> None:
    sheet = run("odds", "six-star", "--bet", "tie", "--stake", "25", "--format", "json").json
    [tie] = sheet["bets"]
    assert tie["ev"]["decimal"].startswith("-0.1431")
    bonus = tie["tie_bonus"]
    assert [line["pays"] for line in bonus["lines"]] == ["$3,000", "$30,000"]
    assert bonus["break_even_stake"]["exact"] == "10616302000/5965324289"
    expected = Fraction(bonus["expected_dollars"]["exact"])
    assert Fraction(tie["at_stake"]["ev"]["exact"]) == Fraction(tie["ev"]["exact"]) + expected / 25
    assert Fraction(bonus["break_even_stake"]["exact"]) == expected / -Fraction(tie["ev"]["exact"])


def test_a_remaining_shoe_has_no_number_of_decks(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "remaining.json"
    path.write_text(json.dumps({"As": 7, "Ah": 8, "9d": 3, "Kc": 20}))
    sheet = run("odds", "fortune-six", "--shoe", str(path), "--format", "json").json
    assert (sheet["decks"], sheet["cards"]) == (None, 38)
    again = run(
        "odds", "fortune-six", "--shoe", "-", "--format", "json", stdin=path.read_text()
    ).json
    assert again == sheet


@pytest.mark.parametrize(
    ("shoe", "reason"),
    [
        ('{"As": 1}', "holds 1 cards"),
        ('{"As": 5}', "holds 5 cards; a round may take 6"),
        ('{"Xx": 10}', "'Xx' is no card"),
        ('{"9f": 10}', "belongs to the five-element deck"),
        ('{"As": -1, "Ah": 10}', "zero or more, not -1"),
        ('{"As": 1.5, "Ah": 10}', "not 1.5"),
        ('{"As": true, "Ah": 10}', "not true"),
        ('{"As": "8"}', 'not "8"'),
        ('{"As": 8, "As": 8}', "stands twice"),
        ('{"As": 1401}', "more than a shoe holds"),
        ("[1, 2]", "an object of counts"),
        ("nonsense", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("", "not JSON"),
    ],
)
def test_a_shoe_that_cannot_be_is_refused(run: Runner, shoe: str, reason: str) -> None:
    assert reason in run.refused("odds", "rapid", "--shoe", "-", stdin=shoe)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["odds"], "name a game, or ask for --all"),
        (["odds", "rapid", "--decks", "11"], "4 to 10 decks, not 11"),
        (["odds", "super-six-plus", "--decks", "9"], "4 to 8 decks, not 9"),
        (["odds", "rapid", "--bet", "dragon"], "rapid has no bet 'dragon'"),
        (["odds", "rapid", "--stake", "nan"], "not an amount"),
        (["odds", "rapid", "--stake", "0"], "more than zero"),
        (["odds", "rapid", "--shoe", "x.json", "--decks", "8"], "not both"),
        (["odds", "rapid", "--shoe", "/none.json"], "cannot read /none.json"),
        (["odds", "rapid", "--format", "pdf"], "add --out par.pdf"),
        (["odds", "rapid", "--out", "x.txt"], "needs a --format"),
        (["odds", "rapid", "--removal", "--format", "html"], "table, json or csv"),
        (["odds", "--all"], "needs a folder"),
        (["odds", "rapid", "--format", "json", "--out", "/proc/none/x.json"], "cannot write"),
        (["odds", "rapid", "--wager", "banker"], "is no wager"),
        (["odds", "rapid", "--wager", "banker=0.01"], "not whole cents"),
        (["odds", "rapid", "--vulnerability", "--samples", "1"], "not in the range"),
        (
            ["odds", "rapid", "--vulnerability", "--shoe", "x.json"],
            "--vulnerability does not depend on --shoe",
        ),
        (
            ["odds", "rapid", "--vulnerability", "--removal"],
            "--vulnerability does not depend on --removal",
        ),
        (["odds", "rapid", "--removal", "--stake", "5"], "--removal does not depend on --stake"),
        (
            ["odds", "rapid", "--removal", "--wager", "tie=5"],
            "--removal does not depend on --wager",
        ),
        (["odds", "rapid", "--wager", "tie=5", "--bet", "tie"], "--wager does not depend on --bet"),
        (
            ["odds", "rapid", "--wager", "tie=5", "--stake", "5"],
            "--wager does not depend on --stake",
        ),
        (["odds", "rapid", "--samples", "5"], "the par sheet does not depend on --samples"),
        (["odds", "rapid", "--seed", "1"], "the par sheet does not depend on --seed"),
        (["odds", "rapid", "--stake", "5", "--format", "csv"], "a CSV has no figures by stake"),
        (["odds", "--all", "--decks", "8", "--out", "x"], "--all does not depend on --decks"),
        (
            ["odds", "rapid", "--all", "--bet", "tie", "--out", "x"],
            "--all does not depend on --bet",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    run: Runner, arguments: list[str], reason: str
) -> None:
    assert reason in run.refused(*arguments)


def test_csv_ties_out_to_json(run: Runner) -> None:
    sheet = run("odds", "six-star", "--decks", "6", "--format", "json").json
    rows = list(
        csv.DictReader(io.StringIO(run("odds", "six-star", "--decks", "6", "--format", "csv").out))
    )
    lines = [
        (b["bet"], line["probability"]["decimal"])
        for b in sheet["bets"]
        for line in (*b["lines"], *b.get("tie_bonus", {}).get("lines", ()))
    ]
    assert [(r["bet"], r["probability"]) for r in rows] == lines
    assert {r["bet"]: r["ev"] for r in rows} == {
        b["bet"]: b["ev"]["decimal"] for b in sheet["bets"]
    }


def test_a_sheet_says_which_definition_it_is_of_when_it_was_made_and_by_what(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On paper too: a table's reports name the same definition."""
    monkeypatch.setattr("puntobanco.cli.odds.today", lambda: date(2026, 11, 15))
    own, program = digest(GAMES["six-star"]), f"puntobanco {__version__}"
    sheet = run("odds", "six-star", "--format", "json").json
    assert (sheet["rules_digest"], sheet["made"], sheet["program"]) == (own, "2026-11-15", program)
    rows = csv.DictReader(io.StringIO(run("odds", "six-star", "--format", "csv").out))
    assert {(row["rules_digest"], row["made"], row["program"]) for row in rows} == {
        (own, "2026-11-15", program)
    }
    path = tmp_path / "par.html"
    assert run("odds", "six-star", "--out", str(path)).status == 0
    page = path.read_text("utf-8")
    assert f"<dt>Definition</dt><dd>{own}</dd>" in page
    assert f"<dt>Made</dt><dd>2026-11-15 by {program}</dd>" in page
    assert "What the names mean" in page


def test_html_is_one_file_that_fetches_nothing_and_cites_every_line(
    run: Runner, tmp_path: Path
) -> None:
    path = tmp_path / "deep" / "par.html"
    assert run("odds", "six-star", "--out", str(path)).status == 0
    text = path.read_text("utf-8")
    assert text.count("<svg") == 4
    assert not re.findall(r"(?:src|href)\s*=|url\(|@import|<script", text.replace("xlink:href", ""))
    for bet in GAMES["six-star"].bets:
        assert all(f">{line.clause}<" in text for line in (*bet.pays, *bet.bonus))
    assert "10616302000/5965324289" in text


def test_pdf_is_a_pdf(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "par.pdf"
    assert run("odds", EXAMPLE, "--out", str(path)).status == 0
    assert path.read_bytes().startswith(b"%PDF")
    assert path.stat().st_size > 20_000


def test_a_sheet_can_be_made_again_with_its_day(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    path = tmp_path / "par.html"
    assert run("odds", "rapid", "--out", str(path)).status == 0
    assert "<dd>2026-01-01 by " in path.read_text("utf-8")


def test_all_writes_a_file_for_each_number_of_decks(run: Runner, tmp_path: Path) -> None:
    assert run("odds", "--all", "--out", str(tmp_path / "par-sheets")).status == 0
    names = sorted(path.name for path in (tmp_path / "par-sheets").iterdir())
    assert names == sorted(f"{g.id}-{decks}.json" for g in GAMES.values() for decks in g.decks)
    assert json.loads((tmp_path / "par-sheets/six-star-8.json").read_text())["decks"] == 8


def test_wagers_together(run: Runner) -> None:
    answer = run(
        "odds", "rapid", "--wager", "player=100", "--wager", "banker=100", "--format", "json"
    ).json
    sheet = run("odds", "rapid", "--format", "json").json
    each = {b["bet"]: Fraction(b["ev"]["exact"]) * 100 for b in sheet["bets"]}
    assert Fraction(answer["ev"]["exact"]) == each["player"] + each["banker"]
    assert (
        "together: stake 200.00"
        in run("odds", "rapid", "--wager", "player=100", "--wager", "banker=100").out
    )


def test_removal_and_vulnerability_print_in_each_form(run: Runner) -> None:
    answer = run(
        "odds", "fortune-six", "--removal", "--bet", "fortune-six", "--format", "json"
    ).json
    assert [r["bet"] for r in answer["removal"]] == ["fortune-six"]
    assert "level" in run("odds", "fortune-six", "--removal").out
    assert run("odds", "fortune-six", "--removal", "--format", "csv").out.startswith(
        "bet,cards,effect,exact\n"
    )
    found = run("odds", "rapid", "--vulnerability", "--samples", "5", "--format", "json").json[
        "vulnerability"
    ]
    assert len(found) == 5 * 6
    assert "favours the patron" in run("odds", "rapid", "--vulnerability", "--samples", "5").out


def test_vulnerability_is_told_of_the_bets_that_are_named(run: Runner) -> None:
    asked = (
        "odds",
        "rapid",
        "--vulnerability",
        "--samples",
        "5",
        "--bet",
        "tie",
        "--bet",
        "player-pair",
    )
    whole = run("odds", "rapid", "--vulnerability", "--samples", "5", "--format", "json").json[
        "vulnerability"
    ]
    found = run(*asked, "--format", "json").json["vulnerability"]
    assert found == [depth for depth in whole if depth["bet"] in ("tie", "player-pair")]
    rows = csv.DictReader(io.StringIO(run(*asked, "--format", "csv").out))
    assert {row["bet"] for row in rows} == {"tie", "player-pair"}
    printed = run(*asked).out
    assert "tie" in printed
    assert "banker" not in printed


def test_a_designers_bet_gets_its_sheet(run: Runner) -> None:
    assert "big-banker" in run("odds", EXAMPLE, "--bet", "big-banker").out
