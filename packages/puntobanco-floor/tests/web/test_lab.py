"""The odds lab: its figures are the par sheet's, it never knows a live shoe, and nobody can make the floor slow with it."""

import asyncio
import csv
import io
import json
import math
import sys
import time
from collections.abc import Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from puntobanco.base.extras import has_numba
from puntobanco.base.refusal import ExtraNeeded
from puntobanco.base.words import Words
from puntobanco.cli import main
from puntobanco.odds.card_counting import removals
from puntobanco.odds.par import par_sheet
from puntobanco.odds.par_report import at_stake, number, sheet_csv, sheet_json
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Bet, Dollars, Game, Odds, Pays
from puntobanco.rules.games import GAMES, RAPID, SIX_STAR
from puntobanco.rules.hands import player, tie
from puntobanco.rules.refusals import BadRun
from puntobanco.sim.run import MAX_SEED, job_for, play
from puntobanco_floor.lab import lab_queue, lab_simulation
from puntobanco_floor.lab.comparison import compare_view
from puntobanco_floor.lab.lab_queue import Lab
from puntobanco_floor.lab.lab_simulation import LEAST_ROUNDS, MOST_PUBLIC_ROUNDS, MOST_ROUNDS
from puntobanco_floor.lab.refusals import LabIsBusy, NotDealtInTime
from puntobanco_floor.lab.sheets import method_view, removal_view, sheet_view
from tests.support.http import http
from tests.support.patience import wait_until
from tests.support.served import Served, api, staff_tokens

MADE = date(2026, 11, 15)
SHEETS = [(game, decks) for game in GAMES.values() for decks in (game.decks[0], game.default_decks)]
SHEET = "/api/odds/games/six-star/decks/8"
RUN = "/api/odds/games/rapid/decks/8/simulation?rounds=100000&seed=7"


