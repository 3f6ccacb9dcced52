"""A floor for real money: set up, enrolled terminals, administration over HTTP, stops, and what protects patrons."""

import asyncio
import json
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.client import FloorRefused, Terminal, enrol
from puntobanco_floor.domain.stream_names import is_patron_id
from puntobanco_floor.store.sqlite import LOOK_S
from tests.support.forked import command_line
from tests.support.http import http
from tests.support.patience import until, wait_until
from tests.support.ports import free_port
from tests.support.served import Served, api, asked, open_shift
from tests.support.staffing import (
    enrol_staff,
    given_code,
    login_real,
    one_time,
    posted,
    second_file,
    second_person,
    staffed,
)


def command(database: Path, *words: str, stdin: str = "") -> str:
    """A command at the command line."""
    done = command_line(*words, "--database", str(database), stdin=stdin)
    assert done.returncode == 0, done.stderr
    return done.stdout


def init_house(database: Path) -> None:
    second = second_file(database.parent)
    words = ("--name", "Marina", "--password-file", "-", "--second-password-file", second)
    command(database, "init", *words, stdin="long enough words\n")


SAFETY = {"cause": "safety", "note": "a drill"}
PLAY_ENDS = {"cause": "play-ends"}
QUICK = ["--betting", "1.5", "--guard", "0.05", "--card", "0.05", "--pause", "0.3"]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("real")
    database = folder / "floor.db"
    init_house(database)
    command(database, "table", "add", "1", "rapid", *QUICK)
    command(database, "table", "add", "2", "fortune-six", "--dealer")
    found = Served(folder, "--host", "127.0.0.1")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def root(real: Served) -> str:
    return login_real(real, "admin", "long enough words")


def enrolled(real: Served, root: str, name: str, table: int = 0) -> str:
    status, made = api(real, "POST", "/api/admin/terminals", root, {"name": name, "table": table})
    assert status == 201, made
    return enrol(real.address, made["secret"])


def by_two(real: Served) -> list[str]:
    """Both administrators at the command line, with their passwords and one-time codes in files."""
    second_person(real)
    words = list[str]()
    for which, name in (("first", "admin"), ("second", "admin2")):
        path = real.folder / which
        path.write_text(f"own words of {name}\n{one_time(real, name)}\n")
        words += [f"--{which}", name, f"--{which}-password-file", str(path)]
    return words


def test_a_real_floor_has_no_guests_and_no_demo_mark(real: Served) -> None:
    assert api(real, "POST", "/api/guest")[0] == 404
    assert not any(table["demo"] for table in api(real, "GET", "/api/tables")[1])
    assert "password" not in (real.folder / "log").read_text()


def test_a_terminal_stands_at_a_table_that_is_there(real: Served, root: str) -> None:
    """Refused by the command line and over HTTP alike, and nothing is made of it."""
    for words in (("add", "lost", "--table", "9"), ("change", "lost", "--table", "9")):
        done = command_line("terminal", *words, "--database", str(real.database))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "there is no table 9" in done.stderr
    body = {"name": "lost", "table": 9}
    status, said = api(real, "POST", "/api/admin/terminals", root, body)
    assert (status, said["code"]) == (404, "no-such-table")
    rows = api(real, "GET", "/api/admin/terminals", root)[1]
    assert "lost" not in [row["name"] for row in rows]
    assert api(real, "POST", "/api/admin/terminals", root, body | {"table": 2})[0] == 201
    moved = api(real, "POST", "/api/admin/terminals/lost", root, {"table": 9})
    assert (moved[0], moved[1]["code"]) == (404, "no-such-table")


def test_a_table_that_is_open_is_not_opened_again(real: Served) -> None:
    done = command_line("table", "add", "2", "rapid", "--database", str(real.database))
    assert done.returncode == 2
    said = "The table is open, with Fortune Six No Commission Baccarat; close it first"
    assert said in done.stderr


@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        ("/api/admin/terminals", {"name": "T9", "table": -1}, "table: "),
        ("/api/admin/terminals", {"table": 1}, "`name`"),
        ("/api/admin/tables/1", {"clock": {"betting_ms": "soon"}}, "betting_ms: "),
        ("/api/admin/staff", {"name": "x y", "role": "dealer"}, "name: "),
    ],
)
def test_what_cannot_be_read_names_its_field(
    real: Served, root: str, path: str, body: object, named: str
) -> None:
    status, said = api(real, "POST", path, root, body)
    assert status == 400
    assert named in said["reason"]["en"]
    assert "Validation failed" not in said["reason"]["en"]


