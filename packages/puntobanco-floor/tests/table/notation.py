"""A table test as a dealer reads it: one command a line, and what becomes of it.

    wager ann banker 100.00               -> WagerPlaced ann 100.00
    close                                 -> BetsClosed "No more bets"
    wager ben tie 5.00                    -> refused bets-are-closed [5.6]
    credits ann 400.00

Left of the arrow stands a command; `by=` says who asks, where it is not the dealer. Right of it stand the events in
order, each with words of it in their order and its clause in brackets, or a refusal with its code and clause. A line
without an arrow states a fact. `wait 15sec` lets the clock run. After every line `verify` checks what always holds:
balances sum to zero and no patron is below it; stakes in play are the wagers of the round; the journal replayed from
nothing gives the same state and balances, and so does a snapshot.
"""

from __future__ import annotations

import dataclasses
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from functools import cache

import msgspec
from msgspec.structs import replace

from puntobanco.base.money import format_cents, parse_cents
from puntobanco.rules.causes import Cause
from puntobanco.rules.games import GAMES
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import chained
from puntobanco_floor.domain.ledger import UNRECOVERED, WAGERS, account_of, is_balanced, is_patron
from puntobanco_floor.domain.machine import NO_MIXERS, Voucher
from puntobanco_floor.domain.stream_rules import BeginEpoch, ConfirmVouchers, SetEntriesAside
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import due
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.domain.table.sessions import LASTS_MS
from puntobanco_floor.domain.table.state import TableState, dump, load
from puntobanco_floor.journal.signing import NodeKey
from puntobanco_floor.store.batch import Answer, Batch, Request, Stream, ToWrite, state_hash
from puntobanco_proof.entry.format import NOTHING, canonical
from tests.support.codes import verify_no_sentence
from tests.support.mixers import answers, mixers
from tests.support.node_key import NODE

START = 1_700_000_000_000
_REFUSED = re.compile(r"refused (\S+)(?: \[(.+?)\])?(?: because \"(.+)\")?")
_COMMA = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')  # not inside quotes
Options = dict[str, str]


