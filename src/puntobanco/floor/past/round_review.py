"""A past round told again from its journal alone: every record with the cards as they then lay, and
what the rules say.

Each decision is computed anew and held against what was recorded: the third cards, the winner,
every bet, every line.
"""

from __future__ import annotations

from collections.abc import Sequence

import puntobanco.events as e
from puntobanco.events import Line, Record
from puntobanco.floor.past.journal_pages import MAX_LINES, Posting, Row, postings_of, row_of
from puntobanco.floor.past.patron_replay import NoSuchRound
from puntobanco.journal import Entry, Fault
from puntobanco.ledger import account_of
from puntobanco.names import terminal_of
from puntobanco.rules.cards import code
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import title_of
from puntobanco.rules.money import Odds, format_cents
from puntobanco.rules.refusals import Refusal
from puntobanco.rules.round import Round
from puntobanco.rules.terms import NO_CARD
from puntobanco.storage.reader import reading
from puntobanco.storage.replay import Story, story
from puntobanco.table.machine import TABLE
from puntobanco.table.settling import lines_by_rule
from puntobanco.table.state import TableState, slots_of

MAX_WAGERS = 300
"""Records of wagers that are told one by one; of more only the number."""


FIRST = 4
"""Cards that go to their places whatever they are; those after them the table of play decides."""


class NotTold(Refusal):
    """A round of a journal whose chain is broken."""


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


class Check(Record):
    what: str
    clause: str
    expected: str
    recorded: str
    agrees: bool


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


def retold(database: str, table: str, number: int, *, rounds: int) -> Retold:
    """`rounds`: how many the table has played so far."""
    try:
        with reading(database) as reader:
            found = story(reader, table, number)
            first, last = found.entries[0].seq, found.entries[-1].seq
            data = dict(reader.entries(table, after=first - 1, upto=last))
    except Fault as fault:
        if fault.stream:
            raise NotTold(
                f"the journal does not hold, so that no round is told from it: {fault.reason}"
            ) from None
        raise NoSuchRound(f"{table} has played no round {number}") from None
    return _Telling(found, data).told(rounds)