def test_a_code_enrols_one_device_once(real: Served, root: str) -> None:
    _, made = api(real, "POST", "/api/admin/terminals", root, {"name": "T1"})
    status, device = api(
        real, "POST", "/api/enrol", body={"code": made["secret"].lower().replace("-", " ")}
    )
    assert (status, device["terminal"]) == (201, "T1")
    for code in (made["secret"], "ABCD-EFGH-JKMN", "short"):
        assert api(real, "POST", "/api/enrol", body={"code": code})[0] == 409
    [row] = [
        row for row in api(real, "GET", "/api/admin/terminals", root)[1] if row["name"] == "T1"
    ]
    assert (row["enrolled"], row["code_waits"]) == (True, False)
    assert api(real, "POST", "/api/session", device["key"] + "x", {})[0] == 401
    assert api(real, "POST", "/api/session", device["key"], {})[0] == 200


def test_cash_at_the_cage_a_round_and_a_voucher_at_an_enrolled_terminal(
    real: Served, root: str
) -> None:
    cash = staffed(real, root, "carl", "cashier")
    open_shift(real, cash, 1)

    async def play() -> None:
        async with Terminal(real.address, table=1, key=enrolled(real, root, "T2")) as terminal:
            seat = await terminal.seat()
            assert (seat.balance_cents, seat.net_cents) == (0, 0)
            assert asked(real, cash, "buy", "buy-in", 1, session=seat.session, cents=50_000)[1][
                "ok"
            ]
            await terminal.until(lambda: terminal.mine and terminal.mine.balance_cents == 50_000)
            await terminal.betting()
            placed = await terminal.place("banker", 1_000)
            if not placed.ok:  # the last moment of a betting time
                await terminal.until(lambda: terminal.table.phase == "settled")  # type: ignore[union-attr]
                await terminal.betting()
                placed = await terminal.place("banker", 1_000)
            assert placed.ok, placed
            await terminal.until(lambda: terminal.mine and terminal.mine.lines)
            mine = terminal.mine
            assert mine is not None
            assert mine.net_cents == mine.balance_cents - 50_000
            assert terminal.table is not None
            recall = await terminal.recall(terminal.table.round)
            assert (recall.replay, recall.demo, recall.before_cents) == (True, False, 50_000)
            assert (recall.wagered_cents, recall.after_cents) == (1_000, mine.balance_cents)
            assert [line.session for line in recall.lines] == [mine.session]
            number, cents = await terminal.cash_out()
            assert cents == mine.balance_cents
        owed = api(real, "GET", "/api/staff/reports/liability", cash)[1]
        assert (owed["open_cents"], owed["ties_out"], owed["demo"], owed["house"]) == (
            cents,
            True,
            False,
            "Marina",
        )
        async with Terminal(real.address, table=1, key=enrolled(real, root, "T3")) as other:
            assert (await other.redeem(number)).balance_cents == cents
        owed = api(real, "GET", "/api/staff/reports/liability", cash)[1]
        assert (owed["open_cents"], owed["ties_out"]) == (0, True)

    asyncio.run(play())


def test_a_voucher_whose_answer_was_lost_is_found_again_by_its_id(real: Served, root: str) -> None:
    cash, key = staffed(real, root, "cora", "cashier"), enrolled(real, root, "T4")
    open_shift(real, cash, 2)
    token = api(real, "POST", "/api/session", key, {})[1]["token"]
    session = api(real, "POST", "/api/tables/2/seat", token)[1]["session"]
    asked(real, cash, "buy-lost", "buy-in", 2, session=session, cents=7_000)
    first = api(real, "POST", "/api/tables/2/cash-out", token, {"id": "only"})
    assert first[1]["cents"] == 7_000
    assert api(real, "POST", "/api/tables/2/cash-out", token, {"id": "only"}) == first
    assert api(real, "POST", "/api/tables/2/cash-out", token, {"id": "another"})[0] == 409
    rows = first[1]["qr"]
    assert {len(rows)} == {len(row) for row in rows}
    assert set("".join(rows)) == {"0", "1"}
    assert rows[0].startswith("1111111")


def test_a_terminal_keeps_its_session_and_credits_when_the_device_forgets_its_ticket(
    real: Served, root: str
) -> None:
    key = enrolled(real, root, "T5")
    first = api(real, "POST", "/api/session", key, {"card": "p5"})[1]
    assert api(real, "POST", "/api/tables/2/seat", first["token"])[0] == 200
    again = api(real, "POST", "/api/session", key, {})[1]
    assert again["session"] == first["session"]
    assert is_patron_id(api(real, "GET", "/api/me", again["token"])[1]["patron"])


def test_a_terminal_stands_at_its_table(real: Served, root: str) -> None:
    token = api(real, "POST", "/api/session", enrolled(real, root, "T6", table=2), {})[1]["token"]
    status, problem = api(real, "POST", "/api/tables/1/seat", token)
    assert (status, problem["reason"]["en"]) == (404, "Terminal T6 stands at table 2")
    assert api(real, "POST", "/api/tables/2/seat", token)[0] == 200


