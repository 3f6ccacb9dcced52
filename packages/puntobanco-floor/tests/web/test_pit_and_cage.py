"""The dealer's view, the pit's board and the cage's window over HTTP."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import puntobanco_floor.domain.events as e
from puntobanco.rules.games import GAMES
from puntobanco.rules.irregularities import OF_THE_HOUSE
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.client import Terminal
from puntobanco_floor.store.reader import reading
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.served import Served, api, asked, cage, open_shift, staff_tokens


@pytest.fixture(scope="module")
def tokens(served: Served) -> dict[str, str]:
    return staff_tokens(served)


def view(served: Served, token: str) -> Any:
    status, found = api(served, "GET", "/api/staff/tables/6", token)
    assert status == 200, found
    return found


CARDS = ["2h", "9s", "3d", "Tc", "2c"]


def follow(served: Served, token: str, cards: Iterator[str]) -> str:
    """Do the next thing that the view says."""
    [action] = view(served, token)["next"]
    fields: dict[str, Any] = {"card": next(cards)} if action["command"] == "enter-card" else {}
    assert action["why"]
    assert action["clause"], action
    id_ = f"led-{time.monotonic_ns()}"
    status, answer = asked(served, token, id_, action["command"], **fields)
    assert (status, answer["ok"]) == (200, True), answer
    return f"{action['command']} {action['slot']}".strip()


def test_a_dealer_is_led_through_a_round_by_what_the_view_says(
    served: Served, tokens: dict[str, str]
) -> None:
    dora = tokens["dora"]
    while view(served, dora)["next"][0]["command"] != "open-bets":  # a test before left a round
        follow(served, dora, iter(CARDS))
    cards = iter(CARDS)
    done = list[str]()
    while not done or done[-1] != "settle":
        done.append(follow(served, dora, cards))
    assert done == [
        "open-bets",
        "close-bets",
        "enter-card p1",
        "enter-card b1",
        "enter-card p2",
        "enter-card b2",
        "settle",
    ]


def test_the_keypad_has_the_cards_of_the_set_and_the_wizard_only_this_games_grounds(
    served: Served, tokens: dict[str, str]
) -> None:
    for number, game in enumerate(GAMES.values(), 1):
        status, found = api(served, "GET", f"/api/staff/tables/{number}", tokens["dora"])
        assert status == 200
        assert len(found["deck"]) == len(game.deck)
        named = [ground["ground"] for ground in found["grounds"]]
        expected = [*game.irregularities, *OF_THE_HOUSE]
        assert named == [i.ground.id for i in expected]
        assert [ground["clause"] for ground in found["grounds"]] == [i.clause for i in expected]


def test_a_stopped_round_waits_for_two_and_the_view_says_so(
    served: Served, tokens: dict[str, str]
) -> None:
    dora, sam, sue = tokens["dora"], tokens["sam"], tokens["sue"]
    for n, what in enumerate(["open-bets", "close-bets"]):
        asked(served, dora, f"stop-{n}", what)
    early = asked(served, dora, "stop-early", "declare-irregularity", ground="wrong-card-count")[1]
    assert early["code"] == "ground-does-not-apply", (
        "while no card is dealt it was an earlier round's (reading 44)"
    )
    assert asked(served, dora, "stop-card", "enter-card", card="9s")[1]["ok"]
    assert asked(served, dora, "stop-declare", "declare-irregularity", ground="wrong-card-count")[
        1
    ]["ok"]
    assert [action["command"] for action in view(served, dora)["next"]] == [
        "reconstruct",
        "void-round",
        "resume",
    ]
    proposal = asked(served, sam, "stop-void", "void-round")[1]["proposal"]
    [waiting] = view(served, dora)["proposals"]
    assert (waiting["proposal"], waiting["by"], waiting["command"]["command"]) == (
        proposal,
        "sam",
        "void-round",
    )
    assert asked(served, sue, "stop-ok", "approve", proposal=proposal)[1]["ok"]
    assert view(served, dora)["next"][0]["command"] == "open-bets"
    assert all(g["refused"] or g["ground"] for g in view(served, dora)["grounds"])


def test_a_side_bet_is_closed_for_everybody_and_opened_again(
    served: Served, tokens: dict[str, str]
) -> None:
    """At the dealer's table, between rounds; the other limits stay as they were."""
    dora, sam, path = tokens["dora"], tokens["sam"], "/api/admin/tables/6"
    before = next(
        row for row in api(served, "GET", "/api/admin/tables", sam)[1] if row["table"] == "table:6"
    )["limits"]
    for closed, reason in ((["banker"], "stop the table instead"), (["lucky-red"], "is no bet")):
        status, answer = api(served, "POST", path, sam, {"closed": closed})
        assert (status, answer["code"]) == (409, "bad-limits")
        assert reason in answer["reason"]["en"]
    bets = {**before["bets"], "tie": {**before["bets"]["tie"], "min_cents": 1, "step_cents": 100}}
    wrong = {**before, "bets": bets, "patron_max_cents": 0}
    answer = api(served, "POST", path, sam, {"limits": wrong})[1]
    assert answer["fields"].keys() == {"bets.tie.min_cents", "patron_max_cents"}
    assert answer["reason"]["en"] == answer["fields"]["bets.tie.min_cents"], "each by its field"
    slow = {"clock": {"automatic": True, "betting_ms": 1_000}}
    assert api(served, "POST", path, sam, slow)[1]["fields"].keys() == {"pause_ms"}
    assert api(served, "POST", path, tokens["carl"], {"closed": ["tie"]})[0] == 403

    async def tries(id_: str) -> list[tuple[bool, str]]:
        async with Terminal(served.address, table=6) as terminal:
            await terminal.seat()
            opened = await asyncio.to_thread(asked, served, dora, f"{id_}-open", "open-bets")
            assert opened[1]["ok"], opened
            await terminal.betting()
            said = [await terminal.place(bet, 1_000) for bet in ("tie", "banker")]
            for n, what in enumerate(
                [
                    "close-bets",
                    *(f"enter-card {card}" for card in ("9s", "2h", "Td", "4h")),
                    "settle",
                ]
            ):
                command, _, card = what.partition(" ")
                fields: dict[str, Any] = {"card": card} if card else {}
                assert (
                    await asyncio.to_thread(asked, served, dora, f"{id_}-{n}", command, **fields)
                )[1]["ok"]
            return [(answer.ok, answer.code) for answer in said]

    row = api(served, "POST", path, sam, {"closed": ["tie"]})[1]
    assert row["limits"]["bets"]["tie"] == before["bets"]["tie"] | {"closed": True}
    assert asyncio.run(tries("shut")) == [(False, "spot-closed"), (True, "")]
    board = api(served, "GET", "/api/staff/pit", sam)[1]["tables"][5]
    assert [bet["bet"] for bet in board["bets"] if bet["closed"]] == ["tie"]
    assert [bet["bet"] for bet in board["bets"] if not bet["closable"]] == ["player", "banker"]
    assert api(served, "POST", path, sam, {"closed": []})[1]["limits"] == before
    assert asyncio.run(tries("open")) == [(True, ""), (True, "")]


