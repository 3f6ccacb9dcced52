"""Reports of a scripted week: meters, journal, ledger and reports come to the same cents, by a second bookkeeper."""

import json
import os
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import ClassVar

import msgspec
import pytest

import puntobanco_floor.domain.events as e
from puntobanco.base.version import __version__
from puntobanco.rules.causes import Cause
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain import ledger
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.event import EventTraits
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import Calendar, Cut
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.reports import report_pages
from puntobanco_floor.reports.figures import (
    MOVES,
    NAMES,
    SESSIONS,
    Figures,
    GameKey,
    Place,
    Tally,
    Thresholds,
    find_significant,
    total,
)
from puntobanco_floor.reports.interval import KINDS, BadDay, Kind, interval, parse_day
from puntobanco_floor.reports.report import report
from puntobanco_floor.reports.rows import Report
from puntobanco_floor.store.backup import copy
from puntobanco_proof.entry.format import NOTHING
from tests.floor.bookkeeper import Book, books, voids_after_a_card
from tests.floor.week import CAGE, DAYS, HAND, HASH, Week, played, rulings
from tests.storage.servers import database, server
from tests.support.forked import command_line

NOW = 1_773_000_000_000  # after the week
GOLDEN = Path(__file__).with_name("daily-report.txt")


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("week") / "floor.db"
    played(path)
    assert audit(path).sound
    return path


def made(path: Path | str, kind: Kind, day: date) -> Report:
    return report(str(path), kind, now=NOW, day=day, over=Thresholds(large_wager_cents=300_000))


def summed(
    found: dict[tuple[str, str, str], Book], *, days: set[str], stream: str = "", terminal: str = ""
) -> Book:
    whole = Counter[str]()
    for (day, s, t), book in found.items():
        if day in days and stream in ("", s) and terminal in ("", t):
            whole.update(book)
    return whole


def ends_of(kind: Kind, last: date) -> set[str]:
    first = {
        "daily": last,
        "month": last.replace(day=1),
        "year": date(2026, 1, 1),
        "life": date(2000, 1, 1),
    }[kind]
    return {day.isoformat() for day in DAYS if first <= day <= last}


CASES: list[tuple[Kind, date]] = [
    *(("daily", day) for day in DAYS),
    ("month", DAYS[2]),
    ("month", DAYS[6]),
    ("year", DAYS[4]),
    ("life", DAYS[6]),
]


@pytest.mark.parametrize(("kind", "day"), CASES, ids=str)
def test_meters_journal_ledger_and_reports_come_to_the_same_cents(
    week: Path, kind: Kind, day: date
) -> None:
    found, own, days = made(week, kind, day), books(week), ends_of(kind, day)
    assert found.ties_out, found.faults
    for row in found.meters:
        book = summed(own, days=days, terminal=row.terminal)
        assert (row.games, row.wagered_cents, row.won_cents) == (
            book["games"],
            book["wagered"],
            book["won"],
        )
        assert (row.cash_in_cents, row.vouchers_in_cents) == (book["cash in"], book["vouchers in"])
        assert (row.loads_cents, row.vouchers_out_cents) == (book["loads"], book["vouchers out"])
        assert (row.cash_outs_cents, row.hand_pays_cents) == (book["cash-outs"], book["hand pays"])
        assert row.adjustments_cents == book["adjusted"]
    for stream in {row.table for row in found.games}:
        book = summed(own, days=days, stream=stream)
        games = [row for row in found.games if row.table == stream]
        drop = [row for row in found.drop if row.table == stream]
        assert sum(row.rounds for row in games) == book["rounds"]
        assert sum(row.voids for row in games) == book["voids"]
        assert sum(row.reopened for row in games) == book["reopened"]
        assert sum(row.wagered_cents for row in games) == book["wagered"]
        assert sum(row.won_cents for row in games) == book["won"]
        assert sum(row.voided_cents for row in games) == book["voided"]
        assert sum(row.unrecovered_cents for row in games) == book["unrecovered"]
        assert (
            sum(row.drop_cents for row in drop)
            == book["cash in"] + book["loads"] + book["vouchers in"]
        )
        assert (
            sum(row.out_cents for row in drop)
            == book["cash-outs"] + book["vouchers out"] + book["hand pays"]
        )
        assert sum(row.win_cents for row in drop) == book["wagered"] - book["won"]
        adjusted = [row for row in found.adjustments if row.table == stream]
        assert sum(row.adjustments for row in adjusted) == book["adjustments"]
        assert sum(row.credits_cents for row in adjusted) == book["adjusted"]
        assert sum(row.cash_cents for row in adjusted) == book["adjusted cash"]
    voids = {(row.ground, row.by): (row.rounds, row.returned_cents) for row in found.voided}
    assert voids == voids_after_a_card(week, days)
    whole = summed(own, days=days)
    assert (
        sum(row.wagered_cents for row in found.meters)
        == sum(row.wagered_cents for row in found.bets)
        == whole["wagered"]
    )
    assert sum(row.issued_cents for row in found.vouchers) == whole["vouchers out"] + whole["sold"]
    assert sum(row.redeemed_cents for row in found.vouchers) == whole["vouchers in"] + whole["paid"]