@pytest.mark.waits
def test_a_revoked_terminal_is_cut_off_at_once_and_its_ticket_is_worth_nothing_even_when_enrolled_anew(
    real: Served, root: str
) -> None:
    async def play() -> None:
        key = enrolled(real, root, "T7")
        async with Terminal(real.address, table=2, key=key) as terminal:
            await terminal.seat()
            token = str(terminal.token)
            assert (
                api(real, "POST", "/api/admin/terminals/T7", root, {"disable": "stolen"})[0] == 200
            )
            await until(lambda: terminal.reconnects > 0, "the cut")
        assert api(real, "GET", "/api/me", token)[0] == 401
        assert api(real, "POST", "/api/session", key, {})[0] == 401
        code = api(real, "POST", "/api/admin/terminals/T7", root, {"new_code": True})[1]["secret"]
        new = enrol(real.address, code)
        assert api(real, "GET", "/api/me", token)[0] == 401
        again = api(real, "POST", "/api/session", new, {})[1]
        assert again["session"] == token.partition("~")[0], "the credits are still there"

    asyncio.run(play())


def test_an_excluded_patron_gets_no_session_and_one_who_sits_places_no_more(
    real: Served, root: str
) -> None:
    key = enrolled(real, root, "T8")
    token = api(real, "POST", "/api/session", key, {"card": "p8"})[1]["token"]
    api(real, "POST", "/api/tables/2/seat", token)
    assert (
        api(
            real, "POST", "/api/admin/exclusions", root, {"patron": "p8", "reason": "asked for it"}
        )[0]
        == 201
    )
    wait_until(lambda: api(real, "GET", "/api/me", token)[1]["tables"][0]["stopped"])
    other = enrolled(real, root, "T9")
    status, problem = api(real, "POST", "/api/session", other, {"card": "p8"})
    assert (status, problem["code"]) == (403, "excluded")
    [patron] = [row["patron"] for row in api(real, "GET", "/api/admin/exclusions", root)[1]]
    assert is_patron_id(patron)
    assert api(real, "GET", "/api/me", token)[1]["patron"] == patron
    assert api(real, "POST", "/api/admin/exclusions/p8/end", root)[0] == 400, (
        "proxies log addresses"
    )
    status, waits = api(real, "POST", f"/api/admin/exclusions/{patron}/end", root)
    assert status == 200
    assert api(real, "POST", "/api/session", other, {"card": "p8"})[0] == 403, "one is not enough"
    path = f"/api/admin/proposals/{waits['proposal']}/agree"
    assert api(real, "POST", path, root)[1]["code"] == "second-person-needed"
    assert api(real, "POST", path, second_person(real))[0] == 200
    wait_until(lambda: not api(real, "GET", "/api/me", token)[1]["tables"][0]["stopped"])
    assert api(real, "POST", "/api/session", other, {"card": "p8"})[0] == 200


def test_a_card_leaves_no_trace_and_when_it_is_erased_nothing_leads_to_its_patron(
    real: Served, root: str
) -> None:
    card, database = "Zelda.Q-4711", real.folder / "floor.db"
    key = enrolled(real, root, "T20")
    token = api(real, "POST", "/api/session", key, {"card": f" {card.upper()} "})[1]["token"]
    assert api(real, "POST", "/api/tables/2/seat", token)[0] == 200
    patron = api(real, "GET", "/api/me", token)[1]["patron"]
    assert command(database, "patron", "find", card).strip() == patron
    exclude = {"command": "exclude-patron", "patron": card, "reason": "asked for it"}
    body = {"id": "zelda", "command": exclude}
    for _ in range(2):
        answer = api(real, "POST", "/api/staff/house/commands", root, body)[1]
        assert answer["ok"], "asked again it is the same command"
    wait_until(lambda: api(real, "GET", "/api/me", token)[1]["tables"][0]["stopped"])

    def erase() -> str:
        return command(database, "patron", "erase", card, "--reason", "the patron asked for it")

    with pytest.raises(AssertionError, match=f"{patron} sits at table 2"):
        erase()
    another = api(real, "POST", "/api/session", key, {"card": "other-4712"})
    assert another[0] == 200, "whose seat is left for the next patron"
    with pytest.raises(AssertionError, match=f"{patron} is excluded"):
        erase()
    command(database, "patron", "readmit", card, *by_two(real))
    assert patron in erase()
    with pytest.raises(AssertionError, match="knows no patron"):
        command(database, "patron", "find", card)
    time.sleep(8 * LOOK_S)  # a seat asked for before the floor has heard of it would be given
    wait_until(lambda: api(real, "POST", "/api/tables/2/seat", token)[0] == 403)
    again = api(real, "POST", "/api/session", key, {"card": card})[1]["token"]
    assert api(real, "GET", "/api/me", again)[1]["patron"] != patron

    erased = real.folder / "erased"
    command(database, "backup", "--to", str(erased))
    files = [path for path in real.folder.rglob("*") if path.is_file()]
    kept = b"".join(path.read_bytes() for path in files).lower()
    assert patron.encode() in kept, "the journal has the id"
    assert card.lower().encode() not in kept