class _Telling:
    """One walk through the entries, with the state before and after each."""

    def __init__(self, found: Story, data: dict[int, bytes]) -> None:
        self.found, self.data, self.game = found, data, found.game
        self.records, self.folded = list[Told](), 0
        self.outcomes, self.checks = list[Outcome](), list[Check]()
        self.approvals, self.corrections = list[Approval](), list[Correction]()
        self.proposed = dict[int, tuple[str, str]]()
        self.dealt = dict[str, e.CardDealt]()
        self.end: e.RoundSettled | e.RoundVoided | None = None

    def told(self, rounds: int) -> Retold:
        found, state = self.found, self.found.before
        for entry in found.entries:
            before, state = state, TABLE.follow(state, entry)
            for event in entry.events:
                self._event(entry, event, before, state)
            self._record(entry, state)
        shoe, end = found.before.shoe, self.end
        assert shoe is not None, "bets open on a shoe"
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
            state="settled"
            if isinstance(end, e.RoundSettled)
            else "void"
            if end
            else found.after.phase,
            result=end.result if isinstance(end, e.RoundSettled) else "VOID" if end else "",
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
        if (
            row.group == "wagers"
            and sum(told.row.group == "wagers" for told in self.records) >= MAX_WAGERS
        ):
            self.folded += 1
            return
        round_ = state.round if state.round and state.round.number == self.found.number else None
        cards = {slot: code(card) for slot, card in slots_of(round_).items()} if round_ else {}
        card = next((x for x in entry.events if isinstance(x, e.CardDealt | e.CardCorrected)), None)
        self.records.append(
            Told(
                row=row,
                cards=cards,
                player=round_.play.player_points if cards and round_ else None,
                banker=round_.play.banker_points if len(cards) > 1 and round_ else None,
                slot=card.slot if card else "",
                why=card.why if isinstance(card, e.CardDealt) else "",
                postings=postings_of(entry),
            )
        )

    def _event(self, entry: Entry, event: e.Event, before: TableState, after: TableState) -> None:
        match event:
            case e.CardDealt():
                self.dealt[event.slot] = event
            case e.Proposed():
                self.proposed[event.proposal] = entry.by, str(event.command["command"])
            case e.ProposalApproved() | e.ProposalRejected():
                by, what = self.proposed.get(event.proposal, ("", ""))
                is_approved = isinstance(event, e.ProposalApproved)
                self.approvals.append(
                    Approval(
                        seq=entry.seq,
                        at=entry.at,
                        what=what,
                        asked_by=by,
                        decided_by=entry.by,
                        approved=is_approved,
                    )
                )
            case e.CardCorrected():
                was = _codes(before)
                self._correct(
                    entry,
                    f"{_CARD[event.slot]} was {event.before}, is {event.after}",
                    event.clause,
                    was,
                    _codes(after),
                    [],
                )
            case e.RoundReconstructed():
                self._correct(
                    entry,
                    f"reconstructed: {event.ground}",
                    event.clause,
                    event.dealt.split(),
                    event.order.split(),
                    event.surplus.split(),
                )
            case e.RoundSettled():
                self.end, right = event, lines_by_rule(before)
                self._outcome(entry, "settled", event.result, "", event.lines, right)
                self.checks = self._checked(event, before, right)
            case e.RoundVoided():
                self.end = event
                self._outcome(
                    entry, f"void: {event.ground}", "VOID", event.clause, event.lines, None
                )
                self.checks = _checked_void(event, before)
            case e.RoundReopened():
                self.end, lines = None, tuple(recovery.line for recovery in event.recoveries)
                what = f"reopened: the settlement is taken back, {title_of(event.ground).en}"
                self._outcome(entry, what, "", event.clause, lines, None)

    def _correct(
        self,
        entry: Entry,
        what: str,
        clause: str,
        original: list[str],
        corrected: list[str],
        surplus: list[str],
    ) -> None:
        kept = (
            [card for n, card in enumerate(corrected) if n < len(corrected) - len(surplus)]
            if surplus
            else corrected
        )
        self.corrections.append(
            Correction(
                seq=entry.seq,
                what=what,
                clause=clause,
                original=original,
                corrected=kept,
                surplus=surplus,
            )
        )

    def _outcome(
        self,
        entry: Entry,
        what: str,
        result: str,
        clause: str,
        lines: Sequence[Line],
        right: list[Line] | None,
    ) -> None:
        by_rule = {(line.session, line.bet): line for line in right or ()}
        views = [
            self._line(x, by_rule.get((x.session, x.bet)), is_checked=right is not None)
            for x in lines[:MAX_LINES]
        ]
        self.outcomes.append(
            Outcome(
                seq=entry.seq,
                what=what,
                result=result,
                clause=clause,
                lines=views,
                lines_total=len(lines),
                staked_cents=sum(line.stake_cents for line in lines),
                paid_cents=sum(line.paid_cents for line in lines),
            )
        )

    def _line(self, line: Line, right: Line | None, *, is_checked: bool) -> LineView:
        bet = self.game.bet(line.bet)
        by_clause = {pay.clause: pay.pays for pay in bet.pays if isinstance(pay.pays, Odds)}
        odds = [
            pay.pays
            for pay in bet.pays
            if isinstance(pay.pays, Odds)
            and pay.clause == line.clause
            and pay.pays.winnings(line.stake_cents) == line.winnings_cents
        ]
        found = (
            (odds or [by_clause[line.clause]] if line.clause in by_clause else [])
            if line.outcome == "wins"
            else []
        )
        agrees = (
            line.returned_cents == line.stake_cents if line.outcome == "void" else not is_checked
        )
        if right is not None:
            agrees = _same(line, right)
        return LineView(
            session=line.session,
            terminal=terminal_of(line.session),
            bet=line.bet,
            title=bet.title.en,
            stake_cents=line.stake_cents,
            outcome=line.outcome,
            pays=found[0].words.en if found else "",
            winnings_cents=line.winnings_cents,
            returned_cents=line.returned_cents,
            bonus_cents=line.bonus_cents,
            set_off_cents=line.set_off_cents,
            paid_cents=line.paid_cents,
            clause=line.clause,
            bonus_clause=line.bonus_clause,
            agrees=agrees,
        )

    def _funds(self) -> list[SessionFunds]:
        if self.end is None:
            return []
        paid = dict[str, int]()
        for line in self.end.lines:
            paid[line.session] = (
                paid.get(line.session, 0) + line.stake_cents - line.paid_cents + line.set_off_cents
            )
        after = {session: self.found.after_cents.get(account_of(session), 0) for session in paid}
        return [
            SessionFunds(
                session=s,
                terminal=terminal_of(s),
                before_cents=after[s] + net,
                after_cents=after[s],
            )
            for s, net in list(paid.items())[:MAX_LINES]
        ]

    # What the rules say

    def _checked(self, event: e.RoundSettled, before: TableState, right: list[Line]) -> list[Check]:
        assert before.round is not None, "`evolve` has checked it"
        play, game = before.round.play, self.game
        found = [*_draws(game, play), _winner(game, play, event)]
        ways = game.decide(*play.slots)
        for bet in game.bets:
            way = ways[game.answers_at[bet.id][0]]
            if way < len(bet.pays):
                outcome, clause, text = (
                    "wins",
                    bet.pays[way].clause,
                    f"wins {bet.pays[way].pays.words.en}",
                )
            elif bet.push and way == len(bet.pays):
                outcome, clause, text = "pushes", bet.push.clause, "pushes"
            else:
                outcome, clause, text = "loses", bet.clause, "loses"
            lines = [line for line in event.lines if line.bet == bet.id]
            same = all((line.outcome, line.clause) == (outcome, clause) for line in lines)
            said = text if lines and same else "otherwise" if lines else "no wager"
            found.append(
                Check(what=bet.title.en, clause=clause, expected=text, recorded=said, agrees=same)
            )
        paid, due = (sum(line.paid_cents for line in lines) for lines in (event.lines, right))
        same = len(event.lines) == len(right) and all(map(_same, event.lines, right))
        found.append(
            Check(
                what=f"{len(right)} line{'' if len(right) == 1 else 's'}, to the cent",
                clause="",
                expected=f"${format_cents(due)} paid",
                recorded=f"${format_cents(paid)} paid",
                agrees=same,
            )
        )
        return found