def test_voids_after_the_first_card_are_listed_by_ground_and_by_pair_of_staff(week: Path) -> None:
    """The scanner's of the second day, and the one of the third day that was reopened first."""
    found = made(week, "life", DAYS[6])
    rows = [(row.ground, row.by, row.rounds, row.returned_cents) for row in found.voided]
    assert rows == [
        ("malfunction", "sam and sue", 1, 7_000),
        ("wrong-card-count", "sam and sue", 1, 3_000),
    ]
    [section] = [
        each for each in report_pages.tables(found) if each.title == "Voids after the first card"
    ]
    assert section.columns == ("ground", "by", "rounds", "wagers returned")
    assert made(week, "daily", DAYS[0]).voided == []


def test_a_void_before_the_first_card_is_not_listed_and_the_server_s_own_is_named_so() -> None:
    """Whoever proposed and whoever approved, a pair is one row."""
    place, tally = Place(), Tally()
    card = e.CardDealt(round=1, slot="p1", card="9s", why=Cause("first-card"), clause="3.7.1")

    def void(number: int, *events: e.Event, by: tuple[str, str], ground: str) -> None:
        ended = e.RoundVoided(
            round=number, ground=ground, clause="", lines=(), proposed_by=by[0], approved_by=by[1]
        )
        opened = e.BetsOpened(round=number, shoe=1, announcement="", closes_at=None)
        tally.take(entry_of(opened, *events, ended), place)

    void(1, by=("sam", "sue"), ground="foreign-card")
    void(2, card, by=("sam", "sue"), ground="foreign-card")
    void(3, card, by=("sue", "sam"), ground="foreign-card")
    void(4, card, by=("", ""), ground="insufficient-cards")
    counted = {key: figures.rounds for key, figures in tally.voided.items()}
    assert counted == {("foreign-card", ("sam", "sue")): 2, ("insufficient-cards", ()): 1}


def test_a_life_is_what_the_ledger_holds(week: Path) -> None:
    found = made(week, "life", DAYS[6])
    with sqlite3.connect(week) as db:
        held = dict(
            db.execute(
                "SELECT account, sum(cents) FROM balances WHERE account NOT LIKE 'session:%' GROUP BY 1"
            )
        )
        credits_ = db.execute(
            "SELECT sum(cents) FROM balances WHERE account LIKE 'session:%'"
        ).fetchone()[0]
    ties = {tie.what: tie.report_cents for tie in found.ties}
    assert {account: ties[account] for account in held} == held
    assert ties["sessions"] == ties["credits of all terminals, by their meters"] == credits_
    assert sum(row.win_cents for row in found.games) == held["bank"] + held.get("bonus", 0)
    assert sum(row.in_play_cents for row in found.games) == held["wagers"] == 1_000
    assert sum(row.out_cents for row in found.vouchers) == held["vouchers"]


def test_the_days_add_up_to_the_week_and_the_month_begins_on_its_first_day(week: Path) -> None:
    life = made(week, "life", DAYS[6])
    days = [made(week, "daily", day) for day in DAYS]
    month = [made(week, "daily", day) for day in DAYS if day.month == 3]
    for whole, parts in ((life, days), (made(week, "month", DAYS[6]), month)):
        for name in ("wagered_cents", "won_cents", "voided_cents", "rounds", "voids", "reopened"):
            assert sum(getattr(r, name) for r in whole.games) == sum(
                getattr(r, name) for p in parts for r in p.games
            )
        by_game = Counter[tuple[str, str, int]]()
        for part in parts:
            for row in part.drop:
                by_game[row.table, row.game, row.decks] += row.drop_cents
        assert by_game == Counter(
            {
                (r.table, r.game, r.decks): sum(
                    x.drop_cents
                    for x in whole.drop
                    if (x.table, x.game, x.decks) == (r.table, r.game, r.decks)
                )
                for r in whole.drop
            }
        )