def test_own_limits_hold_at_once_at_the_table_and_what_was_lost_counts_at_the_next(
    real: Served, root: str
) -> None:
    cash, dealer = staffed(real, root, "cid", "cashier"), staffed(real, root, "dan", "dealer")
    open_shift(real, cash, 3)
    first, second = enrolled(real, root, "T10"), enrolled(real, root, "T11")
    token = api(real, "POST", "/api/session", first, {"card": "p10"})[1]["token"]
    session = api(real, "POST", "/api/tables/2/seat", token)[1]["session"]
    asked(real, cash, "b10", "buy-in", 2, session=session, cents=50_000)
    limits = api(real, "POST", "/api/me/limits", token, {"loss_cents": 20_000, "minutes": 60})[1]
    assert (limits["loss_cents"], limits["minutes"], limits["wider"]) == (20_000, 60, None)
    wider = api(real, "POST", "/api/me/limits", token, {"loss_cents": 90_000, "minutes": 60})[1]
    assert (wider["loss_cents"], wider["wider"]) == (20_000, {"loss_cents": 90_000, "minutes": 60})
    wait_until(lambda: api(real, "GET", "/api/me", token)[1]["tables"][0]["loss_cents"] == 20_000)
    assert asked(real, dealer, "open10", "open-bets", 2)[1]["ok"]

    async def bet() -> list[str]:
        async with Terminal(real.address, table=2, token=token) as terminal:
            return [
                (await terminal.place(b, n)).code
                for b, n in (("player", 15_000), ("banker", 10_000), ("banker", 5_000))
            ]

    assert asyncio.run(bet()) == ["", "patron-limit-reached", ""]
    for n, (what, fields) in enumerate(
        [
            ("close-bets", {}),
            *(("enter-card", {"card": x}) for x in ("2h", "9s", "3d", "Tc")),
            ("enter-card", {"card": "2c"}),
            ("settle", {}),
        ]
    ):
        asked(real, dealer, f"s10-{n}", what, 2, **fields)
    wait_until(lambda: api(real, "GET", "/api/me", token)[1]["tables"][0]["lines"])
    status, elsewhere = api(real, "POST", "/api/session", second, {"card": "p10"})
    status, problem = api(real, "POST", "/api/tables/1/seat", elsewhere["token"])
    assert (status, problem["code"]) == (409, "seated-elsewhere")
    lost = -api(real, "GET", "/api/me", token)[1]["tables"][0]["net_cents"]
    assert lost > 0
    assert api(real, "POST", "/api/tables/2/cash-out", token, {"id": "out10"})[0] == 200
    wait_until(
        lambda: api(real, "GET", "/api/me", elsewhere["token"])[1]["limits"]["lost_cents"] == lost
    )
    seat = api(real, "POST", "/api/tables/1/seat", elsewhere["token"])[1]
    assert seat["loss_cents"] == 20_000 - lost
    assert seat["ends_at"] <= seat["since"] + 3_600_000


@pytest.mark.waits
def test_the_floor_is_stopped_and_started_and_no_round_opens_between(
    real: Served, root: str
) -> None:
    assert api(real, "POST", "/api/admin/floor/stop", root, SAFETY)[0] == 200
    wait_until(
        lambda: all(
            (t["halted"] or {}).get("en") == "for everybody's safety"
            for t in api(real, "GET", "/api/tables")[1]
        )
    )
    wait_until(lambda: api(real, "GET", "/api/tables/1")[1]["phase"] in ("settled", "void"))
    round_ = api(real, "GET", "/api/tables/1")[1]["round"]
    time.sleep(1.5)
    assert api(real, "GET", "/api/tables/1")[1]["round"] == round_
    assert api(real, "POST", "/api/admin/floor/stop", root, SAFETY)[0] == 409
    status, opened = api(real, "POST", "/api/admin/tables", root, {"number": 3, "game": "six-star"})
    assert status == 201, opened
    wait_until(
        lambda: (
            api(real, "GET", "/api/tables/3")[1]["halted"]
            == {"en": "for everybody's safety", "zh": "為保障安全"}
        )
    )
    assert api(real, "POST", "/api/admin/floor/start", root)[0] == 200
    wait_until(lambda: api(real, "GET", "/api/tables/1")[1]["round"] > round_)
    assert not api(real, "GET", "/api/tables/3")[1]["halted"]


