"""Making a report: the journal of an interval, counted, set in rows and tied out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from functools import lru_cache

from puntobanco.base.money import dollars
from puntobanco.base.version import __version__
from puntobanco.odds.par import par_sheet
from puntobanco.rules.definition import game_of
from puntobanco.rules.irregularities import title_of
from puntobanco_floor.domain.house.gaming_day import clock_text, date_of
from puntobanco_floor.domain.stream_names import in_order, is_table, place_words
from puntobanco_floor.reports import rows
from puntobanco_floor.reports.collection import MAX_EVENTS, Gathered, gather, read_calendar
from puntobanco_floor.reports.figures import (
    BetFigures,
    Figures,
    GameKey,
    Shuffles,
    Thresholds,
    total,
)
from puntobanco_floor.reports.interval import TITLES, BadDay, Kind, day_text, interval
from puntobanco_floor.reports.reconciliation import comparisons, count_vouchers, fault, summary
from puntobanco_floor.store.reader import reading
from puntobanco_proof.entry.record import fill_record


def report(
    database: str, kind: Kind, *, now: int, day: date | None = None, over: Thresholds | None = None
) -> rows.Report:
    """Report on the interval that ends with this day, by default today, or else ends now."""
    with reading(database) as reader:
        calendar = read_calendar(reader)
        today = date_of(calendar.day_at(now))
        last = day or today
        if last > today:
            raise BadDay(f"{last} has not begun; today is {today}")
        wanted = interval(kind, last, calendar)
        end = max(wanted.start, min(wanted.end, now))
        found = gather(reader, wanted, over or Thresholds(), calendar)
        vouchers = count_vouchers(reader, found, wanted.start, end)
    ties = list(comparisons(found, vouchers, wanted.start))
    faults = [fault(tie) for tie in ties if tie.report_cents != tie.ledger_cents]
    in_play = [
        rows.Interrupted(table=s, round=n, cents=cents)
        for s, (n, cents) in sorted(found.unfinished.items())
    ]
    games = list(_games(found))
    cut = calendar.cut_at(wanted.end - 1)
    active = any(found.tally.by_game.values()) or bool(found.events)
    exceptions = list(_exceptions(games, in_play, vouchers, found))
    exceptions += [f"does not tie out: {text}" for text in faults]
    return rows.Report(
        title=TITLES[kind],
        house=found.house,
        demo=found.demo,
        kind=kind,
        start=wanted.start,
        end=end,
        day_starts=f"{clock_text(cut.starts)} {cut.zone}",
        at=now,
        program=f"puntobanco {__version__}",
        note="" if active else rows.NO_ACTIVITY,
        games=games,
        bets=list(_bets(found)),
        drop=list(_drop(found, kind)),
        meters=list(_meters(found)),
        vouchers=vouchers,
        interrupted=in_play,
        voided=list(_voided(found)),
        shoes=list(_shoes(found)),
        drawers=[
            fill_record(rows.DrawerRow, shift, window=window, second=shift.by, at=at)
            for window, at, shift in found.tally.closed
        ],
        events=found.events,
        kinds=dict(sorted(found.kinds.items())),
        exceptions=exceptions,
        ties=summary(found, vouchers),
        compared=len(ties),
        faults=faults,
        ties_out=not faults,
        adjustments=list(_adjustments(found)),
    )


def _in_order(found: Gathered) -> list[tuple[str, GameKey, int, Figures]]:
    """Sort figures by stream, game and day."""
    every = [(*key, figures) for key, figures in found.tally.by_game.items()]
    return sorted(every, key=lambda each: (in_order(each[0]), each[1], each[2]))


def _by_game(found: Gathered) -> dict[tuple[str, GameKey], Figures]:
    sums = dict[tuple[str, GameKey], Figures]()
    for stream, game, _, figures in _in_order(found):
        sums.setdefault((stream, game), Figures()).add(figures)
    return sums


def _bets_of(found: Gathered, stream: str, game: GameKey) -> dict[str, BetFigures]:
    by_bet = found.tally.by_bet.items()
    return {bet: figures for (*key, bet), figures in by_bet if key == [stream, game]}


def _games(found: Gathered) -> Iterator[rows.GameRow]:
    """Make a row a game; a round in play is in the row of its table's last game."""
    sums = {key: figures for key, figures in _by_game(found).items() if is_table(key[0])}
    last = dict(sums.keys())  # a later one replaces an earlier one
    for (stream, game), f in sums.items():
        bets = _bets_of(found, stream, game)
        expected = _expected_cents(found, game, bets)
        _, in_play = found.unfinished.get(stream, (0, 0))
        yield fill_record(
            rows.GameRow,
            f,
            table=stream,
            game=game.game,
            definition=game.digest[:12],
            decks=game.decks,
            in_play_cents=in_play if last[stream] == game else 0,
            unrecovered_cents=f.unrecovered_cents - f.set_off_cents,
            theory=rows.percent(expected, f.wagered_cents),
            actual=rows.percent(f.won_cents, f.wagered_cents),
        )


