"""Limits of a table: at the limit and one past it; exposure against the sum; defaults against the odds."""

import dataclasses
from math import lcm

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from puntobanco import GAMES, Game
from puntobanco.base.money import MAX_STAKE_CENTS
from puntobanco.odds.par import LOWEST_RETURN, par_sheet
from puntobanco.rules.game import Dollars, Odds
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.refusals import BadLimits
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import (
    MAX_LIMIT_CENTS,
    closing,
    default_limits,
    limit_faults,
    verify_limits,
)
from puntobanco_proof.entry.format import canonical
from tests.support.claims import proves, reads
from tests.table.notation import Table, play

BEGUN = """
open-table {game} {limits}            -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
seat ben                              -> SessionSeated
buy ann 5000.00                       -> CreditsBought
buy ben 5000.00                       -> CreditsBought
open                                  -> BetsOpened
"""


def begun(limits: str, game: str = "fortune-six") -> Table:
    return play(BEGUN.format(game=game, limits=limits))


@reads(37)
def test_a_wager_is_taken_at_its_limits_and_refused_one_past_them(game: Game) -> None:
    play(
        """
wager ann player 19.00                -> refused limit-refused because "Min $20 here"
wager ann player 20.00                -> WagerPlaced
raise ann player 280.00               -> WagerRaised ann player 300.00
raise ann player 1.00                 -> refused limit-refused because "Max $300 here"
wager ben player 301.00               -> refused limit-refused
wager ben player 300.00               -> WagerPlaced
withdraw ben player 280.00            -> WagerWithdrawn ben player 20.00
withdraw ben player 1.00              -> refused limit-refused because "at least $20, in steps of $1"
withdraw ben player 21.00             -> refused limit-refused because "Only $20 lies here"
withdraw ben player                   -> WagerWithdrawn ben player 0.00
withdraw ben player                   -> refused limit-refused because "no wager"
credits ben 5000.00
""",
        begun("player=20.00-300.00/1.00", game.id),
    )


def test_a_wager_goes_in_steps() -> None:
    play(
        """
wager ann banker 20.10                -> refused limit-refused because "In steps of $5 here"
wager ann banker 24.99                -> refused limit-refused
wager ann banker 25.00                -> WagerPlaced
raise ann banker 2.50                 -> refused limit-refused
raise ann banker 5.00                 -> WagerRaised ann banker 30.00
withdraw ann banker 2.50              -> refused limit-refused because "in steps of $5"
withdraw ann banker 5.00              -> WagerWithdrawn ann banker 25.00
""",
        begun("banker=20.00-300.00/5.00"),
    )


@reads(37)
def test_a_bet_is_closed_alone_from_the_next_round_and_opened_again() -> None:
    """A wager that lies there plays; the amounts are kept, and so is everything else."""
    play(
        """
wager ann fortune-six 50.00           -> WagerPlaced
limits fortune-six=closed             -> ChangeScheduled limits
raise ann fortune-six 10.00           -> WagerRaised
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
line ann fortune-six loses 0.00
limits fortune-six=closed tie=closed  -> LimitsChanged asked dealer, LimitsChanged
open                                  -> BetsOpened
wager ann fortune-six 50.00           -> refused spot-closed because "Closed at this table"
wager ann fortune-six 0.01            -> refused spot-closed
wager ann tie 50.00                   -> refused spot-closed
raise ann tie 50.00                   -> refused limit-refused because "no wager"
wager ann banker 50.00                -> WagerPlaced
close                                 -> BetsClosed
card 9h                               -> CardDealt
card 2s                               -> CardDealt
card Tc                               -> CardDealt
card 4s                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
limits tie=closed                     -> LimitsChanged
open                                  -> BetsOpened
wager ann fortune-six 50.00           -> WagerPlaced
""",
        begun("player=20.00-300.00/1.00"),
    )


def test_a_closed_bet_is_named_before_the_patrons_own_limits() -> None:
    play("""
open-table fortune-six tie=closed     -> TableOpened
shoe physical                         -> ShoeStarted
seat ann loss=10.00                   -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann tie 50.00                   -> refused spot-closed
wager ann banker 50.00                -> refused patron-limit-reached
""")


