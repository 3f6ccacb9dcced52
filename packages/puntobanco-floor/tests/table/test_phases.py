"""Every command in every phase: taken where the table below says so, refused by name everywhere else."""

from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.base.refusal import Refusal
from puntobanco.rules.causes import Cause
from puntobanco.rules.definition import define
from puntobanco.rules.game import HOUSE
from puntobanco.rules.games import FORTUNE_SIX, GAMES
from puntobanco.rules.irregularities import GROUNDS
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.commands import MAX_CENTS, Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.definitions import TABLE as MACHINE
from puntobanco_floor.domain.ledger import is_balanced, post
from puntobanco_floor.domain.machine import Funds
from puntobanco_floor.domain.stream_rules import (
    BeginEpoch,
    CertifyKey,
    ConfirmVouchers,
    RetireKey,
    SetEntriesAside,
)
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import closing, default_limits
from puntobanco_floor.domain.table.shoes import cards_of
from puntobanco_floor.domain.table.state import PHASES, SAYS, Phase, dump
from puntobanco_floor.domain.table.stops import MALFUNCTION, MISREAD_CARD
from puntobanco_floor.journal.sealed_shoes import new_order
from puntobanco_proof.entry.format import Fault, canonical
from tests.support.mixers import answers
from tests.support.node_key import NODE, OTHER_NODE
from tests.support.values import values_of
from tests.table.notation import Table, play, played

# + taken    . not-now    c bets-are-closed    w withdrawal-too-late
TABLE = """
                      down  waiting  betting  closed  dealing  stopped  settled  void
open-table             +       .        .       .        .        .        .      .
close-table            .       +        .       .        .        .        +      +
halt-table             .       +        +       +        +        +        +      +
restart-table          .       +        +       +        +        +        +      +
new-shoe               .       +        .       .        .        .        +      +
mix-shoe               .       +        .       .        .        .        +      +
abandon-shoe           .       +        .       .        .        .        +      +
burn-cards             .       +        .       +        +        +        +      +
count-shoe             .       +        +       +        +        .        +      +
end-shoe               .       +        .       .        .        .        +      +
change-limits          .       +        +       +        +        +        +      +
change-clock           .       +        +       +        +        +        +      +
change-cards           .       +        +       +        +        +        +      +
withdraw-change        .       .        +       +        +        +        .      .
seat-session           .       +        +       +        +        +        +      +
limit-session          +       +        +       +        +        +        +      +
stop-session           +       +        +       +        +        +        +      +
restart-session        +       +        +       +        +        +        +      +
leave-seat             +       +        +       +        +        +        +      +
buy-in                 .       +        +       +        +        +        +      +
load-credits           .       +        +       +        +        +        +      +
redeem-voucher         .       +        +       +        +        +        +      +
issue-voucher          +       +        +       +        +        +        +      +
cash-out               +       +        +       +        +        +        +      +
reserve-move           +       +        +       +        +        +        +      +
settle-move            +       +        +       +        +        +        +      +
return-move            +       +        +       +        +        +        +      +
arrive-move            +       +        +       +        +        +        +      +
open-bets              .       +        .       .        .        .        +      +
place-wager            .       c        +       c        c        c        c      c
raise-wager            .       c        +       c        c        c        c      c
withdraw-wager         .       .        +       w        w        w        .      .
close-bets             .       .        +       .        .        .        .      .
deal-card              .       .        .       +        +        .        .      .
enter-card             .       .        .       +        +        .        .      .
correct-card           .       .        .       .        +        +        .      .
declare-irregularity   .       +        +       +        +        .        +      +
reconstruct            .       .        .       .        .        +        .      .
void-round             .       .        .       .        .        +        .      .
resume                 .       .        .       .        .        +        .      .
reopen                 .       .        .       .        .        .        +      .
settle                 .       .        .       .        +        .        .      .
ask-review             +       +        +       +        +        +        +      +
answer-review          +       +        +       +        +        +        +      +
adjust                 +       +        +       +        +        +        +      +
begin-epoch            +       +        +       +        +        +        +      +
set-entries-aside      +       +        +       +        +        +        +      +
confirm-vouchers       +       +        +       +        +        +        +      +
approve                +       +        +       +        +        +        +      +
reject                 +       +        +       +        +        +        +      +
withdraw-proposal      +       +        +       +        +        +        +      +
retire-key             +       +        +       +        +        +        +      +
certify-key            +       +        +       +        +        +        +      +
"""
SAID = {".": r.NotNow, "c": r.BetsAreClosed, "w": r.WithdrawalTooLate}
PAIRS = [
    (command, phase, mark)
    for heading, *rows in [TABLE.strip().splitlines()]
    for command, *marks in map(str.split, rows)
    for phase, mark in zip(heading.split(), marks, strict=True)
]
LISTED = {command for command, *_ in PAIRS}
PAIRS += [
    (kind.name(), phase, "+" if phase in (kind.traits.phases or PHASES) else ".")
    for kind in OURS.table.decides
    for phase in PHASES
    if kind.name() not in LISTED
]
"""A command without a row: its traits say the phases, and `docs/reference/table-commands.md` shows them to a reviewer."""

