"""A past round told again from its journal alone: every record with the cards of that moment.

Each decision is computed again by the rules and compared with the record: the third cards, the
winner, every bet, every line, and a void.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco.rules.cards import code
from puntobanco.rules.game import Bet, Game, Odds
from puntobanco.rules.irregularities import title_of
from puntobanco.rules.round import Next, Round
from puntobanco.rules.terms import NO_CARD
from puntobanco_floor.audit.journal_pages import MAX_LINES, Posting, Row, postings_of, row_of
from puntobanco_floor.audit.refusals import NoSuchRound, NotTold
from puntobanco_floor.audit.round_replay import Story, story
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import Line
from puntobanco_floor.domain.ledger import account_of
from puntobanco_floor.domain.machine import Machine
from puntobanco_floor.domain.stream_names import place_words, terminal_of
from puntobanco_floor.domain.table.rulings import READABLE, doubt_about
from puntobanco_floor.domain.table.state import TableState, slots_of
from puntobanco_floor.domain.table.stops import SERVER_DEALT_CLAUSE, lines_by_rule
from puntobanco_floor.store.reader import reading
from puntobanco_floor.views.table_view import ShuffleView, shuffle_of
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.entry.record import Record, fill_record

FIRST = 4
"""Cards that go to their places whatever they are; those after them the table of play decides."""


class Check(Record):
    what: Words
    clause: str
    expected: Words
    recorded: Words
    agrees: bool


def _check(what: Words, clause: str, expected: Words, recorded: Words, *, agrees: bool) -> Check:
    return Check(
        what=what,
        clause=clause,
        expected=expected,
        recorded=recorded,
        agrees=agrees,
    )


_LOSES = Words("loses", "輸")
_WINS = Words("wins {}", "贏，{}")
_PUSHES = Words("pushes", "退回本金")
_NO_WAGER = Words("no wager", "沒有投注")
_OTHERWISE = Words("otherwise", "不同")
_LINE = Words("{} line, to the cent", "{} 項，準確至分")
_LINES = Words("{} lines, to the cent", "{} 項，準確至分")
_PAID = Words("{} paid", "派彩 {}")
_WINNER = Words("Winner", "勝方")
_BANKER_OVER = Words("Banker {} over {}", "莊 {} 點對 {} 點")
_PLAYER_OVER = Words("Player {} over {}", "閒 {} 點對 {} 點")
_TIE_AT = Words("Tie at {}", "和局，各 {} 點")
_TIE_NOT = Words("Tie, Player {}, Banker {}", "和局，閒 {}，莊 {}")
_GROUND = Words("Ground of the void", "作廢事由")
_RETURNED = Words("Every wager returned", "退回全部投注")
_NOTHING = Words("Nothing won or lost", "沒有輸贏")
_SERVER_DEALT = Words("Ground of a server-dealt round", "伺服器派牌局的作廢事由")
_NO_CARDS = Words("none about cards", "與牌張無關的事由")


def checked(event: e.Outcome, before: TableState, right: Sequence[Line]) -> list[Check]:
    """How a round ended against the rules; of a settlement, `right` are its lines by rule."""
    if isinstance(event, e.RoundSettled):
        return _settlement(event, before, right)
    return _void(event, before)


def _settlement(event: e.RoundSettled, before: TableState, right: Sequence[Line]) -> list[Check]:
    """The third cards, the winner, every bet, every line."""
    assert before.round is not None, "`evolve` has checked it"
    play = before.round.play
    game = before.playing
    found = [*_draws(game, play), _winner(game, play, event)]
    ways = game.decide(*play.slots)
    for bet in game.bets:
        way = ways[game.answers_at[bet.id][0]]
        lines = [line for line in event.lines if line.bet == bet.id]
        found.append(_bet(bet, way, lines))
    found.append(_lines(event.lines, right))
    return found


def _bet(bet: Bet, way: int, lines: Sequence[Line]) -> Check:
    """`way` is the row of the bet's pay table that decides it, or one past its end."""
    outcome = "loses"
    clause = bet.clause
    text = _LOSES
    if way < len(bet.pays):
        pay = bet.pays[way]
        outcome = "wins"
        clause = pay.clause
        text = _WINS.format(pay.pays.words)
    elif bet.push and way == len(bet.pays):
        outcome = "pushes"
        clause = bet.push.clause
        text = _PUSHES
    agrees = all((line.outcome, line.clause) == (outcome, clause) for line in lines)
    recorded = _NO_WAGER
    if lines:
        recorded = text if agrees else _OTHERWISE
    return _check(bet.title, clause, text, recorded, agrees=agrees)


def _lines(lines: Sequence[Line], right: Sequence[Line]) -> Check:
    paid = sum(line.paid_cents for line in lines)
    due = sum(line.paid_cents for line in right)
    what = _LINE if len(right) == 1 else _LINES
    settled = [line.by_rule for line in lines]
    return _check(
        what.format(len(right)),
        "",
        _PAID.format(dollars(due)),
        _PAID.format(dollars(paid)),
        agrees=settled == [line.by_rule for line in right],
    )