@reads(37)
def test_player_and_banker_stay_open_and_every_other_bet_may_be_closed(game: Game) -> None:
    limits = default_limits(game)
    sides = {bet.id for bet in game.bets} - {"player", "banker"}
    verify_limits(game, closing(limits, sides))
    assert closing(closing(limits, sides), ()) == limits
    for bet in ("player", "banker"):
        with pytest.raises(
            BadLimits, match=f"{bet.title()} cannot be closed alone: stop the table instead"
        ):
            verify_limits(game, closing(limits, {bet}))
    with pytest.raises(BadLimits, match="lucky-red is no bet of this table"):
        closing(limits, {"lucky-red"})


def test_a_game_without_player_and_banker_leaves_some_bet_open() -> None:
    pairs = tuple(bet for bet in GAMES["fortune-six"].bets if bet.id.endswith("pair"))
    game = dataclasses.replace(GAMES["fortune-six"], id="pairs", bets=pairs)
    limits = default_limits(game)
    verify_limits(game, closing(limits, {pairs[0].id}))
    with pytest.raises(BadLimits, match="leaves some bet open"):
        verify_limits(game, closing(limits, {bet.id for bet in pairs}))


def test_limits_written_before_bets_could_be_closed_have_every_bet_open() -> None:
    limits = default_limits(GAMES["rapid"])
    before = canonical(limits).replace(b'"closed":false,', b"")
    assert b"closed" not in before
    assert msgspec.json.decode(before, type=e.Limits) == limits
    shut = closing(limits, {"tie"})
    assert msgspec.json.decode(canonical(shut), type=e.Limits) == shut != limits


def test_a_patron_s_wagers_in_a_round_have_a_maximum_together() -> None:
    play(
        """
wager ann banker 60.00                -> WagerPlaced
wager ann tie 40.00                   -> WagerPlaced
wager ann player 10.00                -> refused limit-refused because "at most $100"
raise ann tie 1.00                    -> refused limit-refused
withdraw ann banker 10.00             -> WagerWithdrawn
wager ann player 10.00                -> WagerPlaced
wager ben banker 100.00               -> WagerPlaced             # each patron has it whole
""",
        begun("patron=100.00"),
    )


def test_stakes_on_player_and_banker_may_lie_so_far_apart_and_no_further() -> None:
    """What brings the two nearer is always taken, and side bets never matter."""
    play(
        """
wager ann banker 100.00               -> WagerPlaced
wager ben banker 10.00                -> refused limit-refused because "at most $100 apart"
raise ann banker 1.00                 -> refused limit-refused
wager ben player 200.00               -> WagerPlaced
raise ben player 1.00                 -> refused limit-refused
wager ben tie 50.00                   -> WagerPlaced
withdraw ann banker                   -> WagerWithdrawn          # 200.00 apart: hers to take back, whatever ben has staked
raise ben player 1.00                 -> refused limit-refused   # nobody takes them further apart
wager ann banker 50.00                -> WagerPlaced             # 150.00: nearer than before
withdraw ben player 150.00            -> WagerWithdrawn
raise ann banker 110.00               -> refused limit-refused because "at most $100 apart"
""",
        begun("differential=100.00"),
    )


@proves(dealer_tables="5.7")
@reads(16, 21)
def test_before_the_close_a_wager_is_its_patrons_to_take_back_whatever_others_have_staked() -> None:
    """J1 of the rules audit: ben's stake is what keeps the sides near each other."""
    play(
        """
wager ann banker 100.00               -> WagerPlaced
wager ben player 150.00               -> WagerPlaced
raise ann banker 100.00               -> WagerRaised
withdraw ben player                   -> WagerWithdrawn
credits ben 5000.00
close                                 -> BetsClosed
withdraw ann banker                   -> refused withdrawal-too-late [5.7]
""",
        begun("differential=100.00"),
    )