def _bets(found: Gathered) -> Iterator[rows.BetRow]:
    for stream, game in _by_game(found):
        for bet, figures in _bets_of(found, stream, game).items():
            expected = _expected_cents(found, game, {bet: figures})
            yield fill_record(
                rows.BetRow,
                figures,
                table=stream,
                game=game.game,
                decks=game.decks,
                bet=bet,
                theory=rows.percent(expected, figures.wagered_cents),
                actual=rows.percent(figures.won_cents, figures.wagered_cents),
            )


def _drop(found: Gathered, kind: Kind) -> Iterator[rows.DropRow]:
    """Make a row a day; in reports of a year and more a row a month."""
    sums = dict[tuple[str, str, GameKey], Figures]()
    for stream, game, day, figures in _in_order(found):
        if not is_table(stream):
            continue
        period = day_text(day) if kind in ("daily", "month") else day_text(day)[:7]
        sums.setdefault((period, stream, game), Figures()).add(figures)
    for (period, stream, game), f in sorted(sums.items(), key=lambda item: item[0][0]):
        yield fill_record(
            rows.DropRow,
            f,
            period=period,
            table=stream,
            game=game.game,
            decks=game.decks,
            hold=rows.percent(f.win_cents, f.drop_cents),
            moved_cents=f.moved_in_cents - f.moved_out_cents,
        )


def _adjustments(found: Gathered) -> Iterator[rows.AdjustmentRow]:
    for (stream, game), f in _by_game(found).items():
        if f.adjustments:
            yield rows.AdjustmentRow(
                table=stream,
                game=game.game,
                decks=game.decks,
                adjustments=f.adjustments,
                credits_cents=f.adjusted_cents,
                cash_cents=f.adjusted_cash_cents,
                total_cents=f.adjusted_cents + f.adjusted_cash_cents,
            )


def _meters(found: Gathered) -> Iterator[rows.MeterRow]:
    for terminal, f in sorted(found.tally.by_terminal.items()):
        yield fill_record(
            rows.MeterRow,
            f,
            terminal=terminal,
            cash_in_cents=f.bought_cents,
            vouchers_in_cents=f.redeemed_cents,
            loads_cents=f.loaded_cents,
            vouchers_out_cents=f.issued_cents,
            cash_outs_cents=f.cashed_out_cents,
            hand_pays_cents=f.hand_paid_cents,
            adjustments_cents=f.adjusted_cents,
        )


def _shoes(found: Gathered) -> Iterator[rows.ShoesRow]:
    sums = dict[str, Shuffles]()
    for (stream, _), counted in found.tally.shuffles.items():
        sums.setdefault(stream, Shuffles()).add(counted)
    for stream in sorted(sums, key=in_order):
        counted = sums[stream]
        if counted.shoes or counted.mixed or counted.abandoned:
            share = rows.percent(counted.mixed, counted.shoes)
            yield fill_record(rows.ShoesRow, counted, table=stream, share=share)