# Ann wagers, Ben only has credits, Zoe has none; Old has left a voucher; a load waits for a second person.
BEGUN = """
open-table fortune-six load=50.00     -> TableOpened
seat ann                              -> SessionSeated
seat ben                              -> SessionSeated
seat zoe                              -> SessionSeated
seat old                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
buy ben 500.00                        -> CreditsBought
buy old 500.00                        -> CreditsBought
voucher old v0                        -> VoucherIssued, SessionEnded
load ann 60.00 by=sup                 -> Proposed 1
"""
WAITING = BEGUN + "shoe physical -> ShoeStarted"
BETTING = f"{WAITING}\nopen -> BetsOpened\nwager ann banker 100.00 -> WagerPlaced"
CLOSED = f"{BETTING}\nclose -> BetsClosed"
DEALING = f"{CLOSED}\ncard 9s -> CardDealt p1"
STOPPED = f"{DEALING}\ndeclare wrong-card-count -> IrregularityDeclared"
COMPLETE = "card 2h -> CardDealt\ncard Td -> CardDealt\ncard 4h -> CardDealt, TotalsAnnounced"
SCRIPTS: dict[Phase, str] = {
    "down": f"{BEGUN}\nclose-table -> TableClosed, PeriodSealed",
    "waiting": WAITING,
    "betting": BETTING,
    "closed": CLOSED,
    "dealing": DEALING,
    "stopped": STOPPED,
    "settled": f"{DEALING}\n{COMPLETE}\nsettle -> RoundSettled",
    "void": f"{STOPPED}\nvoid by=sup -> Proposed\napprove 2 by=pit -> ProposalApproved, RoundVoided",
}

# A round that is over, and its table closed; then the same phases again.
PAST = f"""{DEALING}
{COMPLETE}
settle                                -> RoundSettled
end-shoe                              -> ShoeEnded, PeriodSealed
close-table                           -> TableClosed, PeriodSealed
"""
AGAIN = f"{PAST}open-table fortune-six load=50.00 -> TableOpened"
OF_THE_PAST = ("ask-review", "answer-review", "adjust")

TO_MIX = """
end-shoe                              -> ShoeEnded, PeriodSealed
mixers wit1 wit2
shoe virtual                          -> ShoeStarted
"""

