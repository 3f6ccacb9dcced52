"""Tying out: every figure of a report held against the ledger, to the cent, by stream and by
terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from puntobanco.base.money import format_cents
from puntobanco_floor.domain.ledger import VOUCHERS, WAGERS
from puntobanco_floor.reports.collection import Gathered, Ledger
from puntobanco_floor.reports.figures import MOVES, SESSIONS, total
from puntobanco_floor.reports.rows import Tie, VoucherLine


def comparisons(found: Gathered, vouchers: list[VoucherLine], start: int) -> Iterator[Tie]:
    """Every amount that can be had from two sides."""
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
    issued, redeemed = _through_vouchers(found)
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
    """What a report shows of it: each account over all streams, meters, vouchers."""
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


def _through_vouchers(found: Gathered) -> tuple[int, int]:
    """What the figures say was put on vouchers and taken from them, whatever it was for."""
    whole = total(found.tally.by_game.values())
    put = 0
    taken = 0
    for name, (debit, credit) in MOVES.items():
        if credit == VOUCHERS:
            put += getattr(whole, name)
        if debit == VOUCHERS:
            taken += getattr(whole, name)
    return put, taken
