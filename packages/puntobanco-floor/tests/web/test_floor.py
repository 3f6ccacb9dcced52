"""The floor as terminals meet it: seats, wagers, vouchers, reconnects, and what they may never see."""

import asyncio
import json
import random
import secrets
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request, Response
from websockets.typing import Origin

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.audit.round_replay import ROUNDS_MOST, story
from puntobanco_floor.client import FloorRefused, Terminal
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.refusals import BadVoucher
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import MAX_QUEUE, Connection
from puntobanco_floor.service.tickets import Tickets
from puntobanco_floor.service.voucher_numbers import Vouchers, parse_number, shown, with_check
from puntobanco_floor.settings import DEFAULTS
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.reader import reading
from puntobanco_floor.views.game_view import BetView, NoteView, PayView
from puntobanco_floor.views.road_grids import Counts, RoadsView
from puntobanco_floor.views.table_view import LastView, SessionView, ShuffleView, TableView
from tests.support.http import http
from tests.support.patience import PATIENCE_S, until, wait_until
from tests.support.ports import free_port
from tests.support.served import Served, api, asked, new_bets, staff_tokens


@pytest.mark.waits
def test_the_five_games_play_by_themselves_and_one_table_waits_for_its_dealer(
    served: Served,
) -> None:
    wait_until(
        lambda: all(t["round"] >= 1 for t in json.loads(http(served, "GET", "/api/tables")[2])[:5])
    )
    tables = json.loads(http(served, "GET", "/api/tables")[2])
    assert [table["game"] for table in tables] == [
        "six-star",
        "fortune-six",
        "super-six-plus",
        "sands-elements",
        "rapid",
        "fortune-six",
    ]
    assert all(table["round"] >= 1 and table["dealt_by"] == "server" for table in tables[:5])
    assert (tables[5]["round"], tables[5]["dealt_by"]) == (0, "dealer")
    assert all(table["demo"] for table in tables)


def test_a_round_is_played_from_the_seat_to_the_voucher(served: Served) -> None:
    async def play() -> None:
        async with Terminal(served.address, table=5) as terminal:
            assert (await terminal.seat()).balance_cents == 100_000
            await new_bets(terminal)
            assert (await terminal.place("banker", 1_000)).ok
            assert (await terminal.raise_("banker", 1_000)).ok
            refused = await terminal.place("banker", 1_000)
            assert (refused.ok, refused.code) == (False, "limit-refused")
            await until(
                lambda: terminal.mine is not None and terminal.mine.wagers == {"banker": 2_000}
            )
            with pytest.raises(FloorRefused, match="Wagers are in play"):
                await terminal.cash_out()
            await until(lambda: terminal.mine is not None and terminal.mine.lines)
            assert terminal.mine is not None
            [line] = terminal.mine.lines
            assert terminal.mine.balance_cents == 98_000 + line.paid_cents
            balance = terminal.mine.balance_cents
            number, cents = await terminal.cash_out()
            assert cents == balance
            async with Terminal(served.address, table=2) as other:
                assert (await other.redeem(number)).balance_cents == cents
                with pytest.raises(FloorRefused, match="redeemed before"):
                    await other.redeem(number)

    asyncio.run(play())


def test_a_hundred_redemptions_of_one_voucher_and_one_success(served: Served) -> None:
    async def race() -> Counter[str]:
        async with Terminal(served.address, table=5) as owner:
            await owner.seat()
            number, _ = await owner.cash_out()
        tokens = [json.loads(http(served, "POST", "/api/guest")[2])["token"] for _ in range(25)]
        body = json.dumps({"number": number}).encode()

        def redeem(n: int) -> int:
            path = f"/api/tables/{1 + n % 5}/redeem"
            return http(
                served,
                "POST",
                path,
                body=body,
                Authorization=f"Bearer {tokens[n % 25]}",
                Content_Type="application/json",
            )[0]

        statuses = await asyncio.gather(*(asyncio.to_thread(redeem, n) for n in range(100)))
        return Counter(map(str, statuses))

    assert asyncio.run(race()) == {"200": 1, "409": 99}


ROUNDS = 20