# What makes a command well-formed, beyond the phase it is taken in.
FIRST = {
    "answer-review": "ask-review zoe 1 wager-not-taken -> ReviewAsked 1",
    "new-shoe": "end-shoe -> ShoeEnded, PeriodSealed",
    "mix-shoe": TO_MIX,
    "abandon-shoe": TO_MIX,
    "settle": COMPLETE,
    "settle-move": "move ben m1 table:2 -> MoveReserved",
    "return-move": "move ben m1 table:2 -> MoveReserved",
    "restart-table": "halt fire-drill -> TableHalted",
    "withdraw-change": "clock betting=20sec -> ChangeScheduled clock",
    "restart-session": "stop ann tired -> SessionStopped",
}
MISREAD = f"{DEALING}\ndeclare misread-card -> IrregularityDeclared"
"""Stopped for the one ground that lets a card be corrected."""
VIRTUAL = {"physical": "virtual", "card 9s": "deal", "wrong-card-count": "malfunction"}
ARRIVAL = c.ArriveMove(
    by="floor",
    session="new",
    move="m1",
    came_from="table:2",
    epoch=1,
    cents=100,
    until=2**52,
    patron="new",
    in_cents=100,
    since=1,
)
WELL_FORMED: dict[str, Command] = {
    command.name(): command
    for command in (
        c.OpenTable(by="pit", game="rapid"),
        c.CloseTable(by="pit"),
        c.MixShoe(by="store", shoe=1, signatures={}),
        c.AbandonShoe(by="clock"),
        c.ChangeLimits(by="pit", limits=default_limits(FORTUNE_SIX)),
        c.ChangeClock(by="pit", clock=e.Clock(betting_ms=20_000)),
        c.ChangeCards(by="pit", cards=e.Cards(decks=6)),
        c.WithdrawChange(by="pit", kind="clock"),
        c.NewShoe(by="pit", dealing="physical"),
        c.CountShoe(by="pit", cards=416),
        c.EndShoe(by="pit"),
        c.SeatSession(by="pit", session="new"),
        c.LeaveSeat(by="zoe", session="zoe"),
        c.BuyIn(by="ann", session="ann", cents=100),
        c.LoadCredits(by="sup", session="ann", cents=5_000),
        c.RedeemVoucher(by="ann", session="ann", voucher="v0"),
        c.IssueVoucher(by="ben", session="ben", voucher="v1"),
        c.CashOut(by="ben", session="ben"),
        c.ReserveMove(by="ben", session="ben", move="m2", to="table:2"),
        ARRIVAL,
        c.SettleMove(by="floor", session="ben", move="m1"),
        c.ReturnMove(by="floor", session="ben", move="m1", reason=Cause("move-table-full")),
        c.OpenBets(by="dealer"),
        c.PlaceWager(by="ann", round=1, session="ann", bet="tie", stake_cents=5_000),
        c.RaiseWager(by="ann", round=1, session="ann", bet="banker", by_cents=5_000),
        c.WithdrawWager(by="ann", round=1, session="ann", bet="banker"),
        c.CloseBets(by="dealer"),
        c.DealCard(by="dealer"),
        c.EnterCard(by="dealer", card="2h"),
        c.CorrectCard(by="dealer", slot="p1", card="8s"),
        c.DeclareIrregularity(by="dealer", ground="foreign-card"),
        c.Reconstruct(by="sup", order="9s 2h"),
        c.VoidRound(by="sup"),
        c.Resume(by="sup"),
        c.Reopen(by="sup", ground="wrong-card-count"),
        c.Settle(by="dealer"),
        c.AskReview(by="ann", session="ann", round=1, complaint="wrong-payment", note="so"),
        c.AnswerReview(by="pit", review=1, decision="upheld", clause="house", note="so"),
        c.Adjust(by="sup", session="ann", round=1, cents=5_000, note="so", clause="house"),
        c.Approve(by="pit", proposal=1),
        c.Reject(by="pit", proposal=1),
        c.WithdrawProposal(by="sup", proposal=1),
        c.HaltTable(by="pit", reason="fire-drill"),
        c.RestartTable(by="pit"),
        c.LimitSession(by="floor", session="ann", loss_cents=100_000, play_ms=3_600_000),
        c.StopSession(by="pit", session="ann", reason="tired"),
        c.RestartSession(by="pit", session="ann"),
        c.BurnCards(by="dealer", cards="3h", unseen=1),
        BeginEpoch(by="sup", second="pit", epoch=2, reason="disk lost"),
        SetEntriesAside(by="sup", second="pit", reason="forged", last=10_000, digest="ab"),
        ConfirmVouchers(by="sup", second="pit", doubted=("v0",)),
        RetireKey(by="adam", key=OTHER_NODE.id),
        CertifyKey(by="adam", **msgspec.structs.asdict(NODE.admitted("table:1"))),
    )
}


def _example(kind: type[Command]) -> Command:
    """By the types of its fields; where another example has a field of that name, with the same value."""
    known = dict[str, object]()
    for command in WELL_FORMED.values():
        for name in command.__struct_fields__:
            known.setdefault(name, getattr(command, name))
    required = [field for field in msgspec.structs.fields(kind) if field.required]
    return kind(**{x.name: known.get(x.name, values_of(x.type)[0]) for x in required})  # type: ignore[arg-type]


EXAMPLES = {
    kind.name(): WELL_FORMED.get(kind.name()) or _example(kind) for kind in OURS.table.decides
}


def in_phase(phase: Phase, *, virtual: bool = False) -> Table:
    script = SCRIPTS[phase]
    for physical, instead in VIRTUAL.items() if virtual else ():
        script = script.replace(physical, instead)
    table = play(script) if virtual else played(script)  # each virtual shoe has cards of its own
    assert table.state.phase == phase
    return table


def after_a_round(phase: Phase) -> Table:
    """In that phase, with a round that was over before."""
    script = PAST if phase == "down" else AGAIN + SCRIPTS[phase].removeprefix(BEGUN.rstrip())
    table = played(script)
    assert table.state.phase == phase
    return table


def test_the_table_has_no_other_command_and_every_phase() -> None:
    ours = {kind.name() for kind in OURS.table.decides}
    assert ours >= LISTED
    assert ours >= set(WELL_FORMED)
    assert {name for name, *_ in PAIRS} == ours
    assert [phase for _, phase, _ in PAIRS[: len(PHASES)]] == list(PHASES) == list(SAYS)