def _same(line: Line, right: Line) -> bool:
    """But for what goes to an older debt, which is no matter of the rules."""
    return all(
        getattr(line, name) == getattr(right, name)
        for name in Line.__struct_fields__
        if name != "set_off_cents"
    )


def _draws(game: Game, play: Round) -> list[Check]:
    """The deal again, card by card: what the table of play calls for, and what lies there."""
    again, found = Round.start(game, play.shoe), list[Check]()
    names = ("p1", "b1", "p2", "b2", "p3", "b3")
    for n, card in enumerate(play.cards):
        due = again.next
        if n >= FIRST:
            lies = next(
                names[i] for i in (4, 5) if play.slots[i] == card and again.slots[i] == NO_CARD
            )
            wanted = names[due.slot] if due.slot is not None else "none"
            found.append(
                Check(
                    what=_sentence(due.why.en),
                    clause=due.clause,
                    expected=_HAND[wanted],
                    recorded=_HAND[lies],
                    agrees=wanted == lies,
                )
            )
        again = again.deal(card)
    last = again.next
    if play.slots[5] == NO_CARD:
        found.append(
            Check(
                what=_sentence(last.why.en),
                clause=last.clause,
                expected="no more cards",
                recorded="no more cards",
                agrees=last.slot is None,
            )
        )
    return found


_HAND = {"p3": "Player draws", "b3": "Banker draws", "none": "no more cards"}


_CARD = {
    slot: f"{hand}'s {ordinal} card"
    for n, ordinal in enumerate(("first", "second", "third"), 1)
    for slot, hand in ((f"p{n}", "Player"), (f"b{n}", "Banker"))
}


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _winner(game: Game, play: Round, event: e.RoundSettled) -> Check:
    clause = game.basics.tie if play.winner == "tie" else game.basics.winner
    name = {"B": "banker", "P": "player", "T": "tie"}[event.result[0]]
    expected, recorded = (
        _points(winner or "", player, banker)
        for winner, player, banker in (
            (play.winner, play.player_points, play.banker_points),
            (name, event.player, event.banker),
        )
    )
    return Check(
        what="Winner",
        clause=clause,
        expected=expected,
        recorded=recorded,
        agrees=expected == recorded,
    )


def _points(winner: str, player: int, banker: int) -> str:
    if winner == "tie":
        return f"Tie at {player}" if player == banker else f"Tie, Player {player}, Banker {banker}"
    return (
        f"Banker {banker} over {player}" if winner == "banker" else f"Player {player} over {banker}"
    )


def _checked_void(event: e.RoundVoided, before: TableState) -> list[Check]:
    stakes = sum(before.round.wagers.values()) if before.round else 0
    back = sum(line.returned_cents for line in event.lines)
    whole = all(
        (line.outcome, line.returned_cents) == ("void", line.stake_cents) for line in event.lines
    )
    is_ground = (
        event.clause in {i.clause for i in before.playing.irregularities}
        or not before.playing.rulebook
    )
    ground = before.round.stop.ground if before.round and before.round.stop else event.ground
    return [
        Check(
            what="Ground of the void",
            clause=event.clause,
            expected=ground,
            recorded=event.ground,
            agrees=ground == event.ground and (is_ground or bool(event.clause)),
        ),
        Check(
            what="Every wager returned",
            clause=event.clause,
            expected=f"${format_cents(stakes)}",
            recorded=f"${format_cents(back)}",
            agrees=whole and stakes == back,
        ),
        Check(
            what="Nothing won or lost",
            clause=event.clause,
            expected="$0.00",
            recorded=f"${format_cents(sum(x.winnings_cents + x.bonus_cents for x in event.lines))}",
            agrees=not any(x.winnings_cents + x.bonus_cents for x in event.lines),
        ),
    ]


def _codes(state: TableState) -> list[str]:
    return [code(card) for card in slots_of(state.round).values()] if state.round else []