def test_an_adjustment_is_on_its_own_line_and_changes_no_drop_win_or_hold(tmp_path: Path) -> None:
    """The same day with adjustments and without."""
    found = list[Report]()
    for name in ("with", "without"):
        path = tmp_path / f"{name}.db"
        w = Week(path)
        w.at(0, 9)
        w.do("floor", h.OpenHouse(by="init", house="Marina", administrator="ada", verifier=HASH))
        w.do(CAGE, g.OpenShift(by="carl", float_cents=1_000_000))
        w.do(HAND, c.OpenTable(by="ada", game="fortune-six"))
        w.do(HAND, c.NewShoe(by="sam", decks=8, dealing="physical"))
        w.sit(HAND, "T2:b", 400_000)
        w.sit(HAND, "ben", 200_000)
        w.open(HAND, "T2:b banker 40,ben player 30")
        w.deal(HAND, "2s 3h 4d 6c")
        w.cash(HAND, c.CashOut(by="carl", session="ben", window=1, shift=1), -197_000)
        drawer = 1_000_000 + 600_000 - 197_000
        if name == "with":
            rulings(w)
            drawer -= 2_300
        w.do(CAGE, g.CountShift(by="carl", counted_cents=drawer))
        w.do(CAGE, g.ConfirmCount(by="sue", counted_cents=drawer))
        w.store.close()
        found.append(made(path, "daily", DAYS[0]))
    paid, plain = found
    assert (paid.ties_out, plain.ties_out) == (True, True), paid.faults
    assert (paid.games, paid.bets, paid.drop) == (plain.games, plain.bets, plain.drop)
    assert [row.difference_cents for row in paid.drawers] == [0]
    [row] = paid.adjustments
    assert (row.table, row.adjustments, row.credits_cents, row.cash_cents, row.total_cents) == (
        "table:2",
        2,
        1_700,
        2_300,
        4_000,
    )
    assert plain.adjustments == []
    assert {tie.what: tie.ledger_cents for tie in paid.ties}["adjustments"] == -4_000
    assert paid.kinds["adjustment"] == 2
    assert "adjustments 2, $40" in paid.exceptions
    assert "Adjustments" in report_pages.as_csv(paid)
    assert "table:2,fortune-six,8,2,17.00,23.00,40.00" in report_pages.as_csv(paid)


def test_an_export_of_adjustments_has_a_row_for_each(week: Path) -> None:
    where = ("export", "--database", str(week), "--what", "adjustments", "--format")
    header, *rows = shell(*where, "csv").stdout.splitlines()
    assert header.startswith("stream,entry,time,session,round,review,cents,clause,direction,note,")
    ground = [row.split(",")[3:] for row in rows]
    assert ground == [
        ["T2:b", "9", "1", "1700", "house", "", "the rest", "0", "0", "sam", "sue"],
        ["ben", "9", "0", "2300", "", "letter 7", "so", "1", "1", "sam", "sue"],
    ]
    plain = [json.loads(line) for line in shell(*where, "jsonl").stdout.splitlines()]
    assert [row["cents"] for row in plain] == [1_700, 2_300]
    moved = shell(*where[:3], "--what", "transfers", "--format", "csv").stdout
    assert "adjustments,session:T2:b,1700" in moved
    assert "adjustments,cage,2300" in moved


def test_other_decks_and_another_game_are_other_games_in_reports(week: Path) -> None:
    rows = [(row.table, row.game, row.decks) for row in made(week, "life", DAYS[6]).games]
    assert rows == [
        ("table:1", "sands-elements", 8),
        ("table:1", "six-star", 8),
        ("table:2", "fortune-six", 8),
        ("table:3", "rapid", 0),
        ("table:3", "rapid", 6),
        ("table:3", "rapid", 8),
    ]
    assert [
        (row.game, row.decks)
        for row in made(week, "daily", DAYS[2]).games
        if row.table == "table:3"
    ] == [("rapid", 8)]