def test_the_machine_allows_what_the_table_says() -> None:
    said = {(name, phase) for name, phase, mark in PAIRS if mark == "+"}
    assert said == {
        (kind.name(), phase)
        for kind in tuple(OURS.table.decides)
        for phase in kind.traits.phases or PHASES
    }


@pytest.mark.parametrize(("name", "phase", "mark"), PAIRS, ids=str)
def test_a_command_is_taken_in_its_phases_and_refused_by_name_in_the_others(
    name: str, phase: Phase, mark: str
) -> None:
    if (name, phase) == ("correct-card", "stopped"):
        table = play(MISREAD)
    elif name in OF_THE_PAST:
        table = after_a_round(phase)
    else:
        table = in_phase(phase, virtual=name == "deal-card" and mark == "+")
    if mark == "+" and name in FIRST:
        play(FIRST[name], table)
    table.admit(OTHER_NODE)
    before, command = table.state, EXAMPLES[name]
    if isinstance(command, c.MixShoe) and mark == "+":
        command = c.MixShoe(by="store", shoe=2, signatures=answers(before))
    if isinstance(command, c.AbandonShoe) and mark == "+":  # nobody else may
        play("wait 10sec -> ShoeEnded 2 abandoned, PeriodSealed", table)
        return
    events, answer = table.do(command)
    assert answer is not None
    if mark == "+":
        assert answer.ok, answer.reason
        assert events
    else:
        assert (answer.ok, answer.code) == (False, SAID[mark]("").code)
        assert (events, table.state) == ([], before)
    table.verify()


RECOVERY = {kind.name() for kind in (BeginEpoch, SetEntriesAside, ConfirmVouchers, CertifyKey)}
"""Of any stream, whatever it holds."""


def test_a_table_that_was_never_opened_takes_nothing_but_its_opening() -> None:
    for name, command in EXAMPLES.items():
        _, answer = Table().do(command)
        assert answer is not None
        # what comes from another table goes back there
        assert answer.ok == (name in ("open-table", "arrive-move") or name in RECOVERY)
        assert answer.ok or answer.code in (
            "not-now",
            "not-seated",
            "unknown-proposal",
            "unknown-key",
            "unknown-review",
            "move-refused",
        )


def test_a_late_wager_cites_the_clause_of_its_game_and_an_early_one_the_opening() -> None:
    cited: dict[Phase, str] = {
        "waiting": "3.1",
        "closed": "5.6",
        "dealing": "5.6",
        "settled": "3.1",
        "void": "3.1",
    }
    for phase, clause in cited.items():
        _, answer = in_phase(phase).do(WELL_FORMED["place-wager"])
        assert answer is not None
        assert answer.clause == clause


# Nothing but refusals