def test_the_board_has_every_table_and_the_edges_of_closed_rounds_only(
    served: Served, tokens: dict[str, str]
) -> None:
    async def play() -> int:
        async with Terminal(served.address, table=2) as terminal:
            await terminal.seat()
            for _ in range(3):
                await terminal.betting()
                if (await terminal.place("fortune-six", 1_000)).ok:
                    break
            await terminal.until(lambda: terminal.mine and terminal.mine.lines)
            assert terminal.table is not None
            return terminal.table.round

    round_ = asyncio.run(play())
    until = time.monotonic() + PATIENCE_S
    while True:
        status, board = api(served, "GET", "/api/staff/pit", tokens["sam"])
        assert status == 200
        row = board["tables"][1]
        if (row["returns"] and row["figures"]["staked_cents"]) or time.monotonic() > until:
            break
        time.sleep(0.3)
    assert [table["table"] for table in board["tables"]] == [f"table:{n}" for n in range(1, 7)]
    assert (board["demo"], board["house"]) == (True, "Demonstration")
    assert row["figures"]["drop_cents"] >= 100_000
    assert row["figures"]["staked_cents"] >= 1_000
    assert {bet["bet"] for bet in row["returns"]} == {bet.id for bet in GAMES["fortune-six"].bets}
    while True:
        path = f"/api/staff/tables/2/rounds/{round_}/edges"
        status, found = api(served, "GET", path, tokens["sam"])
        if status == 200:
            break
        assert "told while no bets are open" in found["reason"]["en"], found
        time.sleep(0.1)
    assert {edge["bet"] for edge in found["edges"]} == {bet.id for bet in GAMES["fortune-six"].bets}
    assert all(-0.5 < edge["edge"] < 0.2 for edge in found["edges"])
    assert asked(served, tokens["dora"], "edge-open", "open-bets")[1]["ok"]
    open_round = api(served, "GET", "/api/tables/6")[1]["round"]
    assert (
        api(served, "GET", f"/api/staff/tables/6/rounds/{open_round}/edges", tokens["sam"])[0]
        == 404
    )
    assert (
        api(served, "GET", f"/api/staff/tables/6/rounds/{open_round}/edges", tokens["dora"])[0]
        == 403
    )