def test_tables_are_added_changed_stopped_and_closed_over_http(real: Served, root: str) -> None:
    clock = {"betting_ms": 5_000, "pause_ms": 60_000, "automatic": True}
    status, row = api(
        real, "POST", "/api/admin/tables", root, {"number": 7, "game": "six-star", "clock": clock}
    )
    assert (status, row["game"], row["clock"]["betting_ms"]) == (201, "six-star", 5_000)
    assert api(real, "POST", "/api/admin/tables", root, {"number": 7, "game": "six-star"})[0] == 409
    assert api(real, "POST", "/api/admin/tables", root, {"number": 8, "game": "whist"})[0] == 409
    limits = row["limits"] | {"patron_max_cents": 123_400}
    row = api(real, "POST", "/api/admin/tables/7", root, {"limits": limits})[1]
    assert row["limits"]["patron_max_cents"] == 123_400
    assert api(real, "POST", "/api/admin/tables/7/stop", root, SAFETY)[1]["ok"]
    assert api(real, "POST", "/api/admin/tables/7/start", root)[1]["ok"]
    assert api(real, "POST", "/api/admin/tables/7/disable", root, PLAY_ENDS)[1] == {"closed": True}
    assert api(real, "GET", "/api/admin/tables", root)[1][-1]["phase"] == "down"
    assert api(real, "POST", "/api/admin/tables/99", root, {"limits": limits})[0] == 404


def test_the_cards_of_a_table_are_set_up_over_http(real: Served, root: str) -> None:
    cards = {"source": "continuous", "decks": 6, "road_rounds": 40}
    body = {"number": 21, "game": "super-six-plus", "cards": cards}
    status, row = api(real, "POST", "/api/admin/tables", root, body)
    assert (status, row["cards"]["source"], row["cards"]["decks"]) == (201, "continuous", 6)
    status, said = api(
        real, "POST", "/api/admin/tables", root, body | {"number": 22, "game": "six-star"}
    )
    assert (status, said["code"]) == (409, "shoe-refused")
    assert "no electronic shuffler" in said["reason"]["en"]
    status, row = api(
        real,
        "POST",
        "/api/admin/tables/21",
        root,
        {"cards": {"burn": "first-card", "count_shoes": True}},
    )
    assert (status, row["cards"]["burn"], row["cards"]["source"]) == (200, "first-card", "shoe")
    assert (
        api(real, "POST", "/api/admin/tables/21", root, {"cards": {"burn": 51}})[1]["code"]
        == "shoe-refused"
    )
    assert api(real, "POST", "/api/admin/tables/21", root, {"cards": {"burn": "two"}})[0] == 400
    status, refused = api(real, "POST", "/api/admin/tables/21", root, {"clock": {"decks": 4}})
    assert status == 400
    assert (
        refused["reason"]["en"]
        == "that cannot be read: clock: Object contains unknown field `decks`"
    )
    games = {
        game["game"]: game["shuffler"] for game in api(real, "GET", "/api/admin/games", root)[1]
    }
    assert [game for game, has in games.items() if has] == ["super-six-plus"]


def test_a_dealer_s_shoe_with_set_id_and_count_over_http(real: Served, root: str) -> None:
    """A count that differs: the shoe is not played, and the reports and the record say which set it was."""
    sue = staffed(real, root, "sue.shoes", "supervisor")
    cards = {"decks": 4, "count_shoes": True, "burn": "first-card"}
    body = {"number": 23, "game": "fortune-six", "physical": True, "cards": cards}
    assert api(real, "POST", "/api/admin/tables", root, body)[0] == 201
    assert api(real, "GET", "/api/tables/23")[1]["shoe"] is None, "somebody has to count it first"

    def at_table(id_: str, kind: str, **fields: Any) -> Any:
        return asked(real, sue, f"shoes-{id_}", kind, 23, **fields)[1]

    new = {"set_id": "B-7", "first_card": "9s"}
    assert at_table("1", "new-shoe", **new)["code"] == "shoe-refused"
    assert at_table("2", "new-shoe", **new, counted=207)["ok"]
    view = api(real, "GET", "/api/staff/tables/23", sue)[1]
    assert (view["shoe"]["set_id"], view["shoe"]["counted"], view["shoe"]["spoiled"]) == (
        "B-7",
        207,
        "wrong-deck-count",
    )
    assert [action["command"] for action in view["next"]] == ["end-shoe"]
    assert at_table("4", "open-bets")["code"] == "shoe-must-be-changed"
    assert at_table("5", "end-shoe")["ok"]
    assert at_table("3", "new-shoe", **(new | {"set_id": "B-8"}), counted=208)["ok"]
    assert at_table("6", "open-bets")["ok"]
    rows = api(real, "GET", "/api/staff/audit/streams/table:23/entries?text=B-7", sue)[1]["rows"]
    said = " ".join(row["says"]["en"] for row in rows)
    assert "set B-7, 9s turned, 9 burned unseen" in said
    assert "(set B-7): 207 cards counted, 208 expected" in said