def _house() -> HouseState:
    """A house with no terminals: its guests have tickets all the same."""
    return HouseState(stream="floor")


def test_the_same_id_twice_has_one_effect_and_one_answer(served: Served) -> None:
    async def twice() -> None:
        async with Terminal(served.address, table=3) as terminal:
            await terminal.seat()
            async with connect(
                f"ws://127.0.0.1:{served.port}/ws/3",
                additional_headers={"Authorization": f"Bearer {terminal.token}"},
            ) as socket:
                for attempt in range(ROUNDS):  # a crowded machine may be late for a round
                    await terminal.betting()
                    assert terminal.table is not None
                    id_ = f"same-{attempt}"
                    wager = wire.Place(
                        id=id_, round=terminal.table.round, bet="tie", stake_cents=1_000
                    )
                    answers = list[Any]()
                    for _ in range(3):
                        await socket.send(wire.write(wager), text=True)
                    while len(answers) < 3:
                        heard = json.loads(await socket.recv())
                        answers += [heard] if heard["t"] == "answered" else []
                    assert answers[0] == answers[1] == answers[2]
                    if answers[0]["ok"]:
                        break
                assert answers[0]["ok"]
                other = wire.write(
                    wire.Place(id=id_, round=wager.round, bet="player", stake_cents=1_000)
                )
                await socket.send(other, text=True)
                while (heard := json.loads(await socket.recv()))["t"] != "answered":
                    pass
                assert heard["code"] == "command-reused"
            await until(
                lambda: terminal.mine is not None and terminal.mine.wagers == {"tie": 1_000}
            )

    asyncio.run(twice())


def test_a_wager_for_another_round_is_refused(served: Served) -> None:
    async def wrong() -> None:
        async with Terminal(served.address, table=4) as terminal:
            await terminal.seat()
            await terminal.betting()
            assert terminal.table is not None
            later = terminal.table.round + 1
            terminal.seen.table = msgspec.structs.replace(terminal.table, round=later)
            assert (await terminal.place("banker", 1_000)).code == "wrong-round"

    asyncio.run(wrong())


