"""A past round told again from its journal alone: every record with the cards as they then lay, and
what the rules say.

Each decision is computed anew and held against what was recorded: the third cards, the winner,
every bet, every line.
"""

from __future__ import annotations

from collections import Counter

import puntobanco_floor.domain.events as e
from puntobanco.base.record import Record
from puntobanco.base.words import Words
from puntobanco.rules.cards import code
from puntobanco.rules.game import Bet
from puntobanco.rules.payouts import Odds
from puntobanco_floor.audit.journal_pages import MAX_LINES, Posting, Row, postings_of, row_of
from puntobanco_floor.audit.refusals import NoSuchRound, NotTold
from puntobanco_floor.audit.round_replay import Story, story
from puntobanco_floor.audit.rule_checks import Check, checked
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import Line
from puntobanco_floor.domain.ledger import account_of
from puntobanco_floor.domain.machine import Machine
from puntobanco_floor.domain.stream_names import place_words, terminal_of
from puntobanco_floor.domain.table.state import TableState, slots_of
from puntobanco_floor.domain.table.stops import lines_by_rule
from puntobanco_floor.store.reader import reading
from puntobanco_floor.views.shuffle_view import ShuffleView, shuffle_of
from puntobanco_proof.entry.format import Fault

MAX_WAGERS = 300
"""Records of wagers that are told one by one; of more only the number."""


class Told(Record):
    """A record of the round: its row, the cards on the table after it, and what it did to the
    ledger.
    """

    row: Row
    cards: dict[str, str]
    player: int | None
    banker: int | None
    slot: str  # of the card that it dealt or corrected
    why: str
    postings: list[Posting]
    why_zh: str = ""


class LineView(Record):
    session: str
    terminal: str
    bet: str
    title: str
    stake_cents: int
    outcome: str
    pays: str  # the odds, where it won
    winnings_cents: int
    returned_cents: int
    bonus_cents: int
    set_off_cents: int  # of what is paid, the part that goes to an older debt
    paid_cents: int
    clause: str
    bonus_clause: str
    agrees: bool  # with the rules, computed anew
    title_zh: str = ""
    pays_zh: str = ""


class Outcome(Record):
    """A settlement, a void, or the taking back of a settlement."""

    seq: int
    what: str
    result: str
    clause: str
    lines: list[LineView]
    lines_total: int
    staked_cents: int
    paid_cents: int


class SessionFunds(Record):
    session: str
    terminal: str
    before_cents: int
    after_cents: int


class Approval(Record):
    """Two people: who asked, and who decided."""

    seq: int
    at: int
    what: str
    asked_by: str
    decided_by: str
    approved: bool


class Correction(Record):
    """Cards as they lay, and as they should have."""

    seq: int
    what: str
    clause: str
    original: list[str]
    corrected: list[str]
    surplus: list[str]


class Retold(Record):
    table: str
    round: int
    rounds: int  # of this table so far
    game: str
    title: str
    rules: str
    shoe: int
    decks: int
    dealing: str
    shuffle: ShuffleView  # of its shoe
    order: str  # of its shoe as committed to, once it is revealed
    nonce: str
    state: str  # settled, void, or the phase that it is in
    result: str
    first: int
    last: int
    records: list[Told]
    folded: int  # records of wagers beyond those told
    checks: list[Check]
    outcomes: list[Outcome]
    funds: list[SessionFunds]
    approvals: list[Approval]
    corrections: list[Correction]


def retold(
    database: str, table: str, number: int, *, rounds: int, definitions: Definitions = OURS
) -> Retold:
    """`rounds`: how many the table has played so far."""
    try:
        with reading(database, definitions) as reader:
            found = story(reader, table, number)
            first = found.entries[0].seq
            last = found.entries[-1].seq
            data = dict(reader.entries(table, after=first - 1, upto=last))
    except Fault as fault:
        if fault.stream:
            raise NotTold(
                f"the journal does not hold, so that no round is told from it: {fault.reason}"
            ) from None
        raise NoSuchRound(say.NO_ROUND.format(number, place_words(table))) from None
    return _Telling(found, data, definitions.table).told(rounds)