def test_without_a_differential_nothing_blocks_either_side() -> None:
    play(
        """
wager ann banker 5000.00              -> WagerPlaced
wager ben player 5000.00              -> WagerPlaced
withdraw ann banker                   -> WagerWithdrawn
""",
        begun("exposure=100000.00"),
    )


@reads(37)
def test_exposure_is_taken_to_the_cent_and_refused_one_step_past_it() -> None:
    """Tie 8:1 and, once a patron, the larger Tie Bonus; Element Bonus 5000:1; Player 1.2:1."""
    play(
        """
wager ann tie 10.00                   -> WagerPlaced
exposure 30080.00
raise ann tie 10.00                   -> WagerRaised
exposure 30160.00
wager ben element-bonus 10.00         -> WagerPlaced
exposure 80160.00
wager ben tie 10.00                   -> refused limit-refused because "wager less"
wager ben player 100.00               -> WagerPlaced
exposure 80280.00
raise ben player 11.00                -> refused limit-refused because "can win at most $80,292 in a round"
raise ben player 10.00                -> WagerRaised
exposure 80292.00
raise ben player 1.00                 -> refused limit-refused
withdraw ann tie 10.00                -> WagerWithdrawn
exposure 80212.00
withdraw ann tie                      -> WagerWithdrawn
exposure 50132.00
wager ann tie 10.00                   -> WagerPlaced
exposure 80212.00
""",
        begun("exposure=80292.00", "six-star"),
    )


def test_a_stake_above_the_credits_is_refused_after_everything_else() -> None:
    play(
        """
wager ann player 5000.01              -> refused limit-refused
wager ann player 5000.00              -> WagerPlaced
credits ann 0.00
wager ann tie 10.00                   -> refused not-enough-credits because "You have $0; $10 is needed"
wager ann tie 9.00                    -> refused limit-refused
""",
        begun(""),
    )


def test_limits_change_between_rounds_only() -> None:
    """Asked for in a round, they change when it is over."""
    play(
        """
limits player=10.00-20.00/1.00        -> ChangeScheduled limits
wager ann player 21.00                -> WagerPlaced
close                                 -> BetsClosed
card 9s                               -> CardDealt p1
card 2h                               -> CardDealt b1
card Td                               -> CardDealt p2
card 4h                               -> CardDealt b2, TotalsAnnounced
settle                                -> RoundSettled
limits player=10.00-20.00/0.05        -> LimitsChanged asked dealer, LimitsChanged
limits player=20.00-10.00/1.00        -> refused bad-limits
open                                  -> BetsOpened
wager ann player 20.05                -> refused limit-refused
wager ann player 19.95                -> WagerPlaced
""",
        begun(""),
    )


# Exposure, kept step by step, is the sum

STEPS = st.tuples(
    st.sampled_from(["place", "raise", "withdraw"]),
    st.sampled_from(["ann", "ben", "cat"]),
    st.integers(min_value=0, max_value=6),
    st.sampled_from([1_000, 2_000, 5_000, 12_340]),
)


@settings(max_examples=60)
@given(game_id=st.sampled_from(list(GAMES)), steps=st.lists(STEPS, max_size=40))
def test_the_exposure_is_the_sum_over_wagers_after_any_steps(
    game_id: str, steps: list[tuple[str, str, int, int]]
) -> None:
    game, table = (
        GAMES[game_id],
        play(f"open-table {game_id} -> TableOpened\nshoe physical -> ShoeStarted"),
    )
    for session in ("ann", "ben", "cat"):
        table.do(c.SeatSession(by=session, session=session))
        table.do(c.BuyIn(by=session, session=session, cents=500_000))
    table.do(c.OpenBets(by="dealer"))
    for what, session, n, cents in steps:
        wager = {
            "by": session,
            "round": 1,
            "session": session,
            "bet": game.bets[n % len(game.bets)].id,
        }
        if what == "place":
            table.do(c.PlaceWager(stake_cents=cents, **wager))  # type: ignore[arg-type]
        elif what == "raise":
            table.do(c.RaiseWager(by_cents=cents, **wager))  # type: ignore[arg-type]
        else:
            table.do(c.WithdrawWager(by_cents=cents if cents > 1_000 else None, **wager))  # type: ignore[arg-type]
    assert table.state.round is not None
    wagers = table.state.round.wagers
    worst = 0
    for (_, id_), stake in wagers.items():
        bet = game.bet(id_)
        worst += max(line.pays.winnings(stake) for line in bet.pays if isinstance(line.pays, Odds))
        worst += max(
            (line.pays.cents for line in bet.bonus if isinstance(line.pays, Dollars)), default=0
        )
    assert table.state.round.exposure_cents == worst
    assert (
        sum(table.state.round.stakes.values())
        == sum(table.state.round.totals.values())
        == sum(wagers.values())
    )
    table.verify()