def window(served: Served, token: str, number: int = 1) -> Any:
    status, found = api(served, "GET", f"/api/staff/cage/{number}", token)
    assert status == 200, found
    return found


def journal_of(served: Served, stream: str) -> str:
    """The last entries of a stream as they are written."""
    with closing(sqlite3.connect(served.database)) as db:
        rows = db.execute(
            "SELECT data FROM entries WHERE stream = ? ORDER BY seq DESC LIMIT 3", (stream,)
        ).fetchall()
    return " ".join(data.decode() for (data,) in rows)


def bank(served: Served, token: str) -> set[int]:
    """Every figure of a window's view, but for what the house owes and what waits."""
    view = window(served, token)
    told = {
        name: view[name]
        for name in view
        if name not in ("sessions", "payments", "hand_pays", "hand_pay_cents")
    }
    owed = {"credits_cents", "vouchers_cents", "liability_cents", "vouchers_open", "sessions_total"}
    return {value for name, value in told.items() if isinstance(value, int) and name not in owed}


def at_the_window(served: Served, token: str) -> None:
    """With a shift: another test may have left one open, or be played in another process."""
    if not window(served, token)["cashier"]:
        open_shift(served, token, 1, 50_000)


def with_nobody_there(served: Served, tokens: dict[str, str]) -> None:
    if window(served, tokens["carl"])["cashier"]:
        for what, name in (("count", "carl"), ("confirm", "sam")):
            id_ = f"{what}-{time.monotonic_ns()}"
            assert cage(served, tokens[name], what, id_, cents=0)[0] == 200


def test_a_shift_sells_pays_and_is_counted_by_two(served: Served, tokens: dict[str, str]) -> None:
    carl, sam = tokens["carl"], tokens["sam"]
    with_nobody_there(served, tokens)
    assert cage(served, carl, "open", "o1", cents=100_000)[0] == 200
    status, paper = cage(served, carl, "sell", "s1", cents=20_000)
    assert (status, paper["cents"], paper["demo"]) == (200, 20_000, True)
    assert cage(served, carl, "sell", "s1", cents=20_000)[1]["number"] == paper["number"], (
        "the same id, the same voucher"
    )

    guest = api(served, "POST", "/api/guest")[1]["token"]
    session = api(served, "POST", "/api/tables/6/redeem", guest, {"number": paper["number"]})[1]
    assert session["balance_cents"] == 20_000
    assert asked(served, carl, "at-table", "buy-in", session=session["session"], cents=5_000)[1][
        "ok"
    ]
    out = api(served, "POST", "/api/tables/6/cash-out", guest, {"id": "home"})[1]
    assert out["cents"] == 25_000
    assert cage(served, carl, "pay", "p1", number=out["shown"])[0] == 200
    status, problem = cage(served, carl, "pay", "p2", number=out["number"])
    assert (status, problem["code"]) == (409, "voucher-refused")

    drawer = 100_000 + 20_000 - 25_000 + 5_000
    assert window(served, sam)["cashier"] == "carl"
    assert cage(served, carl, "count", "c1", cents=drawer)[0] == 200
    assert cage(served, carl, "confirm", "c2", cents=drawer)[1]["code"] == "second-person-needed"
    status, answer = cage(served, sam, "confirm", "c3", cents=drawer - 1)
    assert (status, answer["ok"]) == (200, True)
    for token in (carl, sam):
        assert not bank(served, token) & {drawer, drawer - 1, 100_000, 20_000, 25_000}, (
            "who counts, counts blind"
        )
    view = window(served, sam)
    assert (view["cashier"], view["counted"], view["closed"]) == ("carl", False, None), (
        "both count again"
    )
    assert cage(served, sam, "confirm", "c4", cents=drawer)[1]["code"] == "not-at-the-window", (
        "the cashier is first"
    )
    assert cage(served, carl, "count", "c5", cents=drawer - 100)[0] == 200
    assert cage(served, sam, "confirm", "c6", cents=drawer - 100)[0] == 200
    view = window(served, carl)
    closed = view["closed"]
    assert (view["cashier"], closed["cashier"], closed["by"]) == ("", "carl", "sam")
    assert (closed["float_cents"], closed["in_cents"], closed["out_cents"]) == (
        100_000,
        25_000,
        25_000,
    )
    assert (closed["expected_cents"], closed["counted_cents"], closed["difference_cents"]) == (
        drawer,
        drawer - 100,
        -100,
    )
    assert cage(served, tokens["dora"], "open", "o2", cents=1)[0] == 403