SESSIONS = st.sampled_from(["ann", "ben", "zoe", "nobody"])
CENTS = st.sampled_from([1, 5, 99, 1_000, 5_000, 10_000, 40_000, 50_001, MAX_CENTS])
BETS = st.sampled_from([bet.id for bet in FORTUNE_SIX.bets] + ["element-bonus", ""])
ROUNDS = st.sampled_from([0, 1, 2, 10**9])
CARDS = st.sampled_from(["9s", "2h", "Td", "4h", "8c", "9f", "ZZ", "?"])
GROUND_IDS = st.sampled_from(
    [ground.id for ground in GROUNDS] + [MALFUNCTION, MISREAD_CARD, "bad-mood", HOUSE]
)
OPEN = [default_limits(game) for game in GAMES.values()]
LIMITS = st.sampled_from([*OPEN, *(closing(limits, {"tie"}) for limits in OPEN)])
TIMES = st.sampled_from([-1, 0, 1_000, 3_600_001])
CLOCKS = st.builds(
    e.Clock,
    betting_ms=TIMES,
    guard_ms=TIMES,
    card_ms=TIMES,
    pause_ms=TIMES,
    squeeze_ms=TIMES,
    automatic=st.booleans(),
)
SET_UPS = st.sampled_from(
    [
        e.Cards(),
        e.Cards(decks=4, cut=0, burn=50),
        e.Cards(dealing="physical", burn="first-card", count_shoes=True),
        e.Cards(source="continuous", road_rounds=1),
        e.Cards(decks=11),
        e.Cards(cut=1_000),
    ]
)
OWN = FORTUNE_SIX.with_bets(id="own", title="Own")
VALUES: dict[str, st.SearchStrategy[object]] = {
    "by": st.sampled_from(["dealer", "sup", "pit", "ann"]),
    "game": st.sampled_from([*GAMES, "poker", OWN.id]),
    "limits": LIMITS,
    "clock": CLOCKS,
    "reason": st.just("so"),
    "detail": st.just(""),
    "dealing": st.sampled_from([None, "virtual", "physical"]),
    "source": st.sampled_from([None, "shoe", "continuous"]),
    "first_card": st.sampled_from(["", "9s", "Kd", "9f", "x"]),
    "set_id": st.sampled_from(["", "B-7"]),
    "counted": st.sampled_from([None, 415, 416]),
    "definition": st.sampled_from([None, {}, define(OWN)]),
    "decks": st.sampled_from([None, 0, 4, 8, 11]),
    "cut": st.sampled_from([None, 0, 14, 1_000]),
    "burn": st.sampled_from([None, 0, 50, "first-card"]),
    "cards": st.sampled_from([0, 415, 416]),
    "unseen": st.sampled_from([0, 1, 50]),
    "session": SESSIONS,
    "patron": SESSIONS,
    "cents": CENTS,
    "voucher": st.sampled_from(["v0", "v1"]),
    "expires_at": st.sampled_from([1, 2**53]),
    "round": ROUNDS,
    "bet": BETS,
    "stake_cents": CENTS,
    "by_cents": CENTS,
    "card": CARDS,
    "slot": st.sampled_from(["p1", "B1", "p3", "", "x"]),
    "ground": GROUND_IDS,
    "cards_left": st.sampled_from([None, 0, 1]),
    "order": st.lists(CARDS, max_size=8).map(" ".join)
    | st.permutations(["9s", "2h", "Td", "4h", "8c"]).map(",".join),
    "proposal": st.sampled_from([0, 1, 2, 9]),
    "window": st.sampled_from([0, 1]),
    "shift": st.sampled_from([0, 1]),
    "key": st.sampled_from([OTHER_NODE.id, "nobody's"]),
    "valid_ms": st.sampled_from([None, 1, 60_000]),
    "kind": st.sampled_from(["limits", "clock", "cards"]),
    "by_floor": st.booleans(),
    "closes": st.booleans(),
    "by_hand": st.booleans(),
    "second": st.sampled_from(["sup", "pit"]),
    "epoch": st.sampled_from([0, 1, 2, 3]),
    "lost_leaves": st.sampled_from([0, 1, 1_000]),
    "last": st.sampled_from([1, 10_000]),
    "digest": st.just("ab"),
    "public": st.just("ab"),
    "root": st.just("root"),
    "certificate": st.just("ab"),
    "doubted": st.sampled_from([(), ("v0",)]),
    "move": st.sampled_from(["m1", "m2"]),
    "to": st.sampled_from(["table:1", "table:2", "cage:1"]),
    "came_from": st.just("table:2"),
    "until": st.sampled_from([1, 2**52]),
    "in_cents": st.sampled_from([-5, 0, 5_000]),
    "since": st.sampled_from([0, 2**52]),
    "objection": st.sampled_from([None, Cause("patron-excluded")]),
    "loss_cents": st.sampled_from([None, 0, 5_000]),
    "play_ms": st.sampled_from([None, 0, 60_000]),
    "complaint": st.sampled_from(list(e.COMPLAINTS)),
    "decision": st.sampled_from(list(e.DECISIONS)),
    "clause": st.sampled_from(["4.1", "reading 31", "house", "99"]),
    "direction": st.sampled_from(["", "letter 7", "a\nb"]),
    "review": st.sampled_from([0, 1, 2]),
    "note": st.sampled_from(["", "so", "a\nb"]),
    "rules": st.sampled_from(["", "fortune-six mbs-fortune-six-2017-02-17 v1.0"]),
    "dealt_by": st.sampled_from([(), ("dealer",)]),
    "ruled_by": st.sampled_from([(), ("sup",)]),
    "shoe": st.sampled_from([1, 2]),
    "signatures": st.sampled_from([{}, {"wit1": "ab"}]),
}


def _values(field: msgspec.structs.FieldInfo) -> st.SearchStrategy[object]:
    if field.name in VALUES:
        return VALUES[field.name]
    return st.sampled_from(values_of(field.type))


@st.composite
def any_command(draw: st.DrawFn) -> Command:
    """Any command with values that make sense somewhere, or nowhere."""
    kind = draw(st.sampled_from(tuple(OURS.table.decides)))
    values = {x.name: draw(_values(x)) for x in msgspec.structs.fields(kind)}
    if kind is c.BurnCards:
        values["cards"] = draw(VALUES["order"])
    if kind in (c.OpenTable, c.ChangeCards):
        values["cards"] = draw(SET_UPS)
    if kind is c.OpenTable:
        values["source"] = ""
    if kind is c.ReturnMove:
        values["reason"] = Cause("move-table-full")
    return kind(**values)  # type: ignore[arg-type]