def test_wagers_over_midnight_are_funds_in_interrupted_games_until_they_are_settled(
    week: Path,
) -> None:
    eve, day = made(week, "daily", DAYS[3]), made(week, "daily", DAYS[4])
    assert [(row.table, row.cents) for row in eve.interrupted] == [
        ("table:1", 2_500),
        ("table:2", 7_000),
    ]
    assert sum(row.wagered_cents for row in eve.games) == 0
    assert day.interrupted == []
    assert any("round 11 is not finished, $70 in play" in text for text in eve.exceptions)


def test_a_voucher_that_nobody_brought_is_shown_on_the_day_it_expired_and_is_still_owed(
    week: Path,
) -> None:
    expired = {
        day: sum(row.expired_cents for row in made(week, "daily", day).vouchers) for day in DAYS
    }
    assert {day for day, cents in expired.items() if cents} == {DAYS[2]}
    last = made(week, "daily", DAYS[6])
    assert sum(row.out_expired_cents for row in last.vouchers) == 300_000
    assert sum(row.out_cents for row in last.vouchers) > 300_000


def test_a_past_day_reads_the_same_whenever_it_is_asked_for(week: Path) -> None:
    at_once = report(str(week), "daily", now=1_772_236_800_000, day=DAYS[1])
    assert at_once == msgspec.structs.replace(
        report(str(week), "daily", now=NOW, day=DAYS[1]), at=at_once.at
    )


@pytest.mark.parametrize("kind", ["daily", "month"])
def test_a_day_on_which_nothing_happened_says_so(week: Path, kind: Kind) -> None:
    found = made(week, kind, DAYS[5] if kind == "daily" else DAYS[0] - timedelta(days=60))
    assert (found.note, found.games, found.meters, found.events, found.ties_out) == (
        "No activity",
        [],
        [],
        [],
        True,
    )
    assert "No activity" in report_pages.as_csv(found)
    assert "<dd>No activity</dd>" in report_pages.as_html(found)


SIGNIFICANT = {
    "adjustment": 2,
    "review asked": 1,
    "review answered": 1,
    "correction": 1,
    "exclusion": 1,
    "failed login": 1,
    "irregularity": 1,
    "large wager": 1,
    "override": 1,
    "reopening": 1,
    "staff load": 2,
    "stop": 2,
    "void": 1,
}


def test_each_trigger_is_one_significant_event(week: Path) -> None:
    found = made(week, "daily", DAYS[1])
    assert found.kinds == SIGNIFICANT
    assert Counter(event.kind for event in found.events) == SIGNIFICANT
    life = made(week, "life", DAYS[6])
    text = report_pages.as_csv(life)
    assert "set up as Marina" in text
    assert "the floor stopped: a drill" in text
    with sqlite3.connect(week) as db:
        hashes = {
            h
            for (d,) in db.execute("SELECT data FROM entries WHERE stream = 'floor'")
            for h in _hashes(json.loads(d))
        }
    assert hashes
    assert not any(value in text for value in hashes), "a report shows no verifier, code or key"


def _hashes(entry: list[object]) -> Iterator[str]:
    for part in entry:
        if isinstance(part, dict) and part.get("event") != "KeyAdmitted":
            yield from (part[name] for name in ("verifier", "code", "key") if part.get(name))


def test_a_floor_on_postgresql_has_the_same_reports(week: Path, tmp_path: Path) -> None:
    with server() as address, database(address) as url:
        copy(str(week), url, target_keys=tmp_path / "floor.keys")
        for kind, day in (("daily", DAYS[1]), ("month", DAYS[6]), ("life", DAYS[6])):
            assert made(url, kind, day) == made(week, kind, day)  # type: ignore[arg-type]


# The fold itself


class TipGiven(e.Event):
    """Money that no report has heard of."""

    traits: ClassVar = EventTraits(group="money")
    session: str
    cents: int

    def transfers(self) -> tuple[ledger.Transfer, ...]:
        return (ledger.Transfer(ledger.CAGE, ledger.account_of(self.session), self.cents),)


class TipCounted(TipGiven):
    """The same, and reports have."""

    def figures(self) -> tuple[e.Figure, ...]:
        return (e.Figure("bought_cents", self.cents, self.session),)


def entry_of(*events: e.Event) -> Entry:
    return Entry(
        stream="table:1",
        epoch=1,
        id="",
        salt="",
        seq=1,
        at=0,
        by="x",
        command="x",
        rules="",
        prev=NOTHING,
        events=events,
    )