@pytest.fixture(scope="module")
def token(served: Served) -> str:
    return staff_tokens(served, "dora")["dora"]


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Open to everybody, who may ask six times and then not again."""
    options = ("--demo", "--odds-lab", "public", "--odds-burst", "6", "--odds-rate", "0.01")
    found = Served(tmp_path_factory.mktemp("public"), *options)
    yield found
    found.stop()


# Figures


@pytest.mark.parametrize(("game", "decks"), SHEETS, ids=lambda x: getattr(x, "id", str(x)))
def test_every_figure_is_the_par_sheets(game: Game, decks: int) -> None:
    sheet = par_sheet(game, decks)
    view, told = sheet_view(sheet), sheet_json(sheet, made=MADE)
    assert (
        (view.rules, view.digest)
        == (told["rules"], told["rules_digest"])
        == (game.rules_id, digest(game))
    )
    for shown, odds in zip(view.bets, sheet.bets, strict=True):
        assert {"exact": shown.edge.exact, "decimal": shown.edge.decimal} == number(-odds.ev)
        assert shown.edge.text == f"{float(-odds.ev) * 100:.4f}%"
        assert {"exact": shown.hit.exact, "decimal": shown.hit.decimal} == number(odds.hit)
        assert sum(Fraction(r.probability.exact) for r in shown.results) == 1
        assert (
            sum(Fraction(r.probability.exact) * Fraction(r.net.exact) for r in shown.results)
            == odds.ev
        )
        for r in shown.results:
            assert float(r.probability.text.replace("−", "-")) == pytest.approx(
                float(r.probability.decimal), rel=1e-4, abs=5e-7
            )
        for at in shown.bonus.stakes if shown.bonus else ():
            expected: Any = at_stake(odds, Fraction(at.stake_cents, 100))
            assert {"exact": at.edge.exact, "decimal": at.edge.decimal} == expected["edge"]
            chances = [Fraction(r.probability.exact) for r in shown.results]
            assert sum(
                p * Fraction(n.exact) for p, n in zip(chances, at.nets, strict=True)
            ) == -Fraction(at.edge.exact)


def test_a_bonus_beside_several_pay_lines_is_taken_apart() -> None:
    bet = Bet(
        "lucky",
        Words("Lucky"),
        pays=(Pays(tie & player.points(6), Odds(30, 1)), Pays(tie, Odds(5, 1))),
        bonus=(Pays(tie & player.cards(3), Dollars(100)),),
    )
    sheet = par_sheet(RAPID.with_bets(bet, id="rapid-lucky", title="Rapid Lucky"), 8)
    shown, odds = sheet_view(sheet).bets[-1], sheet.bets[-1]
    chances = [Fraction(r.probability.exact) for r in shown.results]
    assert (len(chances), sum(chances)) == (5, 1)
    assert shown.bonus is not None
    for at in shown.bonus.stakes:
        mean = sum(p * Fraction(n.exact) for p, n in zip(chances, at.nets, strict=True))
        assert mean == odds.ev_at(Fraction(at.stake_cents, 100))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_chart_of_removal_has_the_effect_of_every_card(game: Game) -> None:
    found = removals(game, game.shoe(8))
    view = removal_view(game, 8, found)
    for shown, removal in zip(view.bets, found, strict=True):
        drawn = {Fraction(e.exact) for series in shown.series for e in series.effects}
        assert drawn == set(removal.effects.values())
        assert all(len(series.effects) == len(shown.kinds) for series in shown.series)


def test_a_comparison_has_the_par_sheets_figures_and_names_the_best_and_the_worst() -> None:
    sheets = {game.id: par_sheet(game, 8) for game in GAMES.values()}
    view = compare_view(list(GAMES.values()), sheets, 8, 500)
    for row in view.rows:
        offered = [
            (game, cell) for game, cell in zip(GAMES.values(), row.cells, strict=True) if cell
        ]
        edges = [Fraction(cell.edge.exact) for _, cell in offered]
        for game, cell in offered:
            odds = sheets[game.id].bet(cell.bet)
            edge = -odds.ev_at(Fraction(5)) if odds.bonus else -odds.ev
            assert (Fraction(cell.edge.exact), Fraction(cell.hit.exact)) == (edge, odds.hit)
            assert (cell.rank == "best") == (edge == min(edges) < max(edges))
            assert (cell.rank == "worst") == (edge == max(edges) > min(edges))
    assert sum(cell is not None for row in view.rows for cell in row.cells) == sum(
        len(g.bets) for g in GAMES.values()
    )
    assert view.lowest is not None
    assert view.highest is not None
    assert (view.lowest.title.en, view.lowest.edge.text) == ("Player", "1.1650%")
    assert (view.highest.title.en, view.highest.games) == ("Element Bonus", (SIX_STAR.title,))


def test_one_bet_under_two_names_is_one_row_and_what_is_not_allowed_says_so() -> None:
    allowed = {game.id: par_sheet(game, 9) for game in GAMES.values() if 9 in game.decks}
    view = compare_view(list(GAMES.values()), allowed, 9, 1_000)
    assert {game.game: game.refused.en for game in view.games if game.refused} == {
        "super-six-plus": "super-six-plus is played with 4 to 8 decks, not 9"
    }
    at = list(GAMES).index("super-six-plus")
    assert all(row.cells[at] is None for row in view.rows)
    eight = compare_view(
        list(GAMES.values()), {g.id: par_sheet(g, 8) for g in GAMES.values()}, 8, 1_000
    )
    six = next(row for row in eight.rows if row.row == "fortune-six")
    assert six.title.en == "Fortune Six / Super Six Plus"
    assert [cell and cell.bet for cell in six.cells] == [
        "fortune-six",
        "fortune-six",
        "super-six-plus",
        "fortune-six",
        None,
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_methods_sum_comes_to_the_edge_and_every_clause_is_one_of_the_rulebook(
    game: Game,
) -> None:
    view = method_view(par_sheet(game, game.default_decks))
    total = sum(
        Fraction(row.probability.exact) * Fraction(row.net.exact) for row in view.example.rows
    )
    assert total == Fraction(view.example.total.exact) == -Fraction(view.example.edge.exact)
    assert sum(Fraction(length.exact) for length in view.lengths) == 1
    cited = {line.clause for bet in game.bets for line in (*bet.pays, *bet.bonus)}
    assert cited <= {each.clause for each in view.clauses}
    assert len(view.readings) == len(game.readings)
    assert (view.rulebook, view.rules, view.digest) == (game.rulebook, game.rules_id, digest(game))


# Over HTTP


def test_the_games_of_this_floor_with_the_decks_they_allow(served: Served, token: str) -> None:
    status, found = api(served, "GET", "/api/odds/games", token)
    assert (status, found["public"], found["pdf"], found["simulates"]) == (200, False, True, True)
    assert [row["game"] for row in found["games"]] == list(GAMES)
    assert {row["game"]: row["decks"] for row in found["games"]} == {
        g.id: list(g.decks) for g in GAMES.values()
    }
    assert found["games"][0]["minimums"] == {"tie": 1_000}
    assert not found["games"][1]["minimums"]


def test_a_sheet_with_the_stake_asked_for_and_the_tables_minimum(
    served: Served, token: str
) -> None:
    status, found = api(served, "GET", f"{SHEET}?stake_cents=700", token)
    assert (status, found["decks"], found["cards"], found["rules"]) == (
        200,
        8,
        520,
        SIX_STAR.rules_id,
    )
    bet = next(bet for bet in found["bets"] if bet["bet"] == "tie")
    odds = par_sheet(SIX_STAR, 8).bet("tie")
    assert bet["bonus"]["break_even"] == {
        **number(odds.break_even_stake or Fraction(0)),
        "text": "$1.78",
    }
    assert bet["asked"]["edge"]["exact"] == number(-odds.ev_at(Fraction(7)))["exact"]
    assert (bet["minimum"]["stake_cents"], bet["minimum"]["edge"]["text"]) == (1_000, "11.7649%")


def test_edges_by_decks_and_what_a_card_less_does(served: Served, token: str) -> None:
    _, found = api(served, "GET", "/api/odds/games/six-star/edges", token)
    assert (found["decks"], found["limit"]["text"], found["rules"]) == (
        list(range(4, 11)),
        "25%",
        SIX_STAR.rules_id,
    )
    edges = {bet["bet"]: [e["text"] for e in bet["edges"]] for bet in found["bets"]}
    assert (edges["element-bonus"][0], edges["element-bonus"][4]) == ("25.4707%", "17.6806%")
    _, removal = api(served, "GET", f"{SHEET}/removal", token)
    six = next(bet for bet in removal["bets"] if bet["bet"] == "fortune-six")
    assert (six["by"], six["series"][0]["effects"][6]["text"]) == ("points", "−0.4113%")


def test_downloads_are_the_command_lines_with_the_rules_version(served: Served, token: str) -> None:
    bearer, sheet = f"Bearer {token}", par_sheet(SIX_STAR, 8)
    status, headers, body = http(
        served, "GET", f"{SHEET}/json?stake_cents=1000", Authorization=bearer
    )
    assert (status, {**json.loads(body), "made": "2026-11-15"}) == (
        200,
        sheet_json(sheet, stake=Fraction(10), made=MADE),
    )
    assert headers["Content-Disposition"] == 'attachment; filename="par-six-star-8-decks.json"'
    status, headers, body = http(served, "GET", f"{SHEET}/csv", Authorization=bearer)
    day = next(csv.DictReader(io.StringIO(body.decode())))["made"]
    assert (status, body.decode()) == (200, sheet_csv(sheet, made=date.fromisoformat(day)))
    assert {row["rules"] for row in csv.DictReader(io.StringIO(body.decode()))} == {
        SIX_STAR.rules_id
    }
    status, headers, body = http(
        served, "GET", f"{SHEET}/pdf?stake_cents=1500", Authorization=bearer
    )
    assert (status, headers["Content-Type"], body[:4]) == (200, "application/pdf", b"%PDF")


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("six-star/decks/3", 409, "is played with 4 to 10 decks"),
        ("super-six-plus/decks/9", 409, "4 to 8 decks"),
        ("blackjack/decks/8", 404, "no game blackjack"),
        ("six-star/decks/0", 400, ""),
        ("six-star/decks/999999", 400, ""),
        ("six-star/decks/8?stake_cents=0", 400, ""),
        ("six-star/decks/8?stake_cents=1000000000000", 400, ""),
        ("six-star/decks/8?stake_cents=x", 400, ""),
        ("..%2f..%2fx.py/decks/8", 404, ""),
        ("six-star/decks/8/removal?x=1", 200, ""),
    ],
)
def test_what_the_rulebook_does_not_allow_is_refused_in_words(
    served: Served, token: str, path: str, status: int, said: str
) -> None:
    found, answer = api(served, "GET", f"/api/odds/games/{path}", token)
    assert found == status or (found, status) == (400, 404), answer
    assert said in answer.get("reason", {}).get("en", "")


def test_all_games_side_by_side(served: Served, token: str) -> None:
    status, found = api(served, "GET", "/api/odds/compare?decks=8&stake_cents=500", token)
    assert (status, found["stake_cents"], found["bonus"][0]["en"]) == (200, 500, "Tie")
    assert [game["game"] for game in found["games"]] == list(GAMES)
    tie = next(row for row in found["rows"] if row["row"] == "tie")
    assert [cell["edge"]["text"] for cell in tie["cells"]] == [
        "9.2178%",
        "14.3596%",
        "14.3596%",
        "14.3119%",
        "14.3596%",
    ]
    assert [cell["rank"] for cell in tie["cells"]] == ["best", "worst", "worst", "", "worst"]
    nobody = api(served, "GET", "/api/odds/compare?decks=26", token)[1]
    assert (nobody["rows"], nobody["lowest"]) == ([], None)
    assert all("is played with" in game["refused"]["en"] for game in nobody["games"])
    for wrong in ("decks=0", "decks=999999", "decks=8&stake_cents=0", ""):
        assert api(served, "GET", f"/api/odds/compare?{wrong}", token)[0] == 400


def test_the_method_says_what_was_read(served: Served, token: str) -> None:
    _, found = api(served, "GET", "/api/odds/games/super-six-plus/decks/6/method", token)
    assert (found["decks"], found["cards"], found["rules"]) == (
        6,
        312,
        GAMES["super-six-plus"].rules_id,
    )
    assert found["orders"] == f"{math.perm(312, 6):,}"


# Simulation


@pytest.fixture(scope="module")
def _kernel() -> None:
    """Compiled before a server is asked: that takes seconds, and a busy machine has many of them."""
    play(job_for(RAPID, 8, 1), 0, 0)


dealing = pytest.mark.usefixtures("_kernel")


def command_line(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    with pytest.raises(SystemExit):
        main(("simulate", *arguments, "--json"))
    return json.loads(capsys.readouterr().out)


@dealing
@pytest.mark.parametrize("cut", [None, 14])
def test_a_simulation_is_the_command_lines(
    served: Served, token: str, capsys: pytest.CaptureFixture[str], cut: int | None
) -> None:
    query, options = (f"&cut={cut}", ("--cut-card", str(cut))) if cut else ("", ())
    status, headers, body = http(
        served, "GET", f"{RUN.replace('?', '/json?')}{query}", Authorization=f"Bearer {token}"
    )
    assert (status, headers["Content-Type"]) == (200, "application/json")
    assert (
        headers["Content-Disposition"]
        == 'attachment; filename="simulation-rapid-8-decks-seed-7.json"'
    )
    file = json.loads(body)
    told = command_line(capsys, "rapid", "--rounds", "1e5", "--seed", "7", *options)
    assert {name: file[name] for name in told if name != "seconds"} == {
        k: v for k, v in told.items() if k != "seconds"
    }
    _, view = api(served, "GET", RUN + query, token)
    assert (view["rounds"], view["shoes"], view["seed"], view["cut"]) == (
        told["rounds"],
        told["shoes"],
        "7",
        cut,
    )
    assert view["passed"] is (None if cut else True)
    for bet, other in zip(view["bets"], told["bets"], strict=True):
        assert 1 - float(Fraction(bet["simulated"]["exact"])) == pytest.approx(
            other["return"], abs=1e-12
        )
    assert [line["count"] for line in view["lines"]] == [
        f"{x['count']:,}" for b in told["bets"] for x in b["lines"]
    ]


@dealing
def test_a_simulated_bet_stands_beside_the_exact_one_and_says_in_words_whether_it_agrees(
    served: Served, token: str
) -> None:
    _, found = api(served, "GET", RUN, token)
    sheet = par_sheet(RAPID, 8)
    for bet in found["bets"]:
        odds = sheet.bet(bet["bet"])
        error = float(odds.variance / found["rounds"]) ** 0.5
        assert Fraction(bet["exact"]["exact"]) == -odds.ev
        assert float(bet["error"]["decimal"]) == pytest.approx(error)
        off = Fraction(bet["simulated"]["exact"]) + odds.ev
        assert Fraction(bet["difference"]["exact"]) == off
        assert bet["errors"] == pytest.approx(float(off) / error, abs=1e-5)
        assert bet["agrees"] is True
        assert bet["words"]["en"].startswith("agrees: ")
    assert found["words"]["en"].startswith("The simulation agrees with the exact odds")


@dealing
def test_the_same_seed_has_the_same_counts_and_another_has_others(
    served: Served, token: str
) -> None:
    def lines(seed: str) -> Any:
        return api(served, "GET", RUN.replace("seed=7", f"seed={seed}"), token)[1]["lines"]

    assert lines("7") == lines("007") != lines("8")
    assert lines(str(MAX_SEED)) != lines("8")


@dealing
def test_shoes_of_eight_decks_do_not_agree_with_the_odds_of_four() -> None:
    """The check, checked."""
    tally = play(job_for(RAPID, 8, 1), 0, 40_000)
    run = lab_simulation.simulated(
        par_sheet(RAPID, 4), tally, asked=LEAST_ROUNDS, seed=1, cut=None, seconds=1.0, made=MADE
    )
    assert run.view.passed is False
    assert run.view.words.en.startswith("The simulation does not agree")
    assert [bet.bet for bet in run.view.bets if not bet.agrees] == ["player-pair", "banker-pair"]


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("rounds=99999", 400, ""),
        ("rounds=50000001", 400, ""),
        ("rounds=many", 400, ""),
        ("seed=-1", 400, ""),
        ("seed=x", 400, ""),
        ("seed=1%0A", 400, ""),
        (f"seed={MAX_SEED + 1}", 409, "a seed is a whole number"),
        ("cut=5", 409, "a cut card lies 6 to 409 cards from the end"),
        ("cut=410", 409, "not 410"),
        ("cut=0", 400, ""),
    ],
)
def test_what_cannot_be_dealt_is_refused_in_words(
    served: Served, token: str, query: str, status: int, said: str
) -> None:
    found, answer = api(served, "GET", f"/api/odds/games/rapid/decks/8/simulation?{query}", token)
    assert (found, said in answer["reason"]["en"]) == (status, True), answer
    assert "Traceback" not in (served.folder / "log").read_text()


def test_a_run_has_bounds_that_the_lab_tells(served: Served, token: str) -> None:
    own = api(served, "GET", "/api/odds/games", token)[1]["simulation"]
    assert (own["least_rounds"], own["most_rounds"], own["most_seed"]) == (
        LEAST_ROUNDS,
        MOST_ROUNDS,
        str(MAX_SEED),
    )
    assert own["choices"][-1] == MOST_ROUNDS


# Who may ask, and how much


def test_staff_of_any_role_and_nobody_else(served: Served) -> None:
    guest = api(served, "POST", "/api/guest")[1]["token"]
    own = (
        "/api/odds/games",
        SHEET,
        f"{SHEET}/pdf",
        f"{SHEET}/method",
        "/api/odds/games/rapid/edges",
    )
    for path in (*own, "/api/odds/compare?decks=8", RUN, RUN.replace("?", "/json?")):
        assert api(served, "GET", path)[0] == api(served, "GET", path, guest)[0] == 401
    for token in staff_tokens(served).values():
        assert api(served, "GET", "/api/odds/games", token)[0] == 200


def test_a_public_lab_answers_strangers_and_not_without_end(public: Served) -> None:
    lab = api(public, "GET", "/api/odds/games")[1]
    assert lab["public"] is True
    most = lab["simulation"]["most_rounds"]
    assert most == lab["simulation"]["choices"][-1] == MOST_PUBLIC_ROUNDS
    status, answer = api(public, "GET", RUN.replace("100000", str(most + 1)))
    assert (status, answer["code"]) == (409, "too-many-rounds")
    assert "1,000,000 rounds at most" in answer["reason"]["en"]
    statuses = [api(public, "GET", SHEET)[0] for _ in range(6)]
    assert statuses == [200] * 4 + [429] * 2
    assert "Too many tries" in api(public, "GET", f"{SHEET}/pdf")[1]["reason"]["en"]


def test_where_it_is_off_there_is_nothing(tmp_path: Path) -> None:
    floor = Served(tmp_path, "--demo", "--odds-lab", "off")
    try:
        token = staff_tokens(floor, "ada")["ada"]
        for path in (
            "/odds",
            "/api/odds/games",
            SHEET,
            f"{SHEET}/json",
            "/api/odds/compare?decks=8",
            RUN,
        ):
            assert http(floor, "GET", path, Authorization=f"Bearer {token}")[0] == 404
    finally:
        floor.stop()


@pytest.mark.waits
def test_nothing_of_a_live_shoe_is_in_any_answer(served: Served, token: str) -> None:
    """While tables deal, a fresh shoe stays what it is: the same bytes every time."""
    paths = [
        SHEET,
        f"{SHEET}/removal",
        "/api/odds/games/six-star/edges",
        f"{SHEET}/json",
        f"{SHEET}/csv",
    ]
    bearer = f"Bearer {token}"
    first = [http(served, "GET", path, Authorization=bearer)[2] for path in paths]
    before = api(served, "GET", "/api/admin/tables", token)[1]
    wait_until(lambda: api(served, "GET", "/api/admin/tables", token)[1] != before, "another round")
    assert [http(served, "GET", path, Authorization=bearer)[2] for path in paths] == first


@dealing
@pytest.mark.waits
def test_the_floor_plays_on_while_everybody_asks(served: Served, token: str) -> None:
    paths = [
        f"/api/odds/games/{game}/decks/{decks}/removal" for game in GAMES for decks in (5, 6, 7)
    ]
    paths += [
        f"/api/odds/games/rapid/decks/8/simulation?rounds=5000000&seed={seed}" for seed in range(3)
    ]
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(api, served, "GET", path, token) for path in paths]
        between = 0
        while not all(one.done() for one in asked):
            assert http(served, "GET", "/healthz")[0] == 200
            between += 1
    assert {one.result()[0] for one in asked} <= {200, 429, 503}
    # A floor that computed in its loop would answer about once between two of these, on a machine of any speed.
    assert between > 3 * len(paths)


# The queue


def test_the_same_is_made_once_and_a_full_queue_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[int]()

    def slow(game: Game, decks: int) -> Any:
        made.append(decks)
        time.sleep(0.05)
        return par_sheet(game, decks)

    monkeypatch.setattr(lab_queue, "par_sheet", slow)

    async def scene() -> None:
        lab = Lab()
        together = await asyncio.gather(*(lab.as_csv(RAPID, 8, made=MADE) for _ in range(50)))
        assert (len(set(together)), made) == (1, [8])
        await lab.as_csv(RAPID, 8, made=MADE)
        assert made == [8]
        monkeypatch.setattr(lab_queue, "WAITING", 3)
        found = await asyncio.gather(
            *(lab.as_csv(RAPID, n, made=MADE) for n in range(4, 9)), return_exceptions=True
        )
        # eight is kept, three wait, one is too many
        assert sum(isinstance(one, LabIsBusy) for one in found) == 1
        assert isinstance(await lab.as_csv(RAPID, 7, made=MADE), str)

    asyncio.run(scene())


def test_a_sheet_is_there_before_what_was_asked_after_it() -> None:
    done = list[str]()

    async def noted(name: str, answer: Awaitable[object]) -> None:
        await answer
        done.append(name)

    async def scene() -> None:
        lab = Lab()
        sheet = lab.sheet(RAPID, 8, stake_cents=None, minimums={})
        await asyncio.gather(
            noted("sheet", sheet),
            noted("edges", lab.edges(RAPID)),
            noted("removal", lab.removal(RAPID, 8)),
        )

    asyncio.run(scene())
    assert done == ["sheet", "edges", "removal"]


def test_what_is_kept_is_bounded_and_a_failure_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_queue, "sheet_csv", lambda sheet, *, made: str(sheet))  # noqa: ARG005, PLW0108
    calls = list[int]()

    def fails_once(_: Game, decks: int) -> Any:
        calls.append(decks)
        if len(calls) == 1:
            raise LabIsBusy("slip")
        return decks

    monkeypatch.setattr(lab_queue, "par_sheet", fails_once)

    async def scene() -> None:
        lab = Lab()
        with pytest.raises(LabIsBusy, match="slip"):
            await lab.as_csv(RAPID, 0, made=MADE)
        for decks in (*range(lab_queue.KEPT + 1), 0, lab_queue.KEPT):
            assert await lab.as_csv(RAPID, decks, made=MADE) == str(decks)
        assert calls[1:] == [
            *range(lab_queue.KEPT + 1),
            0,
        ]  # the oldest was forgotten, the newest was not
        assert len(lab._kept["par"]) == lab_queue.KEPT

    asyncio.run(scene())


@dealing
@pytest.mark.waits
def test_sheets_have_their_turns_while_shoes_are_dealt_one_run_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = list[str]()
    monkeypatch.setattr(lab_simulation, "TURN_ROUNDS", 100)

    async def run(lab: Lab, seed: int) -> None:
        await lab.simulation(RAPID, 8, rounds=LEAST_ROUNDS, seed=seed, cut=None)
        done.append(f"run {seed}")

    async def scene() -> None:
        lab = Lab()
        await lab.simulation(RAPID, 8, rounds=LEAST_ROUNDS, seed=9, cut=None)  # the kernel is there
        runs = [asyncio.create_task(run(lab, seed)) for seed in (1, 2)]
        await asyncio.sleep(0.05)
        await lab.as_csv(RAPID, 6, made=MADE)
        done.append("sheet")
        await asyncio.gather(*runs)
        assert done == ["sheet", "run 1", "run 2"]
        with pytest.raises(BadRun, match="a cut card lies"):
            await lab.simulation(RAPID, 8, rounds=LEAST_ROUNDS, seed=1, cut=1)

    asyncio.run(scene())


@dealing
def test_a_run_that_takes_too_long_is_given_up_in_words_and_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        lab = Lab()
        monkeypatch.setattr(lab_simulation, "LIMIT_S", -1.0)
        with pytest.raises(NotDealtInTime, match="ask for fewer rounds"):
            await lab.simulation(RAPID, 8, rounds=LEAST_ROUNDS, seed=1, cut=None)
        monkeypatch.setattr(lab_simulation, "LIMIT_S", 30.0)
        run = await lab.simulation(RAPID, 8, rounds=LEAST_ROUNDS, seed=1, cut=None)
        assert run is await lab.simulation(RAPID, 8, rounds=LEAST_ROUNDS, seed=1, cut=None)

    asyncio.run(scene())


def test_without_the_report_extra_a_pdf_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_queue, "has", lambda _: False)
    with pytest.raises(ExtraNeeded, match=r"CSV and JSON are here; .* install the extra report: "):
        asyncio.run(Lab().as_pdf(RAPID, 8, None, made=MADE))


def test_without_numba_a_simulation_is_one_clear_line_and_exact_odds_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    has_numba.cache_clear()
    try:
        with pytest.raises(ExtraNeeded, match="install the extra fast: pip install"):
            asyncio.run(Lab().simulation(RAPID, 8, rounds=LEAST_ROUNDS, seed=1, cut=None))
        assert "player-pair" in asyncio.run(Lab().as_csv(RAPID, 8, made=MADE))
    finally:
        has_numba.cache_clear()


def test_a_sheet_is_small_on_the_wire() -> None:
    for game in GAMES.values():
        assert len(msgspec.json.encode(sheet_view(par_sheet(game, game.default_decks)))) < 32_000