def play(script: str, table: Table | None = None) -> Table:
    """Run a script, on a fresh table or on from where one stands; the first line that is not so fails the test."""
    table = table or Table()
    for number, line in enumerate(script.splitlines(), start=1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                table.line(text)
                table.verify()
            except AssertionError as error:
                raise AssertionError(f"line {number}: {text}\n{error}") from None
    table.verify_from_the_start()
    return table


def played(script: str) -> Table:
    """A fresh table after a script that many tests begin with: it is played, and verified, once."""
    return _played(script).copy()


@cache
def _played(script: str) -> Table:
    return play(script)


class Table:
    """A table with money and a journal, on a pure batch: nothing is stored and nothing is left out."""

    def __init__(self, name: str = "table:1") -> None:
        self.stream = Stream.empty(name, OURS.table)
        self.vouchers = dict[str, Voucher]()
        self.rows = list[tuple[int, bytes]]()  # the journal
        self.followed = Followed(Stream.empty(name, OURS.table))
        self.now = START
        self.sent = 0
        self.typed = set[str]()  # every text that somebody has given
        self.orders = dict[str, Order]()
        self.mixers = NO_MIXERS

    @property
    def state(self) -> TableState:
        return self.stream.state

    def copy(self) -> Table:
        """Where this one stands; what is done at the one, the other does not know."""
        other = Table(self.stream.name)
        other.stream, other.followed = copied(self.stream), self.followed.copy()
        other.vouchers, other.rows = dict(self.vouchers), list(self.rows)
        other.now, other.sent, other.orders = self.now, self.sent, dict(self.orders)
        other.mixers = self.mixers
        return other

    def do(self, command: Command | None) -> tuple[list[e.Event], Answer | None]:
        """One batch: what the clock owes, then the command. The events of both, and the answer."""
        self.sent += 1
        batch = Batch(
            self.stream,
            self.now,
            node=NODE,
            load=self.orders.__getitem__,
            vouchers=self.vouchers,
            mixers=self.mixers,
        )
        asked = (
            []
            if command is None
            else [Request(stream=self.stream.name, id=str(self.sent), command=command)]
        )
        out: ToWrite = batch.run(asked, {})
        answers = [reply for reply in out.replies if isinstance(reply, Answer)]
        assert len(answers) == len(asked), "a fault of the program, not a refusal"
        self.orders |= dict(out.sealed)
        self.rows += [(seq, data) for _, seq, data in out.entries]
        batch.settle_in()
        decided = [entry for entry in out.read if entry.command != "admit-key"]
        events = list[e.Event](event for entry in decided for event in entry.events)
        fields = msgspec.structs.asdict(command) if command else {}
        self.typed |= {value for value in fields.values() if isinstance(value, str)}
        for event in events:
            verify_no_sentence(event, self.typed)
        return events, answers[0] if answers else None

    def admit(self, node: NodeKey) -> None:
        """Another node's key, as an entry."""
        load = self.orders.__getitem__
        batch = Batch(self.stream, self.now, node=NODE, load=load, clock=False)
        batch.note(node.admitted(self.stream.name))
        self.rows += [(seq, data) for _, seq, data in batch.out.entries]
        batch.settle_in()

    def line(self, text: str) -> None:
        said, arrow, outcome = text.partition("->")
        verb, *words = shlex.split(said)
        if not arrow:
            FACTS[verb](self, *words)
            return
        if verb == "wait":
            self.now += milliseconds(words[0])
            events, answer = self.do(None)
        else:
            plain = [word for word in words if "=" not in word]
            options = dict(word.split("=", 1) for word in words if "=" in word)
            make = COMMANDS.get(verb) or _by_its_name(verb)
            command = make(self, plain, {"by": options.pop("by", "dealer")} | options)
            events, answer = self.do(command)
        self._compare(events, answer, outcome.strip())

    def _compare(self, events: list[e.Event], answer: Answer | None, outcome: str) -> None:
        happened = "; ".join(map(said_of, events)) or "nothing"
        if refused := _REFUSED.fullmatch(outcome):
            assert answer is not None
            assert not answer.ok, f"was not refused: {happened}"
            code, clause, because = refused.groups()
            assert (code, clause or "") == (answer.code, answer.clause), (
                f"{answer.code} [{answer.clause}]"
            )
            assert (because or "") in answer.words.en, f"because {answer.words.en}"
            return
        assert answer is None or answer.ok, (
            f"refused {answer.code} [{answer.clause}]: {answer.words.en}"
        )
        parts = [] if outcome == "nothing" else _COMMA.split(outcome)
        assert len(parts) == len(events), f"what happened: {happened}"
        for part, event in zip(parts, events, strict=True):
            assert tells(part.strip(), said_of(event)), f"{part.strip()}? what happened: {happened}"

    def verify(self) -> None:
        """The laws that hold after every line."""
        state, balances = self.state, self.stream.balances
        assert is_balanced(balances), f"balances do not sum to zero: {balances}"
        assert all(cents >= 0 for account, cents in balances.items() if is_patron(account)), (
            f"below zero: {balances}"
        )
        staked = sum(state.round.wagers.values()) if state.round and state.is_in_play else 0
        assert balances.get(WAGERS, 0) == staked, (
            f"{staked} cents are staked; {WAGERS} holds {balances.get(WAGERS, 0)}"
        )
        owed = sum(state.round.owed.values()) if state.round else 0
        assert -balances.get(UNRECOVERED, 0) >= owed, (
            f"{owed} cents are owed and not all of it is unrecovered"
        )
        self._verify_replayed(self.followed)
        kept = canonical(dump(state))
        assert canonical(dump(load(msgspec.json.decode(kept)))) == kept, (
            "a snapshot reads back as another state"
        )

    def verify_from_the_start(self) -> None:
        """The same from the first entry on. After every line only what is new is replayed: it is a fold."""
        self._verify_replayed(Followed(Stream.empty(self.stream.name, OURS.table)))

    def _verify_replayed(self, followed: Followed) -> None:
        followed.follow(self.rows)
        replayed, held = followed.stream, self.stream.balances
        assert replayed.balances == held, f"replayed: {replayed.balances}, held: {held}"
        assert state_hash(replayed) == state_hash(self.stream), (
            "the journal replayed gives another state"
        )


class Followed:
    """A second stream, made from the journal alone."""

    def __init__(self, stream: Stream[TableState]) -> None:
        self.stream = stream
        self.seq, self.head, self.at = 0, NOTHING, 0

    def copy(self) -> Followed:
        other = Followed(copied(self.stream))
        other.seq, other.head, other.at = self.seq, self.head, self.at
        return other

    def follow(self, rows: Sequence[tuple[int, bytes]]) -> None:
        new, name = rows[self.seq :], self.stream.name
        for entry, head in chained(new, name, seq=self.seq, head=self.head, at=self.at):
            self.stream.follow(entry, head)
            self.seq, self.head, self.at = entry.seq, head, entry.at


def copied(stream: Stream[TableState]) -> Stream[TableState]:
    balances, orders, done = dict(stream.balances), dict(stream.orders), set(stream.done)
    return dataclasses.replace(stream, balances=balances, orders=orders, done=done)


# What happened, in words


def said_of(event: e.Event) -> str:
    """`CardDealt p1 9s [3.7.1]`: the name, the words of a dealer, the clause."""
    words = [type(event).__name__, *map(str, _words(event))]
    clause = getattr(event, "clause", "")
    return " ".join(words) + (f" [{clause}]" if clause else "")


def _words(event: e.Event) -> Iterable[object]:
    match event:
        case e.TableOpened():
            return (event.game,)
        case e.ShoeStarted():
            burned = (
                (event.first_card, "burn", event.burn) if event.first_card or event.burn else ()
            )
            mix = ("mix", *event.mix) if event.mix else ()
            return (
                event.shoe,
                event.dealing,
                event.source,
                event.decks,
                event.set_id,
                *burned,
                *mix,
            )
        case e.ShoeMixed():
            return (event.shoe, event.first_card or "unseen", "burn", event.burn)
        case e.ShoeEnded():
            return (event.shoe, "abandoned" if event.abandoned else "over")
        case e.LimitsChanged() | e.ClockChanged() | e.CardsChanged():
            return ("asked", event.asked_by) if event.asked_by else ()
        case e.ChangeScheduled():
            return (event.change.kind, event.change.by)
        case e.ChangeDropped():
            return (event.kind, event.asked_by, event.why.code)
        case e.ShoeCounted():
            return (event.shoe, event.counted, "of", event.expected, event.set_id)
        case e.LastHandCalled():
            return (event.round, "of", event.shoe)
        case e.SessionSeated() | e.SessionEnded():
            return (event.session,)
        case e.MoveReserved() | e.MoveSettled():
            return (event.session, event.move, "to", event.to, format_cents(event.cents))
        case e.MoveArrived():
            return (event.session, event.move, "from", event.came_from, format_cents(event.cents))
        case e.MoveRefused():
            return (event.session, event.move, event.reason.code)
        case e.MoveReturned():
            return (event.session, event.move, format_cents(event.cents), event.reason.code)
        case (
            e.CreditsBought()
            | e.CreditsLoaded()
            | e.CashedOut()
            | e.CreditsAdjusted()
            | e.VoucherIssued()
            | e.VoucherRedeemed()
        ):
            window = getattr(event, "window", 0)
            return (
                event.session,
                format_cents(event.cents),
                *(("window", window) if window else ()),
            )
        case e.BetsOpened() | e.BetsClosed():
            return (event.round, event.announcement)
        case e.WagerPlaced() | e.WagerRaised() | e.WagerWithdrawn():
            return (event.session, event.bet, format_cents(event.stake_cents))
        case e.CardDealt():
            return (event.slot, event.card)
        case e.TotalsAnnounced():
            return (event.player, event.banker)
        case e.CardQuestioned():
            return (event.card,)
        case e.CardCorrected():
            return (event.slot, event.before, event.after)
        case e.CardsBurned():
            return (event.shoe, event.cards or "none", "unseen", event.unseen)
        case e.IrregularityDeclared() | e.RoundReopened():
            return (event.round, event.ground)
        case e.IncidentRecorded():
            return (event.ground, "spoils the shoe" if event.spoils_shoe else "spoils nothing")
        case e.Proposed():
            return (event.proposal, event.command["command"])
        case (
            e.ProposalApproved() | e.ProposalRejected() | e.ProposalWithdrawn() | e.ProposalLapsed()
        ):
            return (event.proposal,)
        case e.RoundReconstructed():
            return (event.round, event.order, "over", event.surplus or "none")
        case e.RoundVoided():
            return (event.round, event.ground)
        case e.ReviewAsked():
            return (event.review, event.round, event.session, event.complaint)
        case e.ReviewAnswered():
            return (event.review, event.round, event.session, event.decision)
        case e.RoundSettled():
            return (event.round, event.result, event.player, event.banker)
    return _fields_in_order(event)


def _fields_in_order(event: e.Event) -> Iterable[object]:
    """Of a kind without words of its own: its plain fields, cents as money."""
    for name in event.__struct_fields__:
        value: object = getattr(event, name)
        if name.endswith("cents") and isinstance(value, int):
            yield format_cents(value)
        elif isinstance(value, str | int):
            yield value


def tells(part: str, said: str) -> bool:
    """Whether an outcome is told of the event: its name, words of it in their order, and the clause if one is given.

    >>> tells("CardDealt p1", "CardDealt p1 9s [3.7.1]"), tells("CardDealt 9s [3.7.2]", "CardDealt p1 9s [3.7.1]")
    (True, False)
    """
    (wanted, asked), (words, clause) = _with_clause(part), _with_clause(said)
    rest = iter(words)
    return (
        wanted[0] == words[0] and all(word in rest for word in wanted) and asked in (None, clause)
    )


def _with_clause(text: str) -> tuple[list[str], str | None]:
    words, _, clause = text.replace('"', "").partition(" [")
    return words.split(), clause.removesuffix("]") or None


# Commands


def milliseconds(text: str) -> int:
    """`15sec` or `250ms`; `9s` is a card."""
    assert text.endswith(("ms", "sec")), f"{text} is no time"
    return int(text[:-2]) if text.endswith("ms") else int(text[:-3]) * 1_000


def clock_of(options: Options) -> e.Clock:
    times = {
        name: milliseconds(options[name])
        for name in ("betting", "guard", "card", "pause", "squeeze")
        if name in options
    }
    numbers = {f"{name}_ms": ms for name, ms in times.items()}
    flags = {
        "automatic": options.get("automatic") == "yes",
        "new_shoes": options.get("shoes") == "yes",
    }
    flags["closes_by_clock"] = options.get("closes") == "clock"
    return msgspec.convert(numbers | flags, e.Clock)


def burn_of(text: str) -> int | str:
    return text if text == "first-card" else int(text)


_CARDS: dict[str, Callable[[str], object]] = {
    "source": str,
    "dealing": str,
    "decks": int,
    "cut": int,
    "burn": burn_of,
    "count": "yes".__eq__,
    "roads": int,
}
_CARDS_NAMES = {"count": "count_shoes", "roads": "road_rounds"}


def cards_of(options: Options) -> e.Cards:
    """`source=continuous decks=4 burn=first-card count=yes roads=80`."""
    given = {
        _CARDS_NAMES.get(name, name): read(options[name])
        for name, read in _CARDS.items()
        if name in options
    }
    return msgspec.convert(given, e.Cards)


_LIMITS = {
    "handpay": "hand_pay_cents",
    "buyin": "large_buy_in_cents",
    "patron": "patron_max_cents",
    "exposure": "exposure_max_cents",
    "differential": "differential_cents",
    "load": "staff_load_cents",
}


def limits_of(game: str, options: Options) -> e.Limits:
    """The game's defaults, changed: `patron=500.00 tie=10.00-200.00/5.00 fortune-six=closed`."""
    limits = default_limits(GAMES[game])
    for name, text in options.items():
        if name == "seats":
            limits = replace(limits, seats=int(text))
        elif name in _LIMITS:
            limits = replace(limits, **{_LIMITS[name]: parse_cents(text)})
        elif text == "closed":
            limits = replace(
                limits, bets=limits.bets | {name: replace(limits.bets[name], closed=True)}
            )
        else:
            least, most, step = map(parse_cents, re.split("[-/]", text))
            own = e.BetLimits(min_cents=least, max_cents=most, step_cents=step)
            limits = replace(limits, bets=limits.bets | {name: own})
    return limits


_CLOCK = ("betting", "guard", "card", "pause", "squeeze", "automatic", "shoes", "closes")


def _open_table(table: Table, words: list[str], options: Options) -> Command:
    del table
    by, [game] = options.pop("by"), words
    clock = clock_of({name: options.pop(name) for name in _CLOCK if name in options})
    cards = cards_of({name: options.pop(name) for name in _CARDS if name in options})
    limits = limits_of(game, options) if options else None
    return c.OpenTable(by=by, game=game, limits=limits, clock=clock, cards=cards)


def _shoe(table: Table, words: list[str], options: Options) -> Command:
    """`shoe`, as the table is set; `shoe physical continuous decks=4 set=B-7 counted=208 first=9s`."""
    del table
    given: dict[str, object] = {name: word for word in words for name in _SHOE_WORDS[word]}
    given |= {
        name: _CARDS[name](options[name]) for name in ("decks", "cut", "burn") if name in options
    }
    given |= {
        field: options[name]
        for name, field in (("set", "set_id"), ("first", "first_card"))
        if name in options
    }
    given |= {"counted": int(options["counted"])} if "counted" in options else {}
    return msgspec.convert({"command": "new-shoe", "by": options["by"]} | given, c.NewShoe)


_SHOE_WORDS = {"virtual": ("dealing",), "physical": ("dealing",), "continuous": ("source",)}


def _round(table: Table, options: Options) -> int:
    """Wagers are for the round on the table, where a line does not name another."""
    return int(options.get("round", table.state.rounds))


def _wager(
    kind: Callable[..., Command], cents: str
) -> Callable[[Table, list[str], Options], Command]:
    def make(table: Table, words: list[str], options: Options) -> Command:
        session, bet, *amount = words
        stake = {cents: parse_cents(amount[0])} if amount else {}
        return kind(
            by=options["by"], round=_round(table, options), session=session, bet=bet, **stake
        )

    return make


def _plain(
    kind: Callable[..., Command], *names: str, **types: Callable[[str], object]
) -> Callable[[Table, list[str], Options], Command]:
    """A command whose words are its fields in order; options are fields too."""

    def make(table: Table, words: list[str], options: Options) -> Command:
        del table
        assert len(words) <= len(names), f"{words[len(names) :]} means nothing here"
        given = dict(zip(names, words, strict=False)) | options
        return kind(**{name: types.get(name, str)(word) for name, word in given.items()})

    return make


def _by_its_name(verb: str) -> Callable[[Table, list[str], Options], Command]:
    """A command that has no verb of its own is called by its name: its words are its fields in order."""
    [kind] = [kind for kind in OURS.table.decides if kind.name() == verb]
    names = [name for name in kind.__struct_fields__ if name != "by"]

    def make(table: Table, words: list[str], options: Options) -> Command:
        del table
        assert len(words) <= len(names), f"{words[len(names) :]} means nothing here"
        given = dict(zip(names, words, strict=False)) | options
        return msgspec.convert({"command": verb} | given, kind, strict=False)

    return make


def _people(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _own(options: Options) -> dict[str, int | None]:
    """A patron's own limits: `loss=50.00 minutes=30`."""
    loss, minutes = options.get("loss"), options.get("minutes")
    return {
        "loss_cents": None if loss is None else parse_cents(loss),
        "play_ms": None if minutes is None else int(minutes) * 60_000,
    }


def _arrive(table: Table, words: list[str], options: Options) -> Command:
    """`arrive ann m1 from=table:1 400.00 in=500.00 loss=50.00 epoch=2 late=yes`: as another table has reserved it."""
    session, move, amount = words
    cents = parse_cents(amount)
    is_late = options.get("late") == "yes"
    return c.ArriveMove(
        by="floor",
        session=session,
        move=move,
        came_from=options.get("from", "table:9"),
        epoch=int(options.get("epoch", table.state.epoch)),
        cents=cents,
        until=table.now - 1 if is_late else table.now + LASTS_MS,
        patron=options.get("patron", session),
        in_cents=parse_cents(options["in"]) if "in" in options else cents,
        since=table.now - milliseconds(options.get("for", "60sec")),
        objection=Cause(options["objection"]) if "objection" in options else None,
        **_own(options),
    )


COMMANDS: dict[str, Callable[[Table, list[str], Options], Command]] = {
    "open-table": _open_table,
    "close-table": _plain(c.CloseTable, "reason"),
    "limits": lambda table, _, options: c.ChangeLimits(
        by=options.pop("by"), limits=limits_of(table.state.playing.id, options)
    ),
    "clock": lambda _, __, options: c.ChangeClock(by=options["by"], clock=clock_of(options)),
    "cards": lambda _, __, options: c.ChangeCards(by=options["by"], cards=cards_of(options)),
    "withdraw-change": _plain(c.WithdrawChange, "kind"),
    "shoe": _shoe,
    "mix": lambda table, words, options: c.MixShoe(
        by=options["by"],
        shoe=int(options.get("shoe", table.state.shoes)),
        signatures=answers(table.state, *words),
    ),
    "count": _plain(c.CountShoe, "cards", cards=int),
    "end-shoe": _plain(c.EndShoe),
    "seat": lambda _, words, options: c.SeatSession(
        by=options["by"], session=words[0], patron=options.get("patron", ""), **_own(options)
    ),
    "leave": _plain(c.LeaveSeat, "session"),
    "move": _plain(c.ReserveMove, "session", "move", "to"),
    "arrive": _arrive,
    "settle-move": _plain(c.SettleMove, "session", "move"),
    "return-move": _plain(c.ReturnMove, "session", "move", "reason", reason=Cause),
    "buy": _plain(c.BuyIn, "session", "cents", cents=parse_cents),
    "load": _plain(c.LoadCredits, "session", "cents", "reason", cents=parse_cents),
    "redeem": _plain(c.RedeemVoucher, "session", "voucher"),
    "voucher": _plain(c.IssueVoucher, "session", "voucher", expires_at=int),
    "cash-out": _plain(c.CashOut, "session", "cents", cents=parse_cents),
    "open": _plain(c.OpenBets),
    "wager": _wager(c.PlaceWager, "stake_cents"),
    "raise": _wager(c.RaiseWager, "by_cents"),
    "withdraw": _wager(c.WithdrawWager, "by_cents"),
    "close": _plain(c.CloseBets),
    "deal": _plain(c.DealCard),
    "card": _plain(c.EnterCard, "card"),
    "correct": _plain(c.CorrectCard, "slot", "card"),
    "burn": _plain(c.BurnCards, unseen=int),
    "declare": _plain(c.DeclareIrregularity, "ground", "detail", cards_left=int),
    "reconstruct": lambda _, words, options: c.Reconstruct(by=options["by"], order=" ".join(words)),
    "void": _plain(c.VoidRound),
    "resume": _plain(c.Resume),
    "reopen": _plain(c.Reopen, "ground", "detail"),
    "settle": _plain(c.Settle),
    "ask-review": _plain(
        c.AskReview,
        "session",
        "round",
        "complaint",
        "note",
        round=int,
        dealt_by=_people,
        ruled_by=_people,
    ),
    "answer-review": _plain(c.AnswerReview, "review", "decision", "clause", "note", review=int),
    "adjust": _plain(
        c.Adjust,
        "session",
        "round",
        "cents",
        "note",
        round=int,
        cents=parse_cents,
        review=int,
    ),
    "begin-epoch": _plain(BeginEpoch, "epoch", "second", "reason", epoch=int),
    "set-aside": _plain(SetEntriesAside, "last", "second", "reason", "digest", last=int, epoch=int),
    "confirm-vouchers": _plain(ConfirmVouchers, "second"),
    "approve": _plain(c.Approve, "proposal", proposal=int, window=int, shift=int),
    "reject": _plain(c.Reject, "proposal", "reason", proposal=int),
    "take-back": _plain(c.WithdrawProposal, "proposal", proposal=int),
    "halt": _plain(c.HaltTable, "reason", by_floor="yes".__eq__, closes="yes".__eq__),
    "restart": _plain(c.RestartTable),
    "limit": lambda _, words, options: c.LimitSession(
        by=options["by"], session=words[0], **_own(options)
    ),
    "stop": _plain(c.StopSession, "session", "reason"),
    "let": _plain(c.RestartSession, "session"),
}


# Facts


def _is(got: object, wanted: object) -> None:
    assert got == wanted, f"it is {got}"


def _line(table: Table, session: str, bet: str, outcome: str, paid: str, *more: str) -> None:
    """What a settled or void round paid on a wager, stake included; then perhaps `bonus 3000.00`, and the clause."""
    assert table.state.round is not None
    [line] = [x for x in table.state.round.lines if (x.session, x.bet) == (session, bet)]
    got = [line.outcome, format_cents(line.paid_cents)]
    if "bonus" in more:
        got += ["bonus", format_cents(line.bonus_cents)]
    if more and more[-1].startswith("["):
        got.append(f"[{line.clause}]")
    _is(" ".join(got), " ".join((outcome, paid, *more)))


def _due(table: Table, *words: str) -> None:
    """`due nothing`, or `due settle 3sec`: the command that the clock owes, and how long from now."""
    owed = due(table.state)
    if words == ("nothing",):
        assert owed is None, f"{owed.command.name() if owed else ''} is due"
        return
    assert owed is not None, "nothing is due"
    name, after = words
    _is(
        (owed.command.name(), owed.at - table.now, owed.command.by),
        (name, milliseconds(after), "clock"),
    )


def deal_out(table: Table) -> None:
    """The server deals what the table calls for, to the last card."""
    while table.state.round is not None and not table.state.round.play.is_complete:
        events, answer = table.do(c.DealCard(by="dealer"))
        assert answer is not None
        assert answer.ok, answer.reason
        assert {type(event) for event in events} <= {
            e.CardDealt,
            e.TotalsAnnounced,
            e.LastHandCalled,
        }


def _owed(table: Table, session: str, amount: str) -> None:
    assert table.state.round is not None
    _is(format_cents(table.state.round.owed.get(session, 0)), amount)


def _last(table: Table) -> str:
    """The last round that was over: its number, result and points."""
    last = table.state.last
    if last is None:
        return "none"
    return " ".join(
        str(x) for x in (last.round, last.result, last.player, last.banker) if x is not None
    )


def _mixers(table: Table, *names: str) -> None:
    """Who mixes the shoes that start from here on."""
    table.mixers = mixers(*names)


FACTS: dict[str, Callable[..., None]] = {
    "mixers": _mixers,
    "credits": lambda table, session, amount: _is(
        format_cents(table.stream.balances.get(account_of(session), 0)), amount
    ),
    "account": lambda table, name, amount: _is(
        format_cents(table.stream.balances.get(name, 0)), amount
    ),
    "phase": lambda table, phase: _is(table.state.phase, phase),
    "roads": lambda table, *results: _is(
        " ".join(table.state.results) or "none", " ".join(results)
    ),
    "counted": lambda table, naturals, voids: _is(
        (table.state.naturals, table.state.voids), (int(naturals), int(voids))
    ),
    "sixes": lambda table, n: _is(table.state.sixes, int(n)),
    "last": lambda table, *facts: _is(_last(table), " ".join(facts)),
    "cards-left": lambda table, n: _is(
        table.state.shoe.cards_left if table.state.shoe else 0, int(n)
    ),
    "exposure": lambda table, amount: _is(
        format_cents(table.state.round.exposure_cents if table.state.round else 0), amount
    ),
    "line": _line,
    "owed": _owed,
    "due": _due,
    "deal-out": deal_out,
}