@cache
def standing(phase: Phase, *, virtual: bool = False) -> Table:
    """A table that many cases look at and none plays on."""
    return in_phase(phase, virtual=virtual)


def order_for(table: Table, command: Command) -> Order | None:
    """The cards that a store would hand to the machine."""
    if isinstance(command, c.NewShoe):
        if table.state.game is None:
            return None
        cards = cards_of(table.state, command)
        return (
            new_order(range(52)) if (cards.dealing, cards.source) == ("virtual", "shoe") else None
        )
    return next(iter(table.orders.values()), None)


@settings(max_examples=300)
@given(phase=st.sampled_from(PHASES), virtual=st.booleans(), command=any_command())
def test_any_command_in_any_phase_is_refused_or_taken_and_taken_it_follows(
    phase: Phase, virtual: bool, command: Command
) -> None:
    """Refused by `decide` and by nothing else: what it gives, `evolve` takes and the ledger pays."""
    table = standing(phase, virtual=virtual and phase not in ("settled", "void"))
    state, balances = table.state, dict(table.stream.balances)
    funds, order = Funds(balances, table.vouchers), order_for(table, command)
    try:
        events = MACHINE.decide(state, funds, command, table.now, order=order)
    except Refusal:
        return
    assert events
    for event in events:
        state = MACHINE.evolve(state, event)
        post(balances, event.transfers())
    assert is_balanced(balances)
    assert canonical(dump(state)) != canonical(dump(table.state)) or isinstance(
        events[0], _LEAVES_NO_TRACE
    )


_LEAVES_NO_TRACE = (
    e.EntriesSetAside,
    e.ShoeCounted,
    e.IncidentRecorded,
    e.CreditsBought,
    e.CreditsLoaded,
    e.VoucherRedeemed,
    e.LimitsChanged,
    e.ClockChanged,
    e.CardsChanged,
    e.SessionLimited,
)
"""Money and counts are no part of the state; limits, clock and cards may be changed to what they are."""


# A replay is a check