def test_no_cash_moves_without_a_shift_and_a_window_has_one_cashier(
    served: Served, tokens: dict[str, str]
) -> None:
    carl = tokens["carl"]
    with_nobody_there(served, tokens)
    guest = api(served, "POST", "/api/guest")[1]["token"]
    session = api(served, "POST", "/api/tables/6/seat", guest)[1]["session"]
    for n, (what, fields) in enumerate(
        {"buy-in": {"cents": 100}, "load-credits": {"cents": 100}, "cash-out": {}}.items()
    ):
        status, problem = asked(served, carl, f"none-{n}", what, session=session, **fields)
        assert (status, problem["code"]) == (409, "no-open-shift"), problem
        assert "open one at a cage window" in problem["reason"]["en"]
    open_shift(served, carl, 1)
    status, problem = cage(served, carl, "open", "second-window", 2, cents=0)
    assert (status, problem["code"]) == (409, "window-refused")
    assert asked(served, carl, "some", "buy-in", session=session, cents=100)[1]["ok"]
    # the table tells the drawer a moment later
    wait_until(lambda: "CashNoted" in journal_of(served, "cage:1"), "the drawer's note")
    assert cage(served, carl, "count", "blind", cents=100)[0] == 200
    assert cage(served, tokens["sam"], "confirm", "blind-ok", cents=100)[0] == 200
    assert window(served, carl)["closed"]["difference_cents"] == 0


def test_a_shift_that_is_open_is_not_taken_for_the_next_one(tmp_path: Path) -> None:
    """Opened twice, the house took the window for a shift that never came, gave it back 10 s later, and the cashier had two."""
    served = Served(tmp_path)
    try:
        carl = staff_tokens(served, "carl")["carl"]
        assert cage(served, carl, "open", "first", 31, cents=0)[0] == 200
        assert cage(served, carl, "open", "first", 31, cents=0)[0] == 200, "the same, asked again"
        assert cage(served, carl, "open", "second", 31, cents=0)[0] == 409
        with reading(str(served.database)) as reader:
            events = [event for entry in reader.decoded("floor", after=0) for event in entry.events]
    finally:
        served.stop()
    taken = [event for event in events if isinstance(event, e.WindowTaken)]
    assert [event.shift for event in taken if event.window == 31] == [1]