def test_an_event_that_moves_money_and_has_no_name_here_is_kept_apart() -> None:
    tally = Tally()
    tally.take(entry_of(TipGiven(session="ann", cents=500)), Place())
    assert tally.unknown == {"TipGiven": 500}
    tally = Tally()
    tally.take(entry_of(TipCounted(session="ann", cents=500)), Place())
    assert (tally.unknown, tally.by_terminal["guests"].bought_cents) == ({}, 500)


def test_a_report_that_meets_an_event_it_does_not_know_says_so_and_does_not_tie_out(
    week: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(e.CreditsLoaded, "figures", lambda _: ())
    found = made(week, "daily", DAYS[1])
    assert not found.ties_out
    assert (
        "CreditsLoaded, an event that reports do not know: report 0.00, ledger 940.00"
        in found.faults
    )
    assert any(text.startswith("table:2 cage: ") for text in found.faults)
    assert any(text.startswith("meters of T2: ") for text in found.faults)
    assert "DOES NOT TIE OUT" in report_pages.as_csv(found)


@pytest.mark.parametrize("table", ["transfers", "balances", "vouchers"])
def test_a_ledger_that_was_changed_does_not_tie_out(week: Path, tmp_path: Path, table: str) -> None:
    path = tmp_path / "floor.db"
    with sqlite3.connect(week) as source, sqlite3.connect(path) as target:
        source.backup(target)
    with sqlite3.connect(path) as db:
        for (name,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            db.execute(f"DROP TRIGGER {name}")
        where = (
            "stream = 'table:2' AND account = 'bank'"
            if table == "balances"
            else "cents = (SELECT max(cents) FROM vouchers)"
            if table == "vouchers"
            else "stream = 'table:2' AND seq = 62"
        )
        assert db.execute(f"UPDATE {table} SET cents = cents + 1 WHERE {where}").rowcount == 1
    assert not made(path, "life", DAYS[6]).ties_out


def test_every_amount_has_its_two_accounts_and_every_money_event_is_counted() -> None:
    assert set(MOVES) == {name for name in NAMES if name.endswith("_cents")}
    for kind in e.EVENTS:
        moves, counts = (getattr(kind, name) for name in ("transfers", "figures"))
        is_moved, is_counted = moves is not e.Event.transfers, counts is not e.Event.figures
        assert is_moved == is_counted, kind.__name__
    assert total([]).moved[SESSIONS] == 0
    assert not Figures()


def test_meters_have_eight_digits_and_no_rollover() -> None:
    tally = Tally()
    for _ in range(3):
        tally.take(
            entry_of(e.CreditsBought(session="T1:a", cents=10**11)),
            Place(game=GameKey("rapid", "x", 8)),
        )
    assert report_pages.meter(tally.by_terminal["T1"].bought_cents) == "3000000000.00"
    assert len(report_pages.meter(5).replace(".", "")) == 8


@pytest.mark.parametrize(
    "text", ["2026-13-01", "yesterday", "20261115", "2026-W01-1", "0001-01-01", ""]
)
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(BadDay):
        parse_day(text)


def test_intervals_end_with_the_day() -> None:
    day = date(2026, 3, 4)
    daily = interval("daily", day, Calendar())
    ends = {interval(kind, day, Calendar()).end for kind in KINDS}
    assert ends == {daily.end}
    assert daily.end - daily.start == 86_400_000
    singapore = Calendar((Cut("Asia/Singapore", 360),))
    assert interval("life", day, singapore).start == 0
    assert interval("daily", day, singapore).end == daily.end - 2 * 3_600_000


def test_reports_go_by_the_gaming_day_of_the_house(tmp_path: Path) -> None:
    """Rounds before and after six in Singapore, which is 22:00 UTC; then days start at noon there."""
    path = tmp_path / "floor.db"
    w = Week(path)
    w.at(0, 9)
    opened = h.OpenHouse(
        by="init",
        house="Marina",
        administrator="ada",
        verifier=HASH,
        zone="Asia/Singapore",
        day_starts=360,
    )
    w.do("floor", opened)
    w.do("table:1", c.OpenTable(by="ada", game="rapid"))
    w.do("table:1", c.NewShoe(by="dora", decks=8, dealing="physical"))
    w.do("table:1", c.SeatSession(by="ann", session="ann"))
    w.do("table:1", c.BuyIn(by="carl", session="ann", cents=50_000))

    def round_at(day: int, hour: int, minute: int) -> None:
        w.at(day, hour, minute)
        w.open("table:1", "ann banker 20")
        w.deal("table:1", "9s 2h Td 4c")

    round_at(0, 21, 58)
    round_at(0, 22, 1)
    w.do("floor", h.SetGamingDay(by="ada", zone="Asia/Singapore", day_starts=720))
    round_at(1, 21, 58)
    round_at(1, 22, 1)  # on the first day that ends at noon: 04:00 UTC, six hours later than others
    round_at(3, 3, 58)
    round_at(3, 4, 1)
    w.store.close()
    assert audit(path).sound
    found = {day: made(path, "daily", day) for day in DAYS[:4]}
    assert all(each.ties_out for each in found.values())
    rounds = [sum(game.rounds for game in each.games) for each in found.values()]
    assert rounds == [1, 2, 2, 1]
    starts = [each.day_starts for each in found.values()]
    assert starts == ["06:00 Asia/Singapore"] * 2 + ["12:00 Asia/Singapore"] * 2
    month = made(path, "month", DAYS[3])
    periods = [row.period for row in month.drop]
    assert periods == [str(day) for day in DAYS[:4] if day.month == DAYS[3].month]
    today = report(str(path), "daily", now=month.end)
    assert today.start == month.end, "by default the gaming day of now"


# As people get it


def shell(*words: str) -> subprocess.CompletedProcess[str]:
    return command_line(*words, env={"COLUMNS": "200"})


def test_a_daily_report_as_it_is_read(week: Path) -> None:
    """The golden text: one day, by hand dealt. `Made` is when it was asked for."""
    run = shell(
        "report", "daily", "--database", str(week), "--day", str(DAYS[1]), "--large-wager", "3000"
    )
    assert run.returncode == 0, run.stderr
    told = run.stdout.replace(f"puntobanco {__version__}", "puntobanco VERSION")
    lines = [line for line in told.splitlines(keepends=True) if not line.startswith("Made: ")]
    if os.environ.get("PUNTOBANCO_WRITE_GOLDEN"):
        GOLDEN.write_text("".join(lines), "utf-8")
    assert "".join(lines) == GOLDEN.read_text("utf-8")


def test_csv_json_html_and_pdf_hold_the_same_figures(week: Path, tmp_path: Path) -> None:
    where = ("--database", str(week), "--day", str(DAYS[1]))
    plain = json.loads(shell("report", "month", *where, "--format", "json").stdout)
    assert plain["ties_out"]
    assert "08897.00" in shell("report", "month", *where, "--format", "csv").stdout
    for form in ("html", "pdf"):
        target = tmp_path / f"report.{form}"
        run = shell("report", "month", *where, "--format", form, "--to", str(target))
        assert run.returncode == 0, run.stderr
        assert target.stat().st_size > 5_000
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    again = shell(
        "report", "month", *where, "--format", "html", "--to", str(tmp_path / "report.html")
    )
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
    assert shell("report", "daily", "--database", str(week), "--day", "today").returncode == 2
    assert shell("report", "daily", "--database", str(tmp_path / "none.db")).returncode == 2


def test_a_count_that_differs_names_its_set_and_a_change_of_cards_is_told() -> None:
    events = (
        e.ShoeCounted(shoe=3, counted=207, expected=208, set_id="B-7"),
        e.ShoeCounted(shoe=3, counted=208, expected=208, set_id="B-7"),
        e.CardsChanged(
            cards=e.Cards(dealing="physical", decks=6, burn="first-card", count_shoes=True)
        ),
        e.LastHandCalled(round=9, shoe=3, clause="reading 28"),
    )
    entry = Entry(
        stream="table:1",
        epoch=1,
        id="",
        salt="",
        seq=1,
        at=NOW,
        by="sam",
        command="count-shoe",
        rules="",
        prev="",
        events=events,
    )
    assert [(found.kind, found.what) for found in find_significant(entry, Thresholds())] == [
        ("shoe count", "shoe 3 (set B-7): 207 cards counted, 208 expected"),
        (
            "cards of a table",
            "new shoes: a shoe, 6 decks, physical, cut 14, burn by the first card, with set id and count",
        ),
    ]
