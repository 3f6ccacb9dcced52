"""What a terminal may see of a table. Undealt cards, remaining counts and live odds are not among it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

import puntobanco.events as e
from puntobanco.events import BetLimits, Record
from puntobanco.journal import Entry
from puntobanco.ledger import account_of
from puntobanco.rules.cards import code
from puntobanco.storage.batch import Stream
from puntobanco.table.state import TableState, slots_of


class BetView(Record):
    bet: str
    title: str
    title_zh: str
    pays: tuple[str, ...]
    limits: BetLimits


class TableView(Record):
    """A table as everybody sees it."""

    table: str
    seq: int
    at: int
    game: str
    title: str
    title_zh: str
    rules: str
    phase: str
    round: int
    closes_at: int | None
    cards: dict[str, str]  # by slot: p1 b1 p2 b2 p3 b3
    player: int | None
    banker: int | None
    results: tuple[str, ...]
    bets: tuple[BetView, ...]
    announce_open: str
    announce_close: str
    dealt_by: str  # "server" or "dealer"
    halted: str = ""  # why no new round opens
    demo: bool = False


class SessionView(Record):
    """A session as its patron sees it."""

    table: str
    seq: int
    session: str
    seated: bool
    balance_cents: int
    wagers: dict[str, int]
    lines: tuple[e.Line, ...] = ()  # of the last settlement
    since: int | None = None  # when the session began
    net_cents: int = 0  # credits and wagers, less what came in
    loss_cents: int | None = None  # the patron's own limits
    ends_at: int | None = None
    stopped: str = ""  # why it takes no more wagers


def table_view(state: TableState, *, demo: bool = False) -> TableView | None:
    """None for a table that was never opened."""
    game, round_, limits = state.game, state.round, state.limits
    if game is None or limits is None:
        return None
    cards = {slot: code(card) for slot, card in (slots_of(round_) if round_ else {}).items()}
    return TableView(
        table=state.stream, seq=state.seq, at=state.at, game=game.id, title=game.title.en, title_zh=game.title.zh,
        rules=f"{game.rulebook or 'house'} {game.version}".strip(), phase=state.phase, round=state.rounds,
        closes_at=round_.closes_at if round_ and state.phase == "betting" else None, cards=cards,
        player=round_.play.player_points if cards and round_ else None,
        banker=round_.play.banker_points if len(cards) > 1 and round_ else None, results=state.results,
        bets=tuple(
            BetView(
                bet=bet.id, title=bet.title.en, title_zh=bet.title.zh, limits=limits.bets[bet.id],
                pays=tuple(line.pays.words.en for line in (*bet.pays, *bet.bonus)),
            )
            for bet in game.bets
        ),
        announce_open=game.announcements.open, announce_close=game.announcements.close,
        dealt_by="dealer" if state.shoe and state.shoe.dealing == "physical" else "server",
        halted=state.halted, demo=demo,
    )  # fmt: skip


def session_view(stream: Stream, session: str, lines: tuple[e.Line, ...] = ()) -> SessionView:
    """`lines` are those of the session, while the last settlement stands."""
    state = stream.state
    seat, balance = state.sessions.get(session), stream.balances.get(account_of(session), 0)
    wagers = state.wagers_of(session) if state.is_in_play else {}
    seen = SessionView(
        table=state.stream, seq=state.seq, session=session, seated=seat is not None, balance_cents=balance,
        wagers=wagers, lines=lines,
    )  # fmt: skip
    if seat is None:
        return seen
    return replace(
        seen, since=seat.since, net_cents=balance + sum(wagers.values()) - seat.in_cents, loss_cents=seat.loss_cents,
        ends_at=seat.ends_at, stopped=seat.stopped,
    )  # fmt: skip


def lines_by_session(lines: Iterable[e.Line]) -> dict[str, tuple[e.Line, ...]]:
    found = dict[str, list[e.Line]]()
    for line in lines:
        found.setdefault(line.session, []).append(line)
    return {session: tuple(own) for session, own in found.items()}


# Events that everybody at the table sees, as they are; of others patrons' lines, what staff wrote for staff, who they
# are, and how many cards are left is not told.
_PUBLIC = (
    e.TableOpened, e.LimitsChanged, e.TableHalted, e.TableRestarted, e.TableClosed, e.BetsOpened, e.BetsClosed,
    e.CardDealt, e.TotalsAnnounced, e.RoundResumed, e.ShoeEnded,
)  # fmt: skip


class PublicSettlement(Record, tag_field="event", tag="RoundSettled"):
    round: int
    result: str
    player: int
    banker: int
    cards: str


class PublicStop(Record, tag_field="event", tag="IrregularityDeclared"):
    round: int
    ground: str
    clause: str


class PublicCorrection(Record, tag_field="event", tag="CardCorrected"):
    round: int
    slot: str
    before: str
    after: str


class PublicReconstruction(Record, tag_field="event", tag="RoundReconstructed"):
    round: int
    ground: str
    clause: str
    dealt: str
    order: str
    surplus: str


class PublicVoid(Record, tag_field="event", tag="RoundVoided"):
    round: int
    ground: str
    clause: str


class PublicReopening(Record, tag_field="event", tag="RoundReopened"):
    round: int
    ground: str
    clause: str


class PublicShoe(Record, tag_field="event", tag="ShoeStarted"):
    shoe: int
    decks: int
    commitment: str


def public_events(entries: Iterable[Entry]) -> Iterator[Record]:
    for entry in entries:
        for event in entry.events:
            match event:
                case e.RoundSettled():
                    yield PublicSettlement(
                        round=event.round, result=event.result, player=event.player, banker=event.banker,
                        cards=event.cards,
                    )  # fmt: skip
                case e.RoundVoided():
                    yield PublicVoid(round=event.round, ground=event.ground, clause=event.clause)
                case e.IrregularityDeclared():
                    yield PublicStop(round=event.round, ground=event.ground, clause=event.clause)
                case e.CardCorrected():
                    yield PublicCorrection(round=event.round, slot=event.slot, before=event.before, after=event.after)
                case e.RoundReconstructed():
                    yield PublicReconstruction(
                        round=event.round, ground=event.ground, clause=event.clause, dealt=event.dealt,
                        order=event.order, surplus=event.surplus,
                    )  # fmt: skip
                case e.RoundReopened():
                    yield PublicReopening(round=event.round, ground=event.ground, clause=event.clause)
                case e.ShoeStarted():
                    yield PublicShoe(shoe=event.shoe, decks=event.decks, commitment=event.commitment)
                case _ if isinstance(event, _PUBLIC):
                    yield event


def sessions_touched(entries: Iterable[Entry]) -> set[str]:
    """Whose own view these entries change."""
    touched = set[str]()
    for entry in entries:
        for event in entry.events:
            session = getattr(event, "session", None)
            if session:
                touched.add(session)
            for line in getattr(event, "lines", ()):
                touched.add(line.session)
            for recovery in getattr(event, "recoveries", ()):
                touched.add(recovery.line.session)
    return touched
