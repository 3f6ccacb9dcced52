"""The ledger: accounts, and transfers as a pure function of events; each inside one stream.

session:<id>   a patron's credits; never below zero
wagers         stakes in play
bank           what the table has won or lost
bonus          bonuses paid
held           credits set apart for a hand pay that waits for its second person
cage           cash taken in (below zero) and paid out
vouchers       what vouchers issued here are worth, less those redeemed here
unrecovered    what a reopened round could not take back (below zero)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import NamedTuple, TypeVar

from puntobanco.events import (
    CashedOut,
    CreditsBought,
    CreditsLoaded,
    Event,
    Line,
    ProposalRejected,
    ProposalWithdrawn,
    Proposed,
    RoundReopened,
    RoundSettled,
    RoundVoided,
    VoucherIssued,
    VoucherPaid,
    VoucherRedeemed,
    VoucherSold,
    WagerPlaced,
    WagerRaised,
    WagerWithdrawn,
)

WAGERS, BANK, BONUS, HELD, CAGE = "wagers", "bank", "bonus", "held", "cage"
VOUCHERS, UNRECOVERED = "vouchers", "unrecovered"
HOUSE_ACCOUNTS = (WAGERS, BANK, BONUS, HELD, CAGE, VOUCHERS, UNRECOVERED)
_SESSION = "session:"


def account_of(session: str) -> str:
    return _SESSION + session


def is_patron(account: str) -> bool:
    return account.startswith(_SESSION)


class Transfer(NamedTuple):
    """So many cents from one account to another; always more than nothing."""

    debit: str  # loses them
    credit: str  # gains them
    cents: int


E = TypeVar("E", bound=Event)
_MOVES = dict[type[Event], Callable[[Event], tuple[Transfer, ...]]]()


def transfers(event: Event) -> tuple[Transfer, ...]:
    """What an event moves; most move nothing."""
    moves = _MOVES.get(type(event))
    return () if moves is None else moves(event)


def _moves(
    kind: type[E],
) -> Callable[[Callable[[E], tuple[Transfer, ...]]], Callable[[E], tuple[Transfer, ...]]]:
    def register(
        function: Callable[[E], tuple[Transfer, ...]],
    ) -> Callable[[E], tuple[Transfer, ...]]:
        _MOVES[kind] = function  # type: ignore[assignment]
        return function

    return register


@_moves(WagerPlaced)
def _(event: WagerPlaced) -> tuple[Transfer, ...]:
    return (Transfer(_SESSION + event.session, WAGERS, event.stake_cents),)


@_moves(WagerRaised)
def _(event: WagerRaised) -> tuple[Transfer, ...]:
    return (Transfer(_SESSION + event.session, WAGERS, event.by_cents),)


@_moves(WagerWithdrawn)
def _(event: WagerWithdrawn) -> tuple[Transfer, ...]:
    return (Transfer(WAGERS, _SESSION + event.session, event.by_cents),)


@_moves(CreditsBought)
def _(event: CreditsBought) -> tuple[Transfer, ...]:
    return (Transfer(CAGE, _SESSION + event.session, event.cents),)


@_moves(CreditsLoaded)
def _(event: CreditsLoaded) -> tuple[Transfer, ...]:
    return (Transfer(CAGE, _SESSION + event.session, event.cents),)


@_moves(CashedOut)
def _(event: CashedOut) -> tuple[Transfer, ...]:
    """What two people pay was set apart when it was asked for."""
    paid_from = HELD if event.approved_by else _SESSION + event.session
    return (Transfer(paid_from, CAGE, event.cents),)


@_moves(Proposed)
def _set_apart(event: Proposed) -> tuple[Transfer, ...]:
    return (Transfer(_SESSION + event.session, HELD, event.held_cents),) if event.held_cents else ()


@_moves(ProposalRejected)
def _set_free(event: ProposalRejected | ProposalWithdrawn) -> tuple[Transfer, ...]:
    return (
        (Transfer(HELD, _SESSION + event.session, event.returned_cents),)
        if event.returned_cents
        else ()
    )


_MOVES[ProposalWithdrawn] = _MOVES[ProposalRejected]


@_moves(VoucherRedeemed)
def _(event: VoucherRedeemed) -> tuple[Transfer, ...]:
    return (Transfer(VOUCHERS, _SESSION + event.session, event.cents),)


@_moves(VoucherIssued)
def _(event: VoucherIssued) -> tuple[Transfer, ...]:
    return (Transfer(_SESSION + event.session, VOUCHERS, event.cents),)


@_moves(VoucherSold)
def _(event: VoucherSold) -> tuple[Transfer, ...]:
    return (Transfer(CAGE, VOUCHERS, event.cents),)


@_moves(VoucherPaid)
def _(event: VoucherPaid) -> tuple[Transfer, ...]:
    return (Transfer(VOUCHERS, CAGE, event.cents),)


@_moves(RoundSettled)
def _(event: RoundSettled) -> tuple[Transfer, ...]:
    return _of_lines(event.lines)


@_moves(RoundVoided)
def _(event: RoundVoided) -> tuple[Transfer, ...]:
    return _of_lines(event.lines)


@_moves(RoundReopened)
def _(event: RoundReopened) -> tuple[Transfer, ...]:
    """The settlement backwards; what a session no longer has comes from `unrecovered`."""
    found = list[Transfer]()
    for recovery in event.recoveries:
        line, account = recovery.line, _SESSION + recovery.line.session
        if not line.returned_cents:
            found.append(Transfer(BANK, WAGERS, line.stake_cents))
            continue
        short = recovery.unrecovered_cents
        for from_, cents in reversed(
            _paid_from(line)
        ):  # bonus and winnings are missing first, the stake last
            missing = min(short, cents)
            short -= missing
            if missing:
                found.append(Transfer(UNRECOVERED, from_, missing))
            if cents > missing:
                found.append(Transfer(account, from_, cents - missing))
    return tuple(found)


def _of_lines(lines: Iterable[Line]) -> tuple[Transfer, ...]:
    found = list[Transfer]()
    for line in lines:
        if not line.returned_cents:
            found.append(Transfer(WAGERS, BANK, line.stake_cents))
            continue
        owed, account = line.set_off_cents, _SESSION + line.session
        for from_, cents in _paid_from(line):
            set_off = min(owed, cents)
            owed -= set_off
            if set_off:
                found.append(Transfer(from_, UNRECOVERED, set_off))
            if cents > set_off:
                found.append(Transfer(from_, account, cents - set_off))
    return tuple(found)


def _paid_from(line: Line) -> list[tuple[str, int]]:
    """Where the parts of what a line pays come from: stake, winnings, bonus."""
    parts = ((WAGERS, line.returned_cents), (BANK, line.winnings_cents), (BONUS, line.bonus_cents))
    return [part for part in parts if part[1]]


def post(balances: MutableMapping[str, int], moved: Iterable[Transfer]) -> None:
    """Carry transfers into balances. A patron's account below zero is our fault, never the
    patron's.
    """
    for debit, credit, cents in moved:
        assert cents > 0, "a transfer moves something"
        left = balances.get(debit, 0) - cents
        assert left >= 0 or not (is_patron(debit) or debit == HELD), f"{debit} would be {left}"
        balances[debit] = left
        balances[credit] = balances.get(credit, 0) + cents


def is_balanced(balances: Mapping[str, int]) -> bool:
    return sum(balances.values()) == 0