FORGED: dict[str, tuple[Phase, e.Event]] = {
    "a move of somebody who is not seated": (
        "waiting", e.MoveReserved(
            session="eve", move="m1", to="table:2", cents=1, until=1, patron="eve", in_cents=0, since=0,
        ),
    ),
    "a move that takes along what never came in": (
        "waiting", e.MoveReserved(
            session="ben", move="m1", to="table:2", cents=1, until=1, patron="ben", in_cents=7, since=0,
        ),
    ),
    "a move that arrives where nobody is seated": (
        "waiting", e.MoveArrived(
            session="eve", move="m1", came_from="table:2", cents=1, until=1, in_cents=0, since=0,
        ),
    ),
    "a move settled that was not reserved": (
        "waiting", e.MoveSettled(session="ben", move="m1", to="table:2", cents=1),
    ),
    "a move returned that was not reserved": (
        "waiting", e.MoveReturned(
            session="ben", move="m1", to="table:2", cents=1, in_cents=0, reason=Cause("move-table-full"),
        ),
    ),
    "a table opened twice": (
        "waiting",
        e.TableOpened(game="rapid", digest="", definition={}, limits=default_limits(GAMES["rapid"]), clock=e.Clock()),
    ),
    "a game that is another than it says": (
        "down",
        e.TableOpened(
            game="rapid", digest="ab", definition=define(GAMES["rapid"]), limits=default_limits(GAMES["rapid"]),
            clock=e.Clock(),
        ),
    ),
    "a shoe mixed that nobody was to mix": (
        "waiting", e.ShoeMixed(shoe=1, signatures={}, seed=""),
    ),
    "a shoe abandoned that nobody was to mix": ("waiting", e.ShoeEnded(shoe=1, abandoned=True)),
    "an epoch of one person": (
        "down", e.EpochBegun(epoch=2, reason="so", proposed_by="sup", approved_by="sup"),
    ),
    "an epoch in a round": (
        "betting", e.EpochBegun(epoch=2, reason="so", proposed_by="sup", approved_by="pit"),
    ),
    "an epoch with a shoe in play": (
        "settled", e.EpochBegun(epoch=2, reason="so", proposed_by="sup", approved_by="pit"),
    ),
    "the same epoch again": (
        "down", e.EpochBegun(epoch=1, reason="so", proposed_by="sup", approved_by="pit"),
    ),
    "entries set aside that did not come next": (
        "settled",
        e.EntriesSetAside(first=1, last=2, digest="", reason="so", proposed_by="sup", approved_by="pit"),
    ),
    "vouchers confirmed by one person": (
        "settled", e.VouchersConfirmed(doubted=(), proposed_by="sup", approved_by="sup"),
    ),
    "limits changed in a round": ("betting", e.LimitsChanged(limits=default_limits(FORTUNE_SIX))),
    "a clock changed in a round": ("betting", e.ClockChanged(clock=e.Clock())),
    "cards changed in a round": ("betting", e.CardsChanged(cards=e.Cards())),
    "a change scheduled between rounds": ("settled", e.ChangeScheduled(change=e.ScheduledChange(kind="clock", by="pit", at=0, clock=e.Clock()))),
    "a change scheduled without its value": ("betting", e.ChangeScheduled(change=e.ScheduledChange(kind="clock", by="pit", at=0))),
    "a change of one thing with the value of another": (
        "betting",
        e.ChangeScheduled(change=e.ScheduledChange(kind="clock", by="pit", at=0, cards=e.Cards())),
    ),
    "a change made that nobody had scheduled": ("settled", e.ClockChanged(clock=e.Clock(), asked_by="pit")),
    "a change dropped that nobody had scheduled": ("betting", e.ChangeDropped(kind="clock", asked_by="pit", why=Cause("change-withdrawn"))),
    "a last hand called before the cards": ("betting", e.LastHandCalled(round=1, shoe=1, clause="")),
    "the last hand of another shoe": ("dealing", e.LastHandCalled(round=1, shoe=2, clause="")),
    "a table closed with its shoe": ("settled", e.TableClosed(reason="")),
    "a shoe on a shoe": ("settled", e.ShoeStarted(shoe=2, source="shoe", dealing="physical", decks=8, cut=0, burn=0)),
    "another shoe counted": ("settled", e.ShoeCounted(shoe=2, counted=416, expected=416)),
    "another shoe ended": ("settled", e.ShoeEnded(shoe=2)),
    "a session seated twice": ("betting", e.SessionSeated(session="ann", patron="ann")),
    "a stranger gone": ("betting", e.SessionEnded(session="nobody")),
    "credits for a stranger": ("betting", e.CreditsBought(session="nobody", cents=100)),
    "credits for nothing": ("betting", e.CreditsBought(session="ann", cents=0)),
    "a round left out": ("settled", e.BetsOpened(round=3, shoe=1, announcement="", closes_at=None)),
    "bets opened in a round": ("dealing", e.BetsOpened(round=2, shoe=1, announcement="", closes_at=None)),
    "a late wager": ("closed", e.WagerPlaced(round=1, session="ann", bet="tie", stake_cents=5_000)),
    "a wager on another round": ("betting", e.WagerPlaced(round=2, session="ann", bet="tie", stake_cents=5_000)),
    "a wager placed twice": ("betting", e.WagerPlaced(round=1, session="ann", bet="banker", stake_cents=5_000)),
    "a wager of a stranger": ("betting", e.WagerPlaced(round=1, session="nobody", bet="tie", stake_cents=5_000)),
    "a raise that does not add up": (
        "betting",
        e.WagerRaised(round=1, session="ann", bet="banker", by_cents=100, stake_cents=1),
    ),
    "a withdrawal that does not add up": (
        "betting",
        e.WagerWithdrawn(round=1, session="ann", bet="banker", by_cents=100, stake_cents=1),
    ),
    "bets closed twice": ("closed", e.BetsClosed(round=1, announcement="")),
    "a card while bets are open": ("betting", e.CardDealt(round=1, slot="p1", card="2h", why=Cause("player-first-card"), clause="")),
    "a card to the wrong hand": ("dealing", e.CardDealt(round=1, slot="p2", card="2h", why=Cause("player-first-card"), clause="")),
    "totals after one card": ("dealing", e.TotalsAnnounced(round=1, player=9, banker=0, clause="")),
    "a correction of another card": ("dealing", e.CardCorrected(round=1, slot="p1", before="2h", after="3h")),
    "a proposal out of turn": (
        "stopped",
        e.Proposed(proposal=9, about="round", at=0, command={"by": "sup", "command": "void-round"}),
    ),
    "an approval of nothing": ("stopped", e.ProposalApproved(proposal=9, by="pit")),
    "an approval by who asked": ("stopped", e.ProposalApproved(proposal=1, by="sup")),
    "money that lapses": ("stopped", e.ProposalLapsed(proposal=1, why="void")),
    "more returned than was set apart": (
        "stopped",
        e.ProposalRejected(proposal=1, by="pit", reason="", session="ann", returned_cents=100),
    ),
    "credits of a stranger set apart": (
        "stopped",
        e.Proposed(proposal=2, about="money", at=0, command={"by": "carl"}, session="nobody", held_cents=5),
    ),
    "a card corrected in a round that is stopped for something else": (
        "stopped",
        e.CardCorrected(round=1, slot="p1", before="9s", after="8s", proposed_by="sup", approved_by="pit"),
    ),
    "cards burned from another shoe": (
        "dealing",
        e.CardsBurned(shoe=2, cards="3h", unseen=0, detail="", proposed_by="dealer", approved_by="pit"),
    ),
    "cards burned by one person": (
        "dealing",
        e.CardsBurned(shoe=1, cards="3h", unseen=0, detail="", proposed_by="pit", approved_by="pit"),
    ),
    "more cards burned than there are": (
        "dealing",
        e.CardsBurned(shoe=1, cards="", unseen=416, detail="", proposed_by="dealer", approved_by="pit"),
    ),
    "one person for two": ("stopped", e.RoundResumed(round=1, proposed_by="sup", approved_by="sup")),
    "a void by one person": (
        "stopped",
        e.RoundVoided(round=1, ground="wrong-card-count", clause="5.2", lines=(), proposed_by="sup", approved_by="sup"),
    ),
    "a void that keeps a stake": (
        "stopped",
        e.RoundVoided(round=1, ground="wrong-card-count", clause="5.2", lines=(), proposed_by="sup", approved_by="pit"),
    ),
    "other cards reconstructed": (
        "stopped",
        e.RoundReconstructed(
            round=1, ground="wrong-card-count", clause="5.2", dealt="2h", order="2h", surplus="", proposed_by="sup",
            approved_by="pit",
        ),
    ),
    "a round settled too early": (
        "dealing",
        e.RoundSettled(round=1, result="P", player=9, banker=0, cards="9s", lines=()),
    ),
    "a reopening that forgets a line": (
        "settled",
        e.RoundReopened(
            round=1, ground="wrong-card-count", clause="5.2", recoveries=(), proposed_by="sup", approved_by="pit"
        ),
    ),
    "a review of a round that is played": (
        "dealing", e.ReviewAsked(review=1, round=1, session="ann", patron="ann", at=0, complaint="other", note="", rules=""),
    ),
    "a review out of turn": (
        "settled", e.ReviewAsked(review=2, round=1, session="ann", patron="ann", at=0, complaint="other", note="", rules=""),
    ),
    "a review of a stranger": (
        "settled", e.ReviewAsked(review=1, round=1, session="nobody", patron="x", at=0, complaint="other", note="", rules=""),
    ),
    "an answer to nothing": (
        "settled", e.ReviewAnswered(review=1, round=1, session="ann", decision="upheld", clause="4.1", note="so", by="pit"),
    ),
    "an adjustment by one person": (
        "settled", e.CreditsAdjusted(session="ann", cents=5, round=1, note="so", clause="4.1", proposed_by="sup", approved_by="sup"),
    ),
    "an adjustment of nothing": (
        "settled", e.CreditsAdjusted(session="ann", cents=0, round=1, note="so", clause="4.1", proposed_by="sup", approved_by="pit"),
    ),
    "an adjustment for a round that is played": (
        "dealing", e.CreditsAdjusted(session="ann", cents=5, round=1, note="so", clause="4.1", proposed_by="sup", approved_by="pit"),
    ),
    "credits adjusted of a session that has left": (
        "settled", e.CreditsAdjusted(session="nobody", cents=5, round=1, note="so", clause="4.1", proposed_by="sup", approved_by="pit"),
    ),
    "cash adjusted of a session that is seated": (
        "settled", e.CreditsAdjusted(session="ann", cents=5, round=1, note="so", clause="4.1", window=1, shift=1, proposed_by="sup", approved_by="pit"),
    ),
    "an adjustment for a review that awards nothing": (
        "settled", e.CreditsAdjusted(session="ann", cents=5, round=1, note="so", review=1, clause="4.1", proposed_by="sup", approved_by="pit"),
    ),
    "a period left out": ("waiting", e.PeriodSealed(period=9, snapshot="")),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_an_event_that_cannot_follow_is_a_fault(what: str) -> None:
    phase, event = FORGED[what]
    with pytest.raises(Fault):
        MACHINE.evolve(standing(phase).state, event)