def test_a_voucher_is_looked_up_before_it_is_paid(served: Served, tokens: dict[str, str]) -> None:
    carl = tokens["carl"]

    def look(number: str, token: str = carl) -> tuple[int, Any]:
        return api(served, "POST", "/api/staff/vouchers/look-up", token, {"number": number})

    at_the_window(served, carl)
    paper = cage(served, carl, "sell", "look-s", cents=1_234)[1]
    assert (paper["place"], paper["session"]) == ("cage:1", "")
    status, found = look(f"{paper['number'][:6]}-{paper['number'][6:]}")
    assert (status, found["state"], found["cents"], found["second"]) == (200, "valid", 1_234, None)
    assert (found["issued_in"], found["issued_by"], found["issued_seq"]) == (
        "cage:1",
        "carl",
        paper["seq"],
    )
    assert paper["number"] not in str(found), "the number is not told again"
    assert cage(served, carl, "pay", "look-p", number=paper["number"])[0] == 200
    assert cage(served, carl, "pay", "look-p", number=paper["number"])[0] == 200, (
        "the same id, the same answer"
    )
    found = look(paper["number"])[1]
    assert (found["state"], found["redeemed_in"], found["redeemed_by"]) == (
        "redeemed",
        "cage:1",
        "carl",
    )
    assert found["redeemed_at"] > 0
    last = "0" if paper["number"][-1] != "0" else "1"
    assert look(paper["number"][:-1] + last)[1]["state"] == "wrong-check-digits"
    assert look("12 34")[1]["state"] == "no-number"
    assert look("000000000000000195")[1]["state"] == "unknown"
    for name, status in (("dora", 403), ("sam", 200)):
        assert look("1", tokens[name])[0] == status
    assert look("1", "")[0] == 401
    assert any(look("1")[0] == 429 for _ in range(12)), "nobody tries numbers by the thousand"


def test_a_large_voucher_waits_and_the_window_says_what_for(
    served: Served, tokens: dict[str, str]
) -> None:
    carl, sam = tokens["carl"], tokens["sam"]
    at_the_window(served, carl)
    before = window(served, sam)
    status, problem = cage(served, carl, "sell", "big-s", cents=1_500_000)
    assert (status, problem["code"]) == (409, "second-person-needed")
    [sale] = window(served, sam)["payments"]
    assert (sale["command"], sale["by"], sale["cents"], sale["issued_in"]) == (
        "sell-voucher",
        "carl",
        1_500_000,
        "",
    )
    assert cage(served, sam, "approve", "big-sold", payment=sale["payment"])[0] == 200
    paper = cage(served, carl, "sell", "big-s", cents=1_500_000)[1]
    assert paper["cents"] == 1_500_000, "asked again with the id of before"
    view = window(served, sam)
    assert view["vouchers_cents"] - before["vouchers_cents"] == 1_500_000
    assert view["liability_cents"] == view["credits_cents"] + view["vouchers_cents"]
    status, answer = cage(served, carl, "pay", "big-p", number=paper["number"])
    assert (status, answer["proposal"]) == (200, sale["payment"] + 1)
    [waiting] = window(served, sam)["payments"]
    assert (waiting["payment"], waiting["by"], waiting["cents"], waiting["why"]["en"]) == (
        answer["proposal"],
        "carl",
        1_500_000,
        "over $10,000",
    )
    assert waiting["at"] == answer["at"]
    [asked_for] = api(served, "GET", "/api/staff/pit", sam)[1]["payments"]
    assert asked_for == waiting | {"window": 1}
    assert api(served, "GET", "/api/staff/pit", tokens["otto"])[1]["payments"], (
        "an auditor sees the cage"
    )
    assert api(served, "GET", "/api/staff/pit", tokens["ada"])[1]["payments"] == [], (
        "an administrator does not"
    )
    number = waiting["payment"]
    assert (
        cage(served, carl, "approve", "big-a", payment=number)[1]["code"] == "second-person-needed"
    )
    assert cage(served, sam, "approve", "big-b", payment=number)[0] == 200
    assert api(served, "GET", "/api/staff/pit", sam)[1]["payments"] == []
    found = api(served, "POST", "/api/staff/vouchers/look-up", sam, {"number": paper["number"]})[1]
    assert (found["state"], found["redeemed_by"]) == ("redeemed", "carl and sam")