def test_what_is_asked_for_in_a_round_waits_in_the_table_and_is_done_when_it_is_over(
    real: Served, root: str
) -> None:
    """The same from HTTP and from the command line; everybody sees it, and it can be withdrawn."""
    sue = staffed(real, root, "sue.waits", "supervisor")
    body = {"number": 24, "game": "fortune-six", "physical": True}
    limits = api(real, "POST", "/api/admin/tables", root, body)[1]["limits"]

    def at_table(id_: str, kind: str, **fields: Any) -> Any:
        return asked(real, sue, f"waits-{id_}", kind, 24, **fields)[1]

    def row() -> Any:
        rows = api(real, "GET", "/api/admin/tables", root)[1]
        return next(each for each in rows if each["table"] == "table:24")

    assert at_table("1", "open-bets")["ok"]
    change = {"limits": limits | {"patron_max_cents": 123_400}, "clock": {"guard_ms": 2_000}}
    status, told = api(real, "POST", "/api/admin/tables/24", sue, change)
    assert (status, told["limits"]) == (200, limits)
    assert [(each["kind"], each["by"]) for each in told["scheduled"]] == [
        ("limits", "sue.waits"),
        ("clock", "sue.waits"),
    ]
    assert api(real, "POST", "/api/admin/tables/24", sue, {"cards": {"burn": 51}})[0] == 409
    said = command(real.database, "table", "change", "24", "--close-bet", "tie")
    assert "table 24 changes when the round in play is over: clock, limits" in said
    wait_until(lambda: row()["scheduled"][-1]["kind"] == "limits")
    assert row()["scheduled"][-1]["by"].startswith("os:")
    assert "clock, by sue.waits; limits, by os:" in command(real.database, "table", "list")
    assert command(real.database, "table", "withdraw", "24", "clock").strip() == (
        "table 24 keeps its clock"
    )
    wait_until(lambda: len(row()["scheduled"]) == 1)
    board = api(real, "GET", "/api/staff/pit", sue)[1]["tables"]
    [table] = [each for each in board if each["number"] == 24]
    assert [each["kind"] for each in table["scheduled"]] == ["limits"]

    assert at_table("2", "close-bets")["ok"]
    for card in ("9s", "2h", "Td", "4h"):
        assert at_table(card, "enter-card", card=card)["ok"]
    assert at_table("3", "settle")["ok"]
    wait_until(lambda: not row()["scheduled"])
    after = row()
    assert after["limits"]["patron_max_cents"] == 123_400, "what both asked for stands"
    assert after["limits"]["bets"]["tie"]["closed"]
    assert after["clock"]["guard_ms"] == 0
    path = "/api/staff/audit/streams/table:24/entries?text="
    entries = api(real, "GET", f"{path}asked", sue)[1]["rows"]
    told = " ".join(each["says"]["en"] for each in entries)
    assert "; asked for by os:" in told
    assert "the change of clock that sue.waits asked for is not made: it was withdrawn" in told
    assert "the change of limits that sue.waits asked for is not made: another" in told


def test_the_cards_of_a_table_are_set_up_at_the_command_line(tmp_path: Path) -> None:
    database = tmp_path / "floor.db"
    init_house(database)
    command(
        database,
        "table",
        "add",
        "1",
        "super-six-plus",
        "--source",
        "continuous",
        "--road-rounds",
        "40",
    )
    command(
        database,
        "table",
        "add",
        "2",
        "fortune-six",
        "--dealer",
        "--burn",
        "first-card",
        "--count-shoes",
        "--betting",
        "20",
        "--closes",
        "clock",
    )
    command(
        database,
        "table",
        "change",
        "1",
        "--source",
        "shoe",
        "--decks",
        "6",
        "--cut",
        "20",
        "--burn",
        "3",
    )
    first, second = json.loads(command(database, "table", "list", "--json"))
    assert first["cards"] == {
        "source": "shoe",
        "dealing": "virtual",
        "decks": 6,
        "cut": 20,
        "burn": 3,
        "count_shoes": False,
        "road_rounds": 40,
    }
    assert (
        second["cards"]["dealing"],
        second["cards"]["burn"],
        second["cards"]["count_shoes"],
    ) == ("physical", "first-card", True)
    assert second["clock"]["closes_by_clock"]
    continuous = ("table", "add", "3", "rapid", "--source", "continuous")
    refused = command_line(*continuous, "--database", str(database))
    assert refused.returncode != 0
    assert (
        "Rapid No Commission Baccarat is dealt from a shoe; its rules have no electronic shuffler"
        in refused.stderr
    )
    assert "Traceback" not in refused.stderr