@pytest.mark.waits
def test_terminals_come_back_after_the_server_is_killed_and_the_round_goes_on(
    tmp_path: Path,
) -> None:
    """Killed in the middle of a round with 200 terminals; all reconnect, and every balance is the ledger's.

    Half of them have their answers before; the others ask a server that stands still, and is killed then.
    """
    served, many, round_ = Served(tmp_path, betting_ms=5_000), 200, 0
    ring = KeyRing.load(files_of(str(served.database))[0])
    tickets = Tickets(ring, _house)
    terminals = [
        Terminal(served.address, table=5, token=tickets.new_guest()) for _ in range(many)
    ]  # guests are 50 at once

    def placed() -> list[tuple[str, int]]:
        with reading(str(served.database)) as reader:
            entries = [
                read_entry(data, stream="table:5", seq=seq)
                for seq, data in reader.entries("table:5")
            ]
        return [
            (x.session, x.round)
            for entry in entries
            for x in entry.events
            if isinstance(x, e.WagerPlaced)
        ]

    def known() -> dict[str, int]:
        return {t.mine.session: t.mine.balance_cents for t in terminals if t.mine is not None}

    def books() -> dict[str, int]:
        with reading(str(served.database)) as reader:
            balances = reader.balances("table:5")
        return {session: balances.get(f"session:{session}", 0) for session in known()}

    async def through() -> None:
        nonlocal round_
        await asyncio.gather(*(t.__aenter__() for t in terminals))
        await asyncio.gather(*(t.seat() for t in terminals))
        first = terminals[0]
        seen = first.table.round if first.table else 0
        await until(
            lambda: all(
                t.table and t.table.round > seen and t.table.phase == "betting" for t in terminals
            )
        )
        round_ = first.table.round if first.table else 0  # not always the next: they may come late
        early = await asyncio.gather(*(t.place("banker", 1_000) for t in terminals[: many // 2]))
        assert all(answer.ok for answer in early), {answer.code for answer in early}
        served.process.send_signal(signal.SIGSTOP)
        late = [asyncio.create_task(t.place("banker", 1_000)) for t in terminals[many // 2 :]]
        await asyncio.sleep(0.1)
        served.kill()
        assert not any(task.done() for task in late)
        assert {(t.session, round_) for t in mine(terminals[: many // 2])} == set(placed()), (
            "answered, and not stored"
        )
        await asyncio.to_thread(served.start)
        await until(lambda: all(t.reconnects and t._socket is not None for t in terminals))
        answers = [*early, *await asyncio.wait_for(asyncio.gather(*late), PATIENCE_S)]
        accepted = [
            view.session for view, answer in zip(mine(terminals), answers, strict=True) if answer.ok
        ]
        assert sorted(session for session, _ in placed()) == sorted(accepted), (
            "each once, and no other"
        )
        await until(lambda: all(t.table and t.table.round > round_ + 1 for t in terminals))
        await until(lambda: known() == books())
        await asyncio.gather(*(t.__aexit__() for t in terminals))

    try:
        asyncio.run(asyncio.wait_for(through(), 4 * PATIENCE_S))
    finally:
        served.stop()
    assert len(known()) == many
    assert known() == books()
    with reading(str(served.database)) as reader:
        told = story(reader, "table:5", round_)
    assert [type(event).__name__ for _, event in told.events].count("RoundSettled") == 1
    assert audit(served.database).fault is None


def test_a_terminal_that_is_turned_away_says_why_and_does_not_wait_for_ever(served: Served) -> None:
    async def turned_away(table: int, token: str | None) -> str:
        with pytest.raises(FloorRefused) as refused:
            async with (
                asyncio.timeout(PATIENCE_S),
                Terminal(served.address, table=table, token=token),
            ):
                pass
        return refused.value.reason

    assert asyncio.run(turned_away(77, None)) == "No such table"
    assert "There is no session" in asyncio.run(turned_away(1, "g1234.0000"))


def test_an_address_that_shows_nothing_answers_a_person_with_a_page(served: Served) -> None:
    status, headers, page = http(served, "GET", "/tables/nowhere", body=None, Accept="text/html")
    assert status == 404
    assert headers["content-type"].startswith("text/html")
    for said in ("There is no such page", "沒有此頁"):
        assert said in page.decode()
    status, problem = api(served, "GET", "/api/tables/99")
    assert (status, problem["reason"]["en"]) == (404, "There is no table 99")
    assert problem["reason"]["zh"] == "沒有賭枱 99"


def test_a_terminal_whose_session_ends_hears_it_in_what_it_asked(served: Served) -> None:
    """Nobody answers a wager that waits for a connection that will not come back."""

    async def play() -> None:
        async def accepts_one(connection: ServerConnection) -> None:
            await connection.send(view)
            await connection.recv()
            is_over.set()
            await connection.close()

        def then_none(connection: ServerConnection, _: Request) -> Response | None:
            return (
                connection.respond(
                    401, '{"reason": {"en": "the session is over", "zh": "時段已結束"}}'
                )
                if is_over.is_set()
                else None
            )

        is_over = asyncio.Event()
        token = json.loads(http(served, "POST", "/api/guest")[2])["token"]
        mine = {"Authorization": f"Bearer {token}"}
        async with connect(f"ws://127.0.0.1:{served.port}/ws/1", additional_headers=mine) as real:
            view = await real.recv()
        async with serve(
            accepts_one, "127.0.0.1", free_port(), process_request=then_none
        ) as server:
            [port] = [listener.getsockname()[1] for listener in server.sockets]
            async with Terminal(f"http://127.0.0.1:{port}", table=1, token="any") as terminal:
                for _ in range(2):  # what waits, and what comes later
                    with pytest.raises(FloorRefused, match="the session is over"):
                        await asyncio.wait_for(terminal.place("tie", 100), PATIENCE_S)

    asyncio.run(play())


def test_a_client_goes_on_after_a_kind_of_event_that_it_does_not_know(served: Served) -> None:
    async def play() -> None:
        async with Terminal(served.address, table=1) as terminal:
            before = terminal.table
            assert before is not None
            known = {"halted": Words("a greeting"), "waved": True}
            heard = wire.Events(
                v=before.v + 1, seq=before.seq, at=1, events=[{"event": "Greeted"}], set=known
            )
            await terminal._heard(heard)
            assert terminal.table is not None
            assert (terminal.table.phase, terminal.table.halted) == (
                before.phase,
                Words("a greeting"),
            )
            await terminal.seat()

    asyncio.run(play())


def test_a_client_that_missed_something_asks_once_and_has_the_whole_again(served: Served) -> None:
    async def play() -> None:
        async with Terminal(served.address, table=1) as terminal:
            before = terminal.table
            assert before is not None
            asked = list[bytes]()
            send = terminal._send

            async def noted(data: bytes) -> None:
                asked.append(data)
                await send(data)

            terminal._send = noted  # type: ignore[method-assign]
            for more in (50, 51):
                heard = wire.Events(
                    v=before.v + more,
                    seq=before.seq,
                    at=1,
                    events=[{}],
                    set={"halted": Words("never")},
                )
                await terminal._heard(heard)
            assert asked == [b'{"t":"sync"}']
            await asyncio.wait_for(terminal.until(lambda: not terminal.seen.is_behind), PATIENCE_S)
            assert terminal.table is not None
            assert terminal.table.halted is None

    asyncio.run(play())


def mine(terminals: list[Terminal]) -> list[SessionView]:
    return [t.mine for t in terminals if t.mine is not None]


def test_a_key_that_stands_twice_is_refused_in_one_line(served: Served) -> None:
    """Over HTTP, on the terminals' socket and on the views': others may have checked the one that is not taken."""
    token = json.loads(http(served, "POST", "/api/guest")[2])["token"]
    mine = {"Authorization": f"Bearer {token}"}
    body = b'{"loss_cents": 100, "minutes": null, "loss_cents": 900}'
    status, _, answer = http(
        served, "POST", "/api/me/limits", body=body, Content_Type="application/json", **mine
    )
    said = '"loss_cents" stands twice in one object'
    assert (status, json.loads(answer)["reason"]["en"]) == (400, f"that cannot be read: {said}")

    async def heard(path: str, data: str, kind: str) -> str:
        address = f"ws://127.0.0.1:{served.port}{path}"
        async with connect(address, additional_headers=mine) as socket:
            await socket.send(data)
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_S))
                if message["t"] == kind:
                    return str(message["reason"]["en"])

    place = '{"t":"place","id":"a","round":1,"bet":"tie","bet":"banker","stake_cents":1000}'
    assert asyncio.run(heard("/ws/1", place, "answered")) == (
        'that cannot be read: "bet" stands twice in one object'
    )
    watch = '{"t":"watch","what":["lobby"],"what":["pit"]}'
    assert asyncio.run(heard("/ws/views", watch, "refused")) == (
        'that cannot be read: "what" stands twice in one object'
    )


def test_nobody_gets_in_with_a_forged_or_missing_token(served: Served) -> None:
    assert http(served, "GET", "/api/me")[0] == 401
    assert http(served, "GET", "/api/me", Authorization="Bearer g1234.0000")[0] == 401
    token = json.loads(http(served, "POST", "/api/guest")[2])["token"]
    session, _, mac = token.partition(".")
    assert http(served, "GET", "/api/me", Authorization=f"Bearer {session}x.{mac}")[0] == 401
    assert http(served, "GET", "/api/me", Authorization=f"Bearer {token}")[0] == 200

    async def no_socket() -> None:
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            async with connect(f"ws://127.0.0.1:{served.port}/ws/1") as socket:
                await socket.recv()

    asyncio.run(no_socket())


def test_another_page_cannot_act_for_a_browser(served: Served) -> None:
    """With the cookie alone, from another origin, or without the token against forgery: refused."""
    found = json.loads(http(served, "POST", "/api/guest")[2])
    cookie = f"puntobanco={found['token']}"
    own = f"http://127.0.0.1:{served.port}"
    assert http(served, "POST", "/api/tables/1/seat", Cookie=cookie)[0] == 403
    assert (
        http(
            served,
            "POST",
            "/api/tables/1/seat",
            Cookie=cookie,
            X_CSRF_Token=found["csrf"],
            Origin="http://evil.example",
        )[0]
        == 403
    )
    assert (
        http(
            served,
            "POST",
            "/api/tables/1/seat",
            Cookie=cookie,
            X_CSRF_Token=found["csrf"],
            Origin=own,
        )[0]
        == 200
    )

    async def socket_from(origin: str) -> bool:
        try:
            async with connect(
                f"ws://127.0.0.1:{served.port}/ws/1",
                additional_headers={"Cookie": cookie},
                origin=Origin(origin),
            ) as socket:
                await socket.recv()
                return True
        except (InvalidStatus, ConnectionClosed):
            return False

    assert not asyncio.run(socket_from("http://evil.example"))
    assert asyncio.run(socket_from(own))


def test_every_answer_has_the_headers(served: Served) -> None:
    for path in ("/", "/tables/1", "/api/tables", "/static/terminal.js", "/nowhere"):
        headers = http(served, "GET", path)[1]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    page = http(served, "GET", "/tables/1")[2].decode()
    assert "http://" not in page.replace(f"127.0.0.1:{served.port}", "")
    assert "https://" not in page
    _, headers, _ = http(served, "POST", "/api/guest")
    assert "HttpOnly" in headers["set-cookie"]
    assert "samesite=strict" in headers["set-cookie"].lower()


def test_undealt_cards_counts_and_odds_reach_no_terminal(served: Served) -> None:
    """Every message that a terminal gets during whole rounds, walked: only known fields, and no card before it is dealt."""
    views = (
        TableView,
        SessionView,
        BetView,
        e.BetLimits,
        PayView,
        NoteView,
        RoadsView,
        Counts,
        LastView,
        ShuffleView,
    )
    allowed = {field for view in views for field in view.__struct_fields__} | {
        "t",
        "protocol",
        "now",
        "set",
        "add",
        "table",
        "session",
        "seq",
        "at",
        "events",
        "event",
        "round",
        "shoe",
        "announcement",
        "closes_at",
        "commitment",
        "slot",
        "card",
        "why",
        "clause",
        "player",
        "banker",
        "result",
        "cards",
        "decks",
        "bet",
        "title",
        "pays",
        "limits",
        "next",
        "en",
        "zh",
        "by_hand",
        "counts",
        "p1",
        "b1",
        "p2",
        "b2",
        "p3",
        "b3",
    }

    def keys(value: Any) -> set[str]:
        if isinstance(value, dict):
            return set(value) | {k for v in value.values() for k in keys(v)}
        return {k for v in value for k in keys(v)} if isinstance(value, list) else set()

    async def walk() -> None:
        token = json.loads(http(served, "POST", "/api/guest")[2])["token"]
        async with connect(
            f"ws://127.0.0.1:{served.port}/ws/1",
            additional_headers={"Authorization": f"Bearer {token}"},
        ) as socket:
            settled, dealt = 0, list[str]()
            while settled < 2:
                message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_S))
                if "table" in message:
                    # of a settled round: by bet, which of its lines pay
                    allowed.update(bet["bet"] for bet in message["table"]["bets"])
                assert keys(message) <= allowed, keys(message) - allowed
                for event in message.get("events", []):
                    if event["event"] == "CardDealt":
                        dealt.append(event["card"])
                    if event["event"] == "BetsOpened":
                        dealt.clear()
                    if event["event"] == "RoundSettled" and dealt:
                        assert event["cards"].split()[-len(dealt) :] == dealt
                        settled += 1

    asyncio.run(walk())


def test_rubbish_changes_nothing_and_harms_nobody(served: Served) -> None:
    """Malformed, oversized, replayed and out-of-order messages."""
    chance = random.Random(3)
    good = [
        b'{"t":"sync"}',
        b'{"t":"place","id":"a","round":999999,"bet":"tie","stake_cents":1000}',
        b'{"t":"place"}',
        b"",
        b'{"t":"nothing"}',
        b"[]",
        b"null",
        b'{"t":"raise","id":"' + b"x" * 100 + b'","round":1,"bet":"tie","by_cents":1}',
        b'{"t":"withdraw","id":"w","round":-1,"bet":"\\u0000"}',
        b"[" * 2000,
        b'{"t":"place","id":"b","round":1e99,"bet":"tie","stake_cents":1}',
    ]

    async def fuzz() -> int:
        token = json.loads(http(served, "POST", "/api/guest")[2])["token"]
        sent = 0
        for _ in range(30):
            try:
                async with connect(
                    f"ws://127.0.0.1:{served.port}/ws/2",
                    additional_headers={"Authorization": f"Bearer {token}"},
                ) as socket:
                    for _ in range(50):
                        data = bytearray(chance.choice(good))
                        for _ in range(chance.randrange(4)):
                            if data:
                                data[chance.randrange(len(data))] = chance.randrange(128)
                        await socket.send(bytes(data).decode("ascii", "replace"))
                        sent += 1
                    await socket.send("x" * 20_000)
                    while True:
                        await asyncio.wait_for(socket.recv(), 5)
            except (ConnectionClosed, TimeoutError):
                pass
        return sent

    assert asyncio.run(fuzz()) > 500
    status, _, body = http(served, "GET", "/api/tables")
    assert status == 200
    assert len(json.loads(body)) == 6
    for body_ in (
        b"",
        b"{",
        b"[]",
        b'{"number": 5}',
        b'{"number": "1"}',
        b'{"number": "' + b"9" * 100_000 + b'"}',
    ):
        token = json.loads(http(served, "POST", "/api/guest")[2])["token"]
        status, _, _ = http(
            served,
            "POST",
            "/api/tables/1/redeem",
            body=body_,
            Authorization=f"Bearer {token}",
            Content_Type="application/json",
        )
        assert 400 <= status < 500, (body_[:20], status)
    for path in (
        "/api/tables/0",
        "/api/tables/99",
        "/api/tables/x",
        "/api/tables/99999999999999999999",
        "/tables/x",
        "/%00",
        "/static/../app.py",
    ):
        assert 400 <= http(served, "GET", path)[0] < 500, path


def test_a_terminal_that_does_not_read_is_cut_off() -> None:
    watching = Connection()
    for n in range(MAX_QUEUE):
        watching.put(b"%d" % n)
    assert not watching.is_cut
    watching.put(b"one more")
    assert watching.is_cut
    assert list(watching.queue) == [None]


def test_the_openapi_document_names_every_path(served: Served) -> None:
    document = json.loads(http(served, "GET", "/api/openapi.json")[2])
    assert {
        "/api/tables",
        "/api/guest",
        "/api/me",
        "/api/tables/{number}/seat",
        "/api/tables/{number}/redeem",
    } <= set(document["paths"])


@pytest.mark.waits
def test_the_last_round_is_recalled_as_a_replay(served: Served) -> None:
    token = json.loads(http(served, "POST", "/api/guest")[2])["token"]
    path, bearer = "/api/tables/5/last-round", f"Bearer {token}"
    wait_until(
        lambda: http(served, "GET", path, Authorization=bearer)[0] == 200, "a round that is over"
    )
    recall = json.loads(http(served, "GET", path, Authorization=bearer)[2])
    assert recall["replay"] is True
    with reading(str(served.database)) as reader:
        told = story(reader, "table:5", recall["round"])
    cards = " ".join(draw["card"] for draw in recall["cards"])
    assert cards in {getattr(event, "cards", "") for _, event in told.events}


@pytest.mark.waits
def test_past_rounds_are_listed_a_page_at_a_time_for_a_session(served: Served) -> None:
    token = json.loads(http(served, "POST", "/api/guest")[2])["token"]
    path, bearer = "/api/tables/5/rounds", f"Bearer {token}"

    def rounds(query: str) -> Any:
        return json.loads(http(served, "GET", path + query, Authorization=bearer)[2])

    def is_played() -> bool:  # not by recalls, which have a rate
        return bool(json.loads(http(served, "GET", "/api/tables/5")[2])["results"])

    wait_until(is_played, "a round that is over")
    listed = rounds("?mine=false")["rounds"]
    assert [row["round"] for row in listed] == sorted(
        (row["round"] for row in listed), reverse=True
    )
    assert len(listed) <= ROUNDS_MOST
    assert all(row["staked_cents"] == row["back_cents"] == 0 for row in listed)
    assert rounds("")["rounds"] == [], "who has bet on nothing has no rounds"
    assert rounds("?mine=false&before=1") == {"rounds": [], "before": None}
    assert http(served, "GET", f"{path}?before=0", Authorization=bearer)[0] == 400
    assert http(served, "GET", path)[0] == 401
    me = json.loads(http(served, "GET", "/api/me", Authorization=bearer)[2])
    assert me["reality_check_minutes"] == DEFAULTS.reality_check_minutes


def test_voucher_numbers_cannot_be_mistyped_or_guessed() -> None:
    vouchers, other = Vouchers(KeyRing.fresh(), ""), Vouchers(KeyRing.fresh(), "")
    [(number, id_)] = made = vouchers.numbered("table:1", "ann", "1")
    assert vouchers.numbered("table:1", "ann", "1") == made
    assert vouchers.id_of(number) == id_
    assert other.numbered("table:1", "ann", "1") != made
    assert other.id_of(number) != id_, "an id tells who has no key nothing of its number"
    assert parse_number(shown(number)) == number
    for at in range(18):
        for digit in "0123456789":
            if digit != number[at]:
                with pytest.raises(BadVoucher):
                    parse_number(number[:at] + digit + number[at + 1 :])
    for at in range(17):
        if number[at] != number[at + 1]:
            with pytest.raises(BadVoucher):
                parse_number(number[:at] + number[at + 1] + number[at] + number[at + 2 :])
    assert len({vouchers.numbered(str(n))[0].number for n in range(10_000)}) == 10_000
    assert with_check("1" * 16) == "1" * 16 + with_check("1" * 16)[-2:]
    for text in ("", "12", "x" * 18, "１" * 18, secrets.token_hex(9)):
        with pytest.raises(BadVoucher):
            parse_number(text)


def test_tokens_outlive_a_restart_and_depend_on_the_key_ring() -> None:
    ring, other = KeyRing.fresh(), KeyRing.fresh()
    token = Tickets(ring, _house).new_guest()
    ring.rotate()
    tickets = Tickets(ring, _house)
    csrf = tickets.csrf(token)
    assert tickets.session(token) == token.partition("~")[0]
    assert Tickets(other, _house).session(token) is None
    assert tickets.is_csrf(token, csrf)
    assert not Tickets(other, _house).is_csrf(token, csrf)
    ring.rotate()
    assert tickets.session(token) is None, "the key that made it is replaced by the second rotation"
    assert tickets.is_csrf(token, csrf)


def test_a_guest_gets_play_credits_once_however_often_a_seat_is_asked_for(served: Served) -> None:
    token = str(api(served, "POST", "/api/guest")[1]["token"])
    dora = staff_tokens(served, "dora")["dora"]

    def seat() -> int:
        status, mine = api(served, "POST", "/api/tables/6/seat", token)
        assert status == 200, mine
        return int(mine["balance_cents"])

    with ThreadPoolExecutor(12) as together:
        raced = list(together.map(lambda _: seat(), range(12)))
    assert set(raced) == {DEFAULTS.guest_credits_cents}

    async def all_in() -> None:
        async with Terminal(served.address, table=6, token=token) as terminal:
            await terminal.betting()
            assert (await terminal.place("banker", DEFAULTS.guest_credits_cents)).ok

    assert asked(served, dora, "all-in-open", "open-bets")[1]["ok"]
    asyncio.run(all_in())
    assert seat() == 0, "what lies on the felt is not given anew"
    dealt: list[tuple[str, dict[str, Any]]] = [
        ("enter-card", {"card": card}) for card in ("9s", "2h", "Ts", "4c")
    ]
    for n, (command, fields) in enumerate((("close-bets", {}), *dealt, ("settle", {}))):
        assert asked(served, dora, f"all-in-{n}", command, **fields)[1]["ok"]
    assert seat() == 0, "nor what was lost"