def _draws(game: Game, play: Round) -> list[Check]:
    """The deal again, card by card: what the table of play calls for, and what lies there."""
    again = Round.start(game, play.shoe)
    found = list[Check]()
    names = ("p1", "b1", "p2", "b2", "p3", "b3")
    for n, card in enumerate(play.cards):
        due = again.next
        if n >= FIRST:
            lies = next(
                names[i] for i in (4, 5) if play.slots[i] == card and again.slots[i] == NO_CARD
            )
            wanted = "none"
            if due.slot is not None:
                wanted = names[due.slot]
            found.append(_draw(due, wanted, lies))
        again = again.deal(card)
    last = again.next
    if play.slots[5] == NO_CARD:
        check = _draw(last, "none", "none")
        found.append(replace(check, agrees=last.slot is None))
    return found


_HAND = {
    "p3": Words("Player draws", "閒補牌"),
    "b3": Words("Banker draws", "莊補牌"),
    "none": Words("no more cards", "不再補牌"),
}


def _draw(due: Next, wanted: str, lies: str) -> Check:
    """Of what was due, the place that it called for, and the place where a card lies."""
    why = due.why
    what = Words(why.en[:1].upper() + why.en[1:], why.zh)
    return _check(what, due.clause, _HAND[wanted], _HAND[lies], agrees=wanted == lies)


def _winner(game: Game, play: Round, event: e.RoundSettled) -> Check:
    clause = game.basics.tie if play.winner == "tie" else game.basics.winner
    name = {"B": "banker", "P": "player", "T": "tie"}[event.result[0]]
    expected = _points(play.winner or "", play.player_points, play.banker_points)
    recorded = _points(name, event.player, event.banker)
    return _check(_WINNER, clause, expected, recorded, agrees=expected == recorded)


def _points(winner: str, player: int, banker: int) -> Words:
    if winner == "banker":
        return _BANKER_OVER.format(banker, player)
    if winner == "player":
        return _PLAYER_OVER.format(player, banker)
    if player == banker:
        return _TIE_AT.format(player)
    return _TIE_NOT.format(player, banker)


def _void(event: e.RoundVoided, before: TableState) -> list[Check]:
    stakes = 0
    if before.round:
        stakes = sum(before.round.wagers.values())
    back = sum(line.returned_cents for line in event.lines)
    won = sum(line.won_cents for line in event.lines)
    whole = all(
        line.outcome == "void" and line.returned_cents == line.stake_cents for line in event.lines
    )
    clauses = {irregularity.clause for irregularity in before.playing.irregularities}
    is_ground = event.clause in clauses or not before.playing.rulebook
    stop = before.round.stop if before.round else None
    ground = stop.ground if stop else event.ground
    doubt = doubt_about(event, before)
    doubtful = list[Check]()
    if doubt is not None and doubt is not READABLE:
        found = _check(_SERVER_DEALT, SERVER_DEALT_CLAUSE, _NO_CARDS, doubt, agrees=False)
        doubtful.append(found)
    return [
        *doubtful,
        _check(
            _GROUND,
            event.clause,
            title_of(ground),
            title_of(event.ground),
            agrees=ground == event.ground and (is_ground or bool(event.clause)),
        ),
        _check(
            _RETURNED,
            event.clause,
            Words(dollars(stakes)),
            Words(dollars(back)),
            agrees=whole and stakes == back,
        ),
        _check(
            _NOTHING,
            event.clause,
            Words("$0.00"),
            Words(dollars(won)),
            agrees=not any(line.won_cents for line in event.lines),
        ),
    ]


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
    why: Words | None
    postings: list[Posting]


class LineView(Record):
    session: str
    terminal: str
    bet: str
    title: Words
    stake_cents: int
    outcome: str
    pays: Words | None  # the odds, where it won
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


def review_round(
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
        return fill_record(
            Retold,
            self,
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
            funds=self._funds(),
        )

    def _record(self, entry: Entry, state: TableState) -> None:
        row = row_of(entry, self.data[entry.seq], self.game)
        self.wagers += row.group == "wagers"
        if row.group == "wagers" and self.wagers > MAX_WAGERS:
            self.folded += 1
            return
        cards = dict[str, str]()
        player = banker = None
        round_ = state.round
        if round_ is not None and round_.number == self.found.number:
            cards = {slot: code(card) for slot, card in slots_of(round_).items()}
            player = round_.play.player_points if cards else None
            banker = round_.play.banker_points if len(cards) > 1 else None
        placed = next((x for x in entry.events if isinstance(x, e.CardPlaced)), None)
        why = placed.why.words if placed and row.group == "cards" else None
        record = Told(
            row=row,
            cards=cards,
            player=player,
            banker=banker,
            slot=placed.slot if placed else "",
            why=why,
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
    return fill_record(
        LineView,
        line,
        terminal=terminal_of(line.session),
        title=bet.title,
        pays=odds.words if odds else None,
        agrees=agrees,
    )


def _odds(bet: Bet, line: Line) -> Odds | None:
    """Find the odds at which a line won: of those under its clause, the ones that pay as it did."""
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