class _Telling:
    """One walk through the entries, with the state before and after each."""

    def __init__(self, found: Story, data: dict[int, bytes], machine: Machine[TableState]) -> None:
        self.found = found
        self.machine = machine
        self.data = data
        self.game = found.game
        self.records = list[Told]()
        self.wagers = 0
        self.folded = 0
        self.outcomes = list[Outcome]()
        self.checks = list[Check]()
        self.approvals = list[Approval]()
        self.corrections = list[Correction]()
        self.end: e.Outcome | None = None

    def told(self, rounds: int) -> Retold:
        found = self.found
        state = found.before
        for entry in found.entries:
            before = state
            state = self.machine.follow(state, entry)
            for event in entry.events:
                self._event(entry, event, before, state)
            self._record(entry, state)
        shoe = found.before.shoe
        end = self.end
        assert shoe is not None, "bets open on a shoe"
        order, nonce = found.revealed
        return Retold(
            table=found.stream,
            round=found.number,
            rounds=rounds,
            game=self.game.id,
            title=self.game.title.en,
            rules=found.rules,
            shoe=shoe.number,
            decks=shoe.decks,
            dealing=shoe.dealing,
            shuffle=shuffle_of(shoe),
            order=order,
            nonce=nonce,
            state=end.traits.phase if end else found.after.phase,
            result=end.result if end else "",
            first=found.entries[0].seq,
            last=found.entries[-1].seq,
            records=self.records,
            folded=self.folded,
            checks=self.checks,
            outcomes=self.outcomes,
            funds=self._funds(),
            approvals=self.approvals,
            corrections=self.corrections,
        )

    def _record(self, entry: Entry, state: TableState) -> None:
        row = row_of(entry, self.data[entry.seq], self.game)
        self.wagers += row.group == "wagers"
        if row.group == "wagers" and self.wagers > MAX_WAGERS:
            self.folded += 1
            return
        cards = dict[str, str]()
        player = None
        banker = None
        round_ = state.round
        if round_ is not None and round_.number == self.found.number:
            cards = {slot: code(card) for slot, card in slots_of(round_).items()}
            player = round_.play.player_points if cards else None
            banker = None
            if len(cards) > 1:
                banker = round_.play.banker_points
        placed = next((x for x in entry.events if isinstance(x, e.CardPlaced)), None)
        why = placed.why.words if placed and row.group == "cards" else Words("")
        record = Told(
            row=row,
            cards=cards,
            player=player,
            banker=banker,
            slot=placed.slot if placed else "",
            why=why.en,
            why_zh=why.zh,
            postings=postings_of(entry),
        )
        self.records.append(record)

    def _event(self, entry: Entry, event: e.Event, before: TableState, after: TableState) -> None:
        if isinstance(event, e.ProposalAnswered):
            self.approvals.append(_approval(entry, event, before))
        elif isinstance(event, e.CardsCorrected):
            correction = Correction(
                seq=entry.seq,
                what=event.corrects,
                clause=event.clause,
                original=_codes(before),
                corrected=_codes(after),
                surplus=event.surplus.split(),
            )
            self.corrections.append(correction)
        elif isinstance(event, e.Reckoning):
            self._reckoning(entry, event, before)

    def _reckoning(self, entry: Entry, event: e.Reckoning, before: TableState) -> None:
        right = lines_by_rule(before) if event.settles > 0 else None
        self.outcomes.append(self._outcome(entry, event, right))
        self.end = event if isinstance(event, e.Outcome) else None
        if self.end is not None:
            self.checks = checked(self.end, before, right or ())

    def _outcome(self, entry: Entry, event: e.Reckoning, right: list[Line] | None) -> Outcome:
        by_rule = {(line.session, line.bet): line for line in right or ()}
        views = list[LineView]()
        for line in event.lines[:MAX_LINES]:
            own = by_rule.get((line.session, line.bet))
            if own is not None:
                agrees = line.by_rule == own.by_rule
            elif line.outcome == "void":
                agrees = line.returned_cents == line.stake_cents
            else:
                agrees = right is None  # a settlement has a line by rule for each
            views.append(_line_view(self.game.bet(line.bet), line, agrees=agrees))
        return Outcome(
            seq=entry.seq,
            what=event.outcome,
            result=event.result,
            clause=event.clause,
            lines=views,
            lines_total=len(event.lines),
            staked_cents=sum(line.stake_cents for line in event.lines),
            paid_cents=sum(line.paid_cents for line in event.lines),
        )

    def _funds(self) -> list[SessionFunds]:
        if self.end is None:
            return []
        paid = Counter[str]()
        for line in self.end.lines:
            net = line.stake_cents - line.paid_cents + line.set_off_cents
            paid[line.session] += net
        found = list[SessionFunds]()
        for session, net in list(paid.items())[:MAX_LINES]:
            after = self.found.after_cents.get(account_of(session), 0)
            funds = SessionFunds(
                session=session,
                terminal=terminal_of(session),
                before_cents=after + net,
                after_cents=after,
            )
            found.append(funds)
        return found


def _approval(entry: Entry, event: e.ProposalAnswered, before: TableState) -> Approval:
    proposal = before.proposals.waiting[event.proposal]
    return Approval(
        seq=entry.seq,
        at=entry.at,
        what=str(proposal.command["command"]),
        asked_by=proposal.by,
        decided_by=entry.by,
        approved=isinstance(event, e.ProposalApproved),
    )


def _line_view(bet: Bet, line: Line, *, agrees: bool) -> LineView:
    odds = _odds(bet, line)
    return LineView(
        session=line.session,
        terminal=terminal_of(line.session),
        bet=line.bet,
        title=bet.title.en,
        title_zh=bet.title.zh,
        stake_cents=line.stake_cents,
        outcome=line.outcome,
        pays=odds.words.en if odds else "",
        pays_zh=odds.words.zh if odds else "",
        winnings_cents=line.winnings_cents,
        returned_cents=line.returned_cents,
        bonus_cents=line.bonus_cents,
        set_off_cents=line.set_off_cents,
        paid_cents=line.paid_cents,
        clause=line.clause,
        bonus_clause=line.bonus_clause,
        agrees=agrees,
    )


def _odds(bet: Bet, line: Line) -> Odds | None:
    """The odds at which a line won. Several may stand under one clause: those that come to its
    winnings; where none do, the line is wrong, and the last under the clause stands beside it.
    """
    if line.outcome != "wins":
        return None
    under = list[Odds]()
    for pay in bet.pays:
        if isinstance(pay.pays, Odds) and pay.clause == line.clause:
            if pay.pays.winnings(line.stake_cents) == line.winnings_cents:
                return pay.pays
            under.append(pay.pays)
    return under[-1] if under else None


def _codes(state: TableState) -> list[str]:
    if state.round:
        return [code(card) for card in slots_of(state.round).values()]
    return []