def test_a_table_in_play_closes_by_itself_when_its_round_is_over(real: Served, root: str) -> None:
    clock = {
        "betting_ms": 2_000,
        "card_ms": 50,
        "guard_ms": 50,
        "pause_ms": 500,
        "automatic": True,
        "new_shoes": True,
    }
    api(real, "POST", "/api/admin/tables", root, {"number": 9, "game": "rapid", "clock": clock})
    wait_until(lambda: api(real, "GET", "/api/tables/9")[1]["phase"] == "betting")
    round_ = api(real, "GET", "/api/tables/9")[1]["round"]
    status, said = api(real, "POST", "/api/admin/tables/9/disable", root, PLAY_ENDS)
    assert (status, said) == (200, {"closed": False})
    table = api(real, "GET", "/api/tables/9")[1]
    assert (table["closing"], table["phase"]) == (True, "betting")
    assert table["halted"]["en"] == "play ends here for today"
    assert api(real, "POST", "/api/admin/tables/9/disable", root, PLAY_ENDS)[0] == 409
    wait_until(lambda: api(real, "GET", "/api/tables/9")[1]["phase"] == "settled")
    wait_until(lambda: api(real, "GET", "/api/tables/9")[1]["phase"] == "down")
    table = api(real, "GET", "/api/tables/9")[1]
    assert (table["round"], table["halted"], table["closing"]) == (round_, None, False)


def test_staff_are_changed_disabled_and_locked_out(real: Served, root: str) -> None:
    token = staffed(real, root, "eve", "supervisor")
    assert (
        api(real, "POST", "/api/admin/staff", token, {"name": "mallory", "role": "administrator"})[
            0
        ]
        == 403
    )
    for _ in range(3):
        assert (
            api(real, "POST", "/api/staff/login", body={"name": "eve", "password": "wrong"})[0]
            == 401
        )
    [row] = [row for row in api(real, "GET", "/api/admin/staff", root)[1] if row["name"] == "eve"]
    assert row["locked"]
    assert api(real, "GET", "/api/admin/tables", token)[0] == 200, "who is logged in stays so"
    status, made = api(real, "POST", "/api/admin/staff/eve", root, {"new_code": True})
    assert status == 200, made
    assert api(real, "GET", "/api/admin/tables", token)[0] == 200, "one person changes nothing"
    code = given_code(real, made)
    assert api(real, "GET", "/api/admin/tables", token)[0] == 401
    shown = {"name": "eve", "shown": code}
    assert api(real, "POST", "/api/staff/enrol/begin", body=shown)[0] == 401, "eve waits here"
    assert api(real, "POST", "/api/admin/staff/eve", root, {"disable": "left us"})[0] == 200
    assert api(real, "GET", "/api/admin/tables", token)[0] == 401
    assert (
        api(real, "POST", "/api/admin/staff/admin2", root, {"role": "dealer"})[1]["code"]
        == "last-administrator"
    )
    assert "verifier" not in json.dumps(api(real, "GET", "/api/admin/staff", root)[1])


def test_the_floor_that_is_served_hears_of_the_command_line(real: Served, root: str) -> None:
    people = by_two(real)
    said = command(real.database, "staff", "add", "fay", "auditor", *people)
    code = re.search(r"shown this once: (.+)", said)
    assert code
    wait_until(
        lambda: any(row["name"] == "fay" for row in api(real, "GET", "/api/admin/staff", root)[1])
    )
    assert enrol_staff(real, "fay", code[1])
    command(real.database, "table", "stop", "1", "--cause", "table-prepared")
    cause = {"en": "the table is being made ready", "zh": "正在整理賭枱"}
    wait_until(lambda: api(real, "GET", "/api/tables/1")[1]["halted"] == cause)
    command(real.database, "table", "change", "1", "--betting", "1.4", "--close-bet", "tie")
    wait_until(lambda: closed_bets(real) == ["tie"])
    command(real.database, "table", "change", "1", "--open-bet", "tie")
    wait_until(lambda: closed_bets(real) == [])
    command(real.database, "table", "start", "1")
    round_ = api(real, "GET", "/api/tables/1")[1]["round"]
    wait_until(lambda: api(real, "GET", "/api/tables/1")[1]["round"] > round_ + 1)


@pytest.mark.usefixtures("root")
def test_a_one_time_code_of_the_command_line_is_good_once(real: Served) -> None:
    people = by_two(real)
    command(real.database, "staff", "add", "tim", "dealer", *people)
    own, code = Path(people[people.index("--first-password-file") + 1]).read_text().split("\n")[:2]
    body = {"name": "admin", "password": own, "one_time": code}
    assert posted(real, "/api/staff/login", body)[0] == 401
    again = ("staff", "add", "don", "dealer", *people, "--database", str(real.database))
    done = command_line(*again)
    assert done.returncode == 2
    assert "wrong name, password" in done.stderr


