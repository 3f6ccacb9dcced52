"""Tying out: figures compared with the ledger, to the cent, by stream and by terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from puntobanco.base.money import format_cents
from puntobanco_floor.domain.ledger import VOUCHERS, WAGERS
from puntobanco_floor.reports.collection import Gathered, Ledger
from puntobanco_floor.reports.figures import MOVES, SESSIONS, total
from puntobanco_floor.reports.rows import Tie, VoucherLine
from puntobanco_floor.store.reader import Reader


def count_vouchers(reader: Reader, found: Gathered, start: int, end: int) -> list[VoucherLine]:
    """Count vouchers from their own table, as it was at the end of the interval."""
    sums = dict[str, list[int]]()  # in the order of the fields of a line
    for cents, expires_at, stream, seq, redeemed_stream, redeemed_seq in reader.voucher_rows():
        issued = found.ledgers[stream]
        if seq > issued.last:
            continue
        at = sums.setdefault(stream, [0] * 9)
        if seq >= issued.first:
            at[0] += 1
            at[1] += cents
        if redeemed_stream is not None and redeemed_seq is not None:
            there = found.ledgers[redeemed_stream]
            if there.first <= redeemed_seq <= there.last:
                to = sums.setdefault(redeemed_stream, [0] * 9)
                to[2] += 1
                to[3] += cents
            if redeemed_seq <= there.last:
                continue
        if start < expires_at <= end:
            at[4] += 1
            at[5] += cents
        at[6] += 1
        at[7] += cents
        at[8] += cents if expires_at <= end else 0
    return [VoucherLine(stream, *counts) for stream, counts in sorted(sums.items()) if any(counts)]


def comparisons(found: Gathered, vouchers: list[VoucherLine], start: int) -> Iterator[Tie]:
    """Compare every amount that is known from two sides."""
    tally = found.tally
    for stream, ledger in found.ledgers.items():
        yield from _of_stream(found, stream, ledger)
    for terminal in sorted(tally.by_terminal.keys() | found.terminals.keys()):
        figures = tally.by_terminal.get(terminal)
        cents = figures.moved[SESSIONS] if figures else 0
        yield _tie(f"meters of {terminal}", cents, found.terminals[terminal])
    for name, cents in tally.unknown.items():
        yield _tie(f"{name}, an event that reports do not know", 0, cents)
    for window, _, shift in tally.closed:
        if shift.since >= start:  # all its cash is in the interval
            said = shift.in_cents - shift.out_cents
            cash = tally.cash[window, shift.shift]
            yield _tie(f"{window} cash of shift {shift.shift}", said, cash)
    whole = total(tally.by_game.values())
    issued = sum(getattr(whole, name) for name, (_, to) in MOVES.items() if to == VOUCHERS)
    redeemed = sum(getattr(whole, name) for name, (by, _) in MOVES.items() if by == VOUCHERS)
    yield _tie("vouchers issued", issued, sum(v.issued_cents for v in vouchers))
    yield _tie("vouchers redeemed", redeemed, sum(v.redeemed_cents for v in vouchers))
    yield _vouchers_out(found, vouchers)


def _of_stream(found: Gathered, stream: str, ledger: Ledger) -> Iterator[Tie]:
    figures = [own for key, own in found.tally.by_game.items() if key[0] == stream]
    said = total(figures).moved
    accounts = said.keys() | ledger.moved.keys() | ledger.opening.keys() | ledger.closing.keys()
    for account in sorted(accounts):
        cents = said[account]
        yield _tie(f"{stream} {account}", cents, ledger.moved[account])
        begun = ledger.opening[account]
        ended = ledger.closing[account]
        yield _tie(f"{stream} {account} at the end", begun + cents, ended)
    _, in_play = found.unfinished.get(stream, (0, 0))
    yield _tie(f"{stream} wagers of unfinished rounds", in_play, ledger.closing[WAGERS])


def _vouchers_out(found: Gathered, vouchers: list[VoucherLine]) -> Tie:
    owed = sum(ledger.closing[VOUCHERS] for ledger in found.ledgers.values())
    return _tie("vouchers out at the end", sum(v.out_cents for v in vouchers), owed)


def summary(found: Gathered, vouchers: list[VoucherLine]) -> list[Tie]:
    """List what a report shows of it: each account over all streams, meters, vouchers."""
    said = total(found.tally.by_game.values()).moved
    moved = Counter(dict.fromkeys(said, 0))
    for ledger in found.ledgers.values():
        for account, cents in ledger.moved.items():
            moved[account] += cents
    ties = [_tie(account, said[account], cents) for account, cents in moved.items()]
    meters = total(found.tally.by_terminal.values()).moved[SESSIONS]
    ties.append(_tie("credits of all terminals, by their meters", meters, moved[SESSIONS]))
    ties.append(_vouchers_out(found, vouchers))
    return ties


def fault(tie: Tie) -> str:
    report = format_cents(tie.report_cents)
    ledger = format_cents(tie.ledger_cents)
    return f"{tie.what}: report {report}, ledger {ledger}"


def _tie(what: str, report_cents: int, ledger_cents: int) -> Tie:
    return Tie(what=what, report_cents=report_cents, ledger_cents=ledger_cents)