# Limits that cannot be a table's


def test_a_step_under_which_a_payout_is_not_whole_cents_is_refused_at_configuration() -> None:
    play("""
open-table fortune-six banker=10.00-50.00/0.01  -> refused bad-limits because "1 to 2 on it is not whole cents"
open-table fortune-six banker=10.00-50.00/0.02  -> TableOpened
""")
    play("""
open-table six-star banker=10.00-50.00/0.02     -> refused bad-limits because "1.2 to 1 on it is not whole cents"
open-table six-star banker=10.00-50.00/0.05     -> refused bad-limits because "use a multiple of $0.10"
open-table six-star player=10.00-50.00/0.02     -> refused bad-limits because "use a multiple of $0.05"
open-table six-star banker=10.00-50.00/0.10     -> TableOpened
""")


def test_every_step_that_a_bet_cannot_pay_is_refused_and_every_other_is_not(game: Game) -> None:
    limits = default_limits(game)
    for bet in game.bets:
        for step in range(1, 41):
            high = lcm(step, 100)
            own = e.BetLimits(min_cents=high, max_cents=high, step_cents=step)
            asked = replace(limits, bets=limits.bets | {bet.id: own})
            whole = all(step * line.pays.win % line.pays.risk == 0 for line in bet.pays)  # type: ignore[union-attr]
            if whole:
                verify_limits(game, asked)
                continue
            with pytest.raises(BadLimits, match="not payable"):
                verify_limits(game, asked)


WRONG = {
    "a bet left out": "limits name every bet",
    "a bet of another game": "is no bet",
    "no minimum": "a minimum is more than zero",
    "a minimum above the maximum": "no more than the maximum",
    "a maximum past a billion": "at most a billion",
    "no step": "not payable",
    "a minimum off the step": "the minimum of $10.50 is no multiple",
    "a maximum off the step": "the maximum of $50.50 is no multiple",
    "no patron's maximum": "a patron's maximum",
    "a patron's maximum past the last": "a patron's maximum",
    "no exposure": "the exposure",
    "exposure past the last": "the exposure",
    "a load below zero": "a staff load",
    "a differential of nothing": "a differential is more than zero",
}


def changed(game: Game, what: str) -> e.Limits:
    good = default_limits(game)
    own = {
        "no minimum": (0, 5_000, 100),
        "a minimum above the maximum": (5_100, 5_000, 100),
        "a maximum past a billion": (1_000, MAX_STAKE_CENTS + 100, 100),
        "no step": (1_000, 5_000, 0),
        "a minimum off the step": (1_050, 5_000, 100),
        "a maximum off the step": (1_000, 5_050, 100),
    }.get(what)
    if own:
        least, most, step = own
        one = e.BetLimits(min_cents=least, max_cents=most, step_cents=step)
        return replace(good, bets=good.bets | {"tie": one})
    match what:
        case "a bet left out":
            return replace(good, bets={id_: own for id_, own in good.bets.items() if id_ != "tie"})
        case "a bet of another game":
            return replace(good, bets=good.bets | {"lucky-red": good.bets["tie"]})
        case "no patron's maximum" | "a patron's maximum past the last":
            return replace(
                good, patron_max_cents=0 if what.startswith("no") else MAX_LIMIT_CENTS + 1
            )
        case "no exposure" | "exposure past the last":
            return replace(
                good, exposure_max_cents=0 if what.startswith("no") else MAX_LIMIT_CENTS + 1
            )
        case "a load below zero":
            return replace(good, staff_load_cents=-1)
    return replace(good, differential_cents=0)


