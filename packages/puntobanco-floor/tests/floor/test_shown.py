"""What a terminal shows of a game: its layout with every price, the play, house policy, what happens after a fault."""

import html
import json
import re
import subprocess

import msgspec
import pytest

from puntobanco import GAMES, Game
from puntobanco.rules.readings import MALFUNCTION_POLICY
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.views.game_view import rules_view
from puntobanco_floor.views.table_view import session_view, table_view
from tests.support.claims import proves, reads
from tests.support.node import needs_node
from tests.table.notation import Table
from tests.table.test_clauses import CLOSED, PLAYER_WINS, at, begun
from tools.tree import ROOT

TERMINAL_GAMES = ("rapid", "super-six-plus")  # the two rulebooks that put the game on a terminal


def welcome(table: Table) -> wire.Welcome:
    view = table_view(table.state)
    assert view is not None
    return wire.Welcome(
        protocol=wire.PROTOCOL, now=table.now, table=view, session=session_view(table.stream, "ann")
    )


def drawn(table: Table, *, sheet: str = "", lang: str = "en") -> str:
    """The words on a terminal at this table, as its patron reads them."""
    rules = rules_view(table.state.playing, voucher_days=45)
    asked = [{"message": welcome(table), "sheet": sheet, "rules": rules, "lang": lang}]
    done = subprocess.run(
        ["node", "packages/puntobanco-floor/tests/screens/drawn.js"],
        cwd=ROOT,
        input=msgspec.json.encode(asked),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-2_000:]
    [page] = json.loads(done.stdout)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", page)))


@needs_node
@proves(super_six_plus="2.1 2.1.1 4.1 4.1.1", rapid="2.2")
@pytest.mark.parametrize("game_id", TERMINAL_GAMES)
def test_the_layout_is_on_the_terminal_with_every_bet_and_what_it_pays(game_id: str) -> None:
    game, page = GAMES[game_id], drawn(begun(game_id))
    for bet in game.bets:
        assert bet.title.en in page, bet.id
        for line in bet.pays:
            odds = line.pays.words.en.removesuffix(" to 1")
            assert re.search(rf"\b{re.escape(odds)}\b", page), f"{bet.id} pays {line.pays.words.en}"


@needs_node
@proves(super_six_plus="2.1 2.1.1")
@pytest.mark.parametrize("game_id", TERMINAL_GAMES)
def test_the_game_is_seen_on_the_terminal_from_the_opening_to_the_result(game_id: str) -> None:
    words = GAMES[game_id].announcements
    assert words.open in drawn(begun(game_id, "open -> BetsOpened"))
    assert words.close in drawn(begun(game_id, CLOSED))
    over = drawn(begun(game_id, PLAYER_WINS))
    assert "Player wins" in over
    assert "9" in over
    assert "6" in over


@needs_node
@reads(16)
def test_limits_of_the_house_are_shown_as_house_policy_in_both_languages() -> None:
    table = at("rapid", "open-table {game} patron=1234.00 differential=567.00 -> TableOpened")
    english, chinese = drawn(table, sheet="rules"), drawn(table, sheet="rules", lang="zh")
    assert "House policy at this table" in english
    assert "One patron's wagers in a round: at most $1,234" in english
    assert "Player and Banker: at most $567 apart" in english
    assert "本賭枱的本場規定" in chinese
    assert "$1,234" in chinese
    assert "$567" in chinese
    without = drawn(at("rapid", "open-table {game} patron=1234.00 -> TableOpened"), sheet="rules")
    assert "apart" not in without


@needs_node
@reads(37, 39, 47)
def test_before_betting_a_patron_reads_every_limit_and_how_winnings_are_paid() -> None:
    """D12 and section 7 of the rules audit."""
    opened = (
        "open-table {game} patron=1234.00 exposure=9876.00 tie=20.00-300.00/5.00 -> TableOpened"
    )
    table = at("rapid", opened)
    english, chinese = drawn(table, sheet="rules"), drawn(table, sheet="rules", lang="zh")
    for said in (
        "Tie $20 $300 $5",
        "All wagers at this table together can win at most $9,876 in a round",
        "Until bets close a wager may be taken back, whatever others have staked.",
        "More than $10,000 is paid out by hand, by two of the staff, and not as a voucher.",
        "A voucher is good for 45 days.",
        "may ask for a review of the round within 7 days: on the terminal, from the past round",
        "A round that was paid may be reopened until bets open again, by two people",
        "set off against what it then pays",
    ):
        assert said in english, said
    for said in (
        "和 $20 $300 $5",
        "每局全部投注可贏總額最多 $9,876",
        "截止投注前可撤回投注",
        "兌現超過 $10,000 者由兩名職員人手支付",
        "票券有效期為 45 日",
        "可於 7 日內要求覆核該局：在座時於終端機的牌局記錄提出",
        "可由兩名職員重開",
    ):
        assert said in chinese, said


def test_the_limits_are_in_the_view() -> None:
    table = at("rapid", "open-table {game} patron=1234.00 exposure=9876.00 -> TableOpened")
    view = table_view(table.state)
    assert view is not None
    assert (view.patron_max_cents, view.differential_cents) == (123_400, None)
    assert (view.exposure_max_cents, view.hand_pay_cents) == (987_600, 1_000_000)


@needs_node
@reads(31)
def test_every_terminal_shows_the_policy_on_faults(game: Game) -> None:
    table = at(game, "open-table {game} -> TableOpened")
    policy = MALFUNCTION_POLICY.text
    assert policy.en in drawn(table, sheet="rules")
    assert policy.zh in drawn(table, sheet="rules", lang="zh")


@reads(31)
def test_what_the_policy_says_of_a_declared_malfunction_is_what_happens(game: Game) -> None:
    """Text and table together: two people let it go on, or make it void; what was settled stands."""
    said = MALFUNCTION_POLICY.text.en
    assert "two people decide whether the round goes on or is void" in said
    table = begun(
        game, PLAYER_WINS, CLOSED.replace("ann banker", "ann tie").replace("100.00", "50.00")
    )
    before = {
        name: cents for name, cents in table.stream.balances.items() if name.startswith("session:")
    }
    at(
        game,
        """
declare malfunction "power cut"       -> IrregularityDeclared malfunction
resume by=sup                         -> Proposed 1
approve 1 by=sup                      -> refused second-person-needed
approve 1 by=pit                      -> ProposalApproved, RoundResumed
card 9s                               -> CardDealt p1
declare malfunction                   -> IrregularityDeclared malfunction
void by=sup                           -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundVoided malfunction
""",
        table,
    )
    assert "all wagers on it are returned" in said
    assert "Rounds that were settled stand" in said
    after = {
        name: cents for name, cents in table.stream.balances.items() if name.startswith("session:")
    }
    assert sum(after.values()) == sum(before.values()) + 10_000, (
        "the stakes of the void round, and nothing else"
    )
