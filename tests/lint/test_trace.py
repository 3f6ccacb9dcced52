"""Every clause is claimed by code and by a test; every claim names a clause that exists; readings likewise."""

import re
from pkgutil import resolve_name

from puntobanco import GAMES
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.readings import READINGS
from tools.trace import MEANINGS, claims_of_tests, code_claims
from tools.tree import ROOT

ALL = {f"{game.id} {clause}" for game in GAMES.values() for clause in CLAUSES[game.rulebook]}
COUNTS = {
    "six-star": 62,
    "fortune-six": 50,
    "super-six-plus": 38,
    "sands-elements": 47,
    "rapid": 42,
}


def test_the_rulebooks_have_this_many_clauses() -> None:
    assert {game.id: len(CLAUSES[game.rulebook]) for game in GAMES.values()} == COUNTS


def test_every_clause_is_claimed_by_code() -> None:
    assert ALL - set(code_claims()) == set()


def test_every_clause_is_proved_by_a_test() -> None:
    assert ALL - set(claims_of_tests("clause")) == set()


def test_no_claim_names_a_clause_that_does_not_exist() -> None:
    assert {str(claim) for claim in claims_of_tests("clause")} - ALL == set()
    cited = {claim for claim in code_claims() if not re.search(r" (house|reading \d+)$", claim)}
    assert cited - ALL == set()


def test_every_symbol_that_claims_a_clause_exists() -> None:
    for symbol in MEANINGS:
        floor = symbol.startswith(("domain.", "views."))
        above = "puntobanco_floor" if floor else "puntobanco.rules"
        assert resolve_name(f"{above}.{symbol}") is not None


def readings() -> dict[int, str]:
    """Number -> the level that decides it, from the readings page."""
    text = (ROOT / "docs/reference/rulebooks/readings.md").read_text("utf-8")
    return {
        int(n): where for n, where in re.findall(r"^\| (\d+) \|.*\| (\w+) \|$", text, re.MULTILINE)
    }


def test_the_readings_page_numbers_its_readings_without_a_gap() -> None:
    assert list(readings()) == list(range(1, READINGS + 1))


def test_every_reading_that_the_rules_or_the_table_decide_is_proved_by_a_test() -> None:
    decided = {number for number, where in readings().items() if where in ("rules", "table")}
    assert decided - set(claims_of_tests("reading")) == set()
    assert set(claims_of_tests("reading")) <= set(readings())


def test_readings_on_the_rules_pages_are_on_the_readings_page() -> None:
    assert {r.number for game in GAMES.values() for r in game.readings} <= set(readings())