@reads(37)
@pytest.mark.parametrize("what", WRONG)
def test_a_table_does_not_open_with_limits_that_contradict_themselves(
    game: Game, what: str
) -> None:
    limits = changed(game, what)
    events, answer = Table().do(c.OpenTable(by="pit", game=game.id, limits=limits))
    assert events == []
    assert answer is not None
    assert answer.code == "bad-limits"
    assert WRONG[what] in answer.words.en


def test_the_largest_limits_are_good(game: Game) -> None:
    good = default_limits(game)
    top = e.BetLimits(min_cents=100, max_cents=MAX_STAKE_CENTS, step_cents=100)
    verify_limits(
        game,
        replace(
            good,
            bets=good.bets | {"tie": top},
            patron_max_cents=MAX_LIMIT_CENTS,
            exposure_max_cents=MAX_LIMIT_CENTS,
        ),
    )


# Defaults


def test_the_default_limits_are_good_and_no_default_wager_wins_more_than_a_quarter_million(
    game: Game,
) -> None:
    limits = default_limits(game)
    verify_limits(game, limits)
    for bet in game.bets:
        own = limits.bets[bet.id]
        assert own.min_cents >= 1_000
        assert bet.exposure_cents(own.max_cents) <= 25_000_000


@pytest.mark.long
def test_the_default_tie_minimum_of_six_star_is_above_the_break_even_stake() -> None:
    """Below it the fixed bonuses are worth more than the wager costs."""
    game = GAMES["six-star"]
    least = default_limits(game).bets["tie"].min_cents
    for decks in range(6, 11):
        tie = par_sheet(game, decks).bet("tie")
        assert tie.break_even_stake is not None
        assert 100 * tie.break_even_stake < least
        assert tie.ev_at(tie.break_even_stake) == 0 > tie.ev_at(2 * tie.break_even_stake)


@pytest.mark.long
def test_six_decks_are_the_fewest_from_which_every_six_star_bet_returns_enough() -> None:
    """With four, Element Bonus returns less than the 75 % that every wager should."""
    sheets = {decks: par_sheet(GAMES["six-star"], decks) for decks in range(4, 11)}
    low = {
        decks: [odds.bet.id for odds in sheet.bets if 1 + odds.ev < LOWEST_RETURN]
        for decks, sheet in sheets.items()
    }
    assert low[4] == ["element-bonus"]
    assert not any(low[decks] for decks in range(6, 11))


def test_a_table_plays_six_decks_or_more_where_nobody_says_otherwise(game: Game) -> None:
    assert game.default_decks >= 6
    table = play(f"open-table {game.id} -> TableOpened\nshoe physical -> ShoeStarted")
    assert table.state.shoe is not None
    assert table.state.shoe.decks == game.default_decks


def test_everything_that_is_wrong_with_limits_is_said_by_field() -> None:
    """A form shows each beside its field; a refusal says the first."""
    limits = default_limits(GAMES["six-star"])
    odd = replace(limits.bets["tie"], min_cents=1_001, max_cents=5_001)
    wrong = replace(
        limits, bets={**limits.bets, "tie": odd}, exposure_max_cents=0, hand_pay_cents=-1
    )
    found = dict(limit_faults(GAMES["six-star"], wrong))
    assert list(found) == [
        "bets.tie.min_cents",
        "bets.tie.max_cents",
        "exposure_max_cents",
        "hand_pay_cents",
    ]
    with pytest.raises(BadLimits) as refused:
        verify_limits(GAMES["six-star"], wrong)
    assert refused.value.reason == found["bets.tie.min_cents"]
    assert list(limit_faults(GAMES["six-star"], limits)) == []