def _voided(found: Gathered) -> Iterator[rows.VoidedRow]:
    for (ground, people), counted in sorted(found.tally.voided.items()):
        title = title_of(ground)
        yield fill_record(
            rows.VoidedRow,
            counted,
            ground=ground,
            title=title,
            people=list(people),
        )


def _unmixed(found: Gathered) -> Iterator[str]:
    """List the days on which too many shoes of the floor were not mixed."""
    days = dict[int, Shuffles]()
    for (_, day), counted in found.tally.shuffles.items():
        days.setdefault(day, Shuffles()).add(counted)
    for day, counted in sorted(days.items()):
        if counted.are_too_many():
            yield f"{day_text(day)}: {counted.says().en}"


def _exceptions(
    games: list[rows.GameRow],
    in_play: list[rows.Interrupted],
    vouchers: list[rows.VoucherLine],
    found: Gathered,
) -> Iterator[str]:
    """List what somebody should look into."""
    for row in games:
        where = f"{place_words(row.table).en}, {row.game} of {row.decks} decks"
        if row.voids:
            returned = dollars(row.voided_cents)
            yield f"{where}: rounds void {row.voids}, wagers returned {returned}"
        if row.reopened:
            yield f"{where}: rounds reopened {row.reopened}"
        if row.unrecovered_cents:
            cents = dollars(row.unrecovered_cents)
            yield f"{where}: {cents} paid by mistake and not recovered"
    for stopped in in_play:
        if stopped.cents:
            cents = dollars(stopped.cents)
            table = place_words(stopped.table).en
            yield f"{table}: round {stopped.round} is not finished, {cents} in play"
    for line in vouchers:
        if line.expired:
            cents = dollars(line.expired_cents)
            table = place_words(line.table).en
            yield f"{table}: vouchers expired {line.expired}, {cents}"
    yield from _drawers_off(found)
    yield from _unmixed(found)
    yield from _given_by_staff(found)
    if failed := found.kinds.get("failed login"):
        yield f"failed logins {failed}"
    wanted, answered = found.kinds["review asked"], found.kinds["review answered"]
    if wanted or answered:
        yield f"reviews asked for by patrons {wanted}, answered {answered}"
    unlisted = sum(found.kinds.values()) - len(found.events)
    if unlisted > 0:
        yield (
            f"{unlisted} significant events are counted and not listed; a report lists "
            f"{MAX_EVENTS:,}"
        )


def _given_by_staff(found: Gathered) -> Iterator[str]:
    whole = total(found.tally.by_game.values())
    if whole.loads:
        yield f"staff loads {whole.loads}, {dollars(whole.loaded_cents)}"
    if whole.adjustments:
        cents = dollars(whole.adjusted_cents + whole.adjusted_cash_cents)
        yield f"adjustments {whole.adjustments}, {cents}"


def _drawers_off(found: Gathered) -> Iterator[str]:
    for window, _, shift in found.tally.closed:
        if shift.difference_cents:
            cents = dollars(abs(shift.difference_cents))
            whose = f"shift {shift.shift}, {shift.cashier}"
            where = place_words(window).en
            yield f"{where}: the drawer of {whose}, was {cents} {shift.off}"


# The return in theory


_sheet = lru_cache(maxsize=256)(par_sheet)


def _expected_cents(found: Gathered, key: GameKey, bets: dict[str, BetFigures]) -> Fraction | None:
    """Return what these wagers pay on average in a fresh shoe; None without a shoe."""
    definition = found.definitions.get(key.digest)
    if definition is None or not key.decks:
        return None
    sheet = _sheet(game_of(definition), key.decks)
    whole = Fraction(0)
    for bet, figures in bets.items():
        odds = sheet.bet(bet)
        whole += figures.wagered_cents * (1 + odds.ev) + figures.wagers * 100 * odds.bonus_dollars
    return whole