def closed_bets(real: Served) -> list[str]:
    return [
        bet["bet"]
        for bet in api(real, "GET", "/api/tables/1")[1]["bets"]
        if bet["limits"].get("closed")
    ]


def test_nobody_pays_anybody_else(real: Served, root: str) -> None:
    """No path and no command moves credits from one session to another; a session in a message is not even read."""
    paths = api(real, "GET", "/api/openapi.json")[1]["paths"]
    assert not [
        path
        for path in paths
        if re.search("transfer|pay|gift|send", path) and "/staff/" not in path
    ]
    one = api(real, "POST", "/api/session", enrolled(real, root, "T13"), {})[1]
    two = api(real, "POST", "/api/session", enrolled(real, root, "T14"), {})[1]
    api(real, "POST", "/api/tables/2/seat", one["token"])
    body = {"id": "x", "session": one["session"]}
    assert api(real, "POST", "/api/tables/2/cash-out", two["token"], body)[0] == 400
    assert http(
        real, "GET", f"/api/me?session={one['session']}", Authorization=f"Bearer {two['token']}"
    )[0] in (
        200,
        400,
    )


def test_an_expired_voucher_is_owed_apart(real: Served, root: str) -> None:
    cash, token = (
        staffed(real, root, "clea", "cashier"),
        api(real, "POST", "/api/session", enrolled(real, root, "T15"), {})[1]["token"],
    )
    open_shift(real, cash, 4)
    session = api(real, "POST", "/api/tables/2/seat", token)[1]["session"]
    asked(real, cash, "buy-late", "buy-in", 2, session=session, cents=3_000)
    assert api(real, "POST", "/api/tables/2/cash-out", token, {"id": "late"})[0] == 200
    before = api(real, "GET", "/api/staff/reports/liability", root)[1]
    with sqlite3.connect(real.database) as db:
        [(voucher, cents)] = db.execute(
            "SELECT voucher, cents FROM vouchers WHERE redeemed_seq IS NULL LIMIT 1"
        )
        db.execute("UPDATE vouchers SET expires_at = 1 WHERE voucher = ?", (voucher,))
    after = api(real, "GET", "/api/staff/reports/liability", root)[1]
    assert after["expired_cents"] == before["expired_cents"] + cents
    assert after["open_cents"] == before["open_cents"] - cents
    assert after["ties_out"]
    assert (
        "expired amount"
        in http(real, "GET", "/api/staff/reports/liability.csv", Authorization=f"Bearer {root}")[
            2
        ].decode()
    )
    assert not audit(real.database).sound, "and the audit finds who did it"


def test_staff_and_terminals_outlive_the_server_and_secrets_are_nowhere(
    real: Served, root: str
) -> None:
    token = staffed(real, root, "gus", "dealer")
    key = enrolled(real, root, "T12")
    ticket = api(real, "POST", "/api/session", key, {})[1]["token"]
    real.kill()
    real.start()
    assert api(real, "GET", "/api/admin/tables", token)[0] == 401, "a login lives in memory only"
    assert login_real(real, "admin", "long enough words")
    assert api(real, "POST", "/api/session", key, {})[0] == 200
    assert api(real, "GET", "/api/me", ticket)[0] == 200
    everything = (
        real.database.read_bytes()
        + Path(f"{real.database}-wal").read_bytes()
        + (real.folder / "log").read_bytes()
    )
    for secret in ("long enough words", key.partition(".")[2], ticket.rpartition(".")[2]):
        assert secret.encode() not in everything


@pytest.mark.parametrize(
    "words",
    [
        ["--demo"],
        ["--host", "0.0.0.0"],
        ["--tls-cert", "nowhere.pem"],
        ["--tls-cert", "a", "--tls-key", "b"],
    ],
)
def test_a_floor_is_not_served_otherwise_than_it_was_set_up(real: Served, words: list[str]) -> None:
    done = command_line(
        "serve", "--database", str(real.database), "--port", str(free_port()), *words
    )
    assert done.returncode == 2
    assert done.stderr.startswith("puntobanco: ")
    assert done.stderr.count("\n") == 1


def test_a_folder_without_a_floor_is_not_served(tmp_path: Path) -> None:
    port = str(free_port())
    done = command_line("serve", "--database", str(tmp_path / "floor.db"), "--port", port)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "puntobanco init" in done.stderr


def test_a_refused_enrolment_says_what_to_do(real: Served) -> None:
    with pytest.raises(FloorRefused, match="ask for a new one"):
        enrol(real.address, "ABCD-EFGH-JKMN")
