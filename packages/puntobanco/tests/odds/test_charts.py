"""Charts of a par sheet: one bar for each net result, and only the bets that were asked for."""

import re
from datetime import date
from fractions import Fraction

from puntobanco import GAMES, Bet, Game, Odds, Pays, Words, banker, player, tie
from puntobanco.odds.charts import edge_by_decks, results
from puntobanco.odds.par import par_sheet
from puntobanco.odds.par_report import bets_only, document

EVENS = Odds(1, 1)


def game_with(*bets: Bet) -> Game:
    return GAMES["rapid"].with_bets(*bets, id="mine", title="Mine")


def bet(id_: str, title: str, *pays: Pays) -> Bet:
    return Bet(id_, Words(title), pays=pays)


def bars(svg: str, title: str) -> list[str]:
    """The names of the bars of one bet, as they stand on the axis."""
    return re.findall(rf">({re.escape(title)} [^<]*)</text>", svg)


def test_two_lines_that_pay_the_same_are_one_result() -> None:
    game = game_with(
        bet(
            "x",
            "Same",
            Pays(player.wins & player.pair, EVENS),
            Pays(banker.pair, Odds(2, 1)),
            Pays(player.wins, EVENS),
        )
    )
    odds = par_sheet(game, 8).bet("x")
    first, second, third = (line.probability for line in odds.lines)
    assert odds.results == {
        Fraction(2): second,
        Fraction(1): first + third,
        Fraction(-1): odds.lose,
    }
    assert sum(odds.results.values()) == 1
    drawn = results(par_sheet(game, 8)).svg
    assert bars(drawn, "Same") == ["Same  +2", "Same  +1", "Same  -1"]
    assert drawn.count(f">{float(first + third) * 100:.4g} %<") == 1
    assert f">{float(first) * 100:.4g} %<" not in drawn


def test_the_mean_and_the_variance_are_those_of_the_results() -> None:
    for game in GAMES.values():
        for odds in par_sheet(game, 8).bets:
            mean = sum((net * chance for net, chance in odds.results.items()), Fraction(0))
            assert mean == odds.ev
            assert (
                sum((net**2 * chance for net, chance in odds.results.items()), -(mean**2))
                == odds.variance
            )
            assert list(odds.results) == sorted(odds.results, reverse=True)


def test_two_bets_of_one_title_are_told_apart_by_their_ids() -> None:
    game = game_with(
        bet("one", "Twin", Pays(tie, EVENS)), bet("two", "Twin", Pays(player.wins, EVENS))
    )
    drawn = results(par_sheet(game, 8)).svg
    assert bars(drawn, "Twin") == [
        "Twin (one)  +1",
        "Twin (one)  -1",
        "Twin (two)  +1",
        "Twin (two)  -1",
    ]
    assert "Twin (one)" in edge_by_decks(game, ("one", "two")).svg


def test_a_sheet_of_one_bet_draws_and_cites_that_bet_alone() -> None:
    sheet = bets_only(par_sheet(GAMES["six-star"], 8), ["fortune-six"])
    made = document(sheet, made=date(2026, 11, 15))
    assert all("Player" not in chart.svg and "Fortune Six" in chart.svg for chart in made.charts)
    [clauses] = [table for table in made.appendix if table.title == "Clauses cited"]
    cited = {row[0] for row in clauses.rows}
    assert "4.1" in cited
    assert "4.3" not in cited, "the Tie Bonus is of another bet"