def test_who_asked_for_a_payment_learns_by_whom_and_why_it_was_turned_down(
    served: Served, tokens: dict[str, str]
) -> None:
    carl, sam = tokens["carl"], tokens["sam"]
    at_the_window(served, carl)
    assert cage(served, carl, "sell", "no-s", cents=1_100_000)[0] == 409
    [sale] = window(served, carl)["payments"]
    assert (
        cage(served, sam, "reject", "no-r", payment=sale["payment"], reason="the notes are new")[0]
        == 200
    )
    told = window(served, carl)["decided"][-1]
    assert told == {
        "place": "cage:1",
        "proposal": sale["payment"],
        "asked_by": "carl",
        "command": "sell-voucher",
        "outcome": "rejected",
        "by": "sam",
        "reason": "the notes are new",
    }
    assert cage(served, carl, "sell", "no-w", cents=1_200_000)[0] == 409
    [sale] = window(served, carl)["payments"]
    assert cage(served, sam, "withdraw", "no-w1", payment=sale["payment"])[1]["code"] == "not-now"
    assert cage(served, carl, "withdraw", "no-w2", payment=sale["payment"])[0] == 200
    assert window(served, carl)["decided"][-1]["outcome"] == "withdrawn"


def test_the_window_lists_sessions_and_takes_a_large_buy_in_by_two(
    served: Served, tokens: dict[str, str]
) -> None:
    carl, sam = tokens["carl"], tokens["sam"]
    at_the_window(served, carl)
    guest = api(served, "POST", "/api/guest")[1]["token"]
    session = api(served, "POST", "/api/tables/6/seat", guest)[1]["session"]
    assert asked(served, carl, "list-buy", "buy-in", session=session, cents=7_000)[1]["ok"]
    view = window(served, carl)
    [row] = [row for row in view["sessions"] if row["session"] == session]
    assert (row["table"], row["terminal"], row["in_play_cents"], row["net_cents"]) == (
        "table:6",
        "",
        0,
        0,
    )
    assert view["credits_cents"] >= row["balance_cents"] > 7_000
    proposal = asked(served, carl, "list-large", "buy-in", session=session, cents=1_500_000)[1][
        "proposal"
    ]
    [waiting] = window(served, carl)["hand_pays"]
    assert (waiting["command"], waiting["proposal"], waiting["cents"]) == (
        "buy-in",
        proposal,
        1_500_000,
    )
    assert asked(served, sam, "list-ok", "approve", proposal=proposal)[1]["ok"]
    [row] = [row for row in window(served, carl)["sessions"] if row["session"] == session]
    assert (row["balance_cents"], row["net_cents"]) == (1_607_000, 0)


def test_a_hand_pay_takes_a_cashier_and_somebody_else(
    served: Served, tokens: dict[str, str]
) -> None:
    carl, sam = tokens["carl"], tokens["sam"]
    guest = api(served, "POST", "/api/guest")[1]["token"]
    session = api(served, "POST", "/api/tables/6/seat", guest)[1]["session"]

    def mine() -> Any:
        return api(served, "GET", "/api/me", guest)[1]["tables"]

    at_the_window(served, carl)
    for n in range(2):
        answer = asked(served, carl, f"rich-{n}", "buy-in", session=session, cents=1_000_000)[1]
        assert answer.get("ok"), answer
    status, problem = api(served, "POST", "/api/tables/6/cash-out", guest, {"id": "too-much"})
    assert (status, problem["code"]) == (409, "hand-pay-needed")
    proposal = asked(served, carl, "hand", "cash-out", session=session)[1]["proposal"]
    assert proposal
    [waiting] = window(served, carl)["hand_pays"]
    assert (waiting["table"], waiting["proposal"], waiting["command"]) == (
        "table:6",
        proposal,
        "cash-out",
    )
    assert (waiting["by"], waiting["session"], waiting["cents"]) == ("carl", session, 2_100_000)
    [told] = mine()
    assert (told["balance_cents"], told["held_cents"], told["net_cents"]) == (0, 2_100_000, 0)
    assert (
        asked(served, carl, "own", "approve", proposal=proposal)[1]["code"]
        == "second-person-needed"
    )
    assert asked(served, sam, "no", "reject", proposal=proposal, reason="no passport")[1]["ok"]
    [told] = mine()
    assert (told["balance_cents"], told["held_cents"], told["net_cents"]) == (2_100_000, 0, 0)
    proposal = asked(served, carl, "hand-again", "cash-out", session=session)[1]["proposal"]
    assert asked(served, sam, "second", "approve", proposal=proposal)[1]["ok"]
    assert mine() == []


def test_all_of_it_is_in_a_journal_that_holds(served: Served) -> None:
    report = audit(served.database)
    assert report.sound, report.fault
