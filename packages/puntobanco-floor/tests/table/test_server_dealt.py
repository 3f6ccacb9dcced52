"""Voids at a table that the server deals: no ground about cards, and none while the cards can be read."""

from collections.abc import Iterator

import pytest

from puntobanco import GAMES, Game
from puntobanco.rules.causes import Cause
from puntobanco.rules.irregularities import GROUNDS
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import PHASES
from puntobanco_floor.domain.table.stops import MISREAD_CARD
from puntobanco_floor.journal.refusals import VaultFault
from puntobanco_floor.store.batch import Batch
from tests.support.claims import reads
from tests.support.node_key import NODE
from tests.table.notation import Table, play
from tests.table.test_clauses import at

CARD_GROUNDS = [*(ground.id for ground in GROUNDS), MISREAD_CARD]
DEALT = [
    *((game, "virtual") for game in GAMES.values()),
    *((game, "virtual continuous") for game in GAMES.values() if game.basics.shuffler),
]
every_dealing = pytest.mark.parametrize(
    ("game", "dealing"), DEALT, ids=lambda x: getattr(x, "id", x)
)

OPENED = """
open-table {game} betting=15sec guard=2sec card=1sec pause=5sec automatic=yes  -> TableOpened
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
"""
BETTING = """
wait 5sec                             -> BetsOpened 1
wager ann player 100.00               -> WagerPlaced
"""


def opened(game: Game, dealing: str = "virtual") -> Table:
    """An automatic table with its shoe on; it waits for the clock."""
    return at(game, OPENED + f"shoe {dealing} -> ShoeStarted")


def in_dealing(game: Game, cards: int, dealing: str = "virtual") -> Table:
    """With a wager and so many cards dealt by the clock."""
    table = at(game, BETTING + "wait 15sec -> BetsClosed", opened(game, dealing))
    for each in range(cards):
        table.now += 1_000 if each else 2_000
        table.do(None)
    assert table.state.phase == ("dealing" if cards else "closed")
    return table


class NoCards(dict[str, Order]):
    """A vault without its sealed cards."""

    def __missing__(self, place: str) -> Order:
        raise VaultFault(Cause("sealed-cards-missing", (place,)))


def lose_cards(table: Table) -> None:
    """Neither the sealed order nor a copy of it in memory is left."""
    table.orders = NoCards()
    table.stream.orders = {}


def every_phase(game: Game, dealing: str) -> Iterator[Table]:
    """One table in each phase, and in each with its cards to come, all dealt, or out of reach."""
    yield Table()
    table = at(game, OPENED)
    yield table.copy()
    table = opened(game, dealing)
    yield table.copy()
    at(game, BETTING, table)
    yield table.copy()
    play("wait 15sec -> BetsClosed", table)
    yield table.copy()
    while table.state.phase != "settled":
        stopped = table.copy()
        play("declare malfunction -> IrregularityDeclared", stopped)
        yield stopped
        yield table.copy()
        table.now += 2_000
        table.do(None)
    yield table.copy()
    lost = in_dealing(game, 2, dealing)
    lose_cards(lost)
    play("wait 1sec -> IrregularityDeclared malfunction", lost)
    play("void by=sup -> Proposed 1\napprove 1 by=pit -> ProposalApproved, RoundVoided", lost)
    yield lost


@reads(49)
@every_dealing
def test_every_card_ground_is_refused_in_every_phase(game: Game, dealing: str) -> None:
    seen = set[str]()
    for table in every_phase(game, dealing):
        phase = table.state.phase
        seen.add(phase)
        for ground in CARD_GROUNDS:
            for left in (None, 0):
                declared = c.DeclareIrregularity(by="dora", ground=ground, cards_left=left)
                verify_refused(table, declared, ground)
            verify_refused(table, c.Reopen(by="sam", ground=ground), ground)
    assert seen == set(PHASES)


def verify_refused(table: Table, command: c.Command, ground: str) -> None:
    before = table.state
    events, answer = table.do(command)
    where = f"{command.name()} {ground} while {before.phase}"
    assert answer is not None
    assert not answer.ok, f"{where} was taken: {events}"
    assert (events, table.state) == ([], before)
    if command.traits.phases is not None and before.phase in command.traits.phases:
        is_own = ground == MISREAD_CARD and isinstance(command, c.DeclareIrregularity)
        own = "reading 45" if is_own else "reading 49"
        assert (answer.clause, bool(answer.words.zh)) == (own, True), where
    else:
        assert answer.code == "not-now", where


@reads(49)
@every_dealing
def test_nothing_that_handles_cards_is_taken(game: Game, dealing: str) -> None:
    table = in_dealing(game, 2, dealing)
    play(
        """
count 416                             -> refused shoe-refused [reading 49]
correct p1 9s                         -> refused shoe-refused [reading 49]
declare malfunction "screens dark"    -> IrregularityDeclared malfunction [reading 31]
reconstruct "9s 8s" by=sup            -> refused not-now [reading 49] because "resume the round"
correct p1 9s                         -> refused not-now
burn unseen=1                         -> refused shoe-refused [reading 49]
card 9s                               -> refused not-now
""",
        table,
    )


@reads(46, 49)
@every_dealing
@pytest.mark.parametrize("cards", [0, 1, 3, 4])
def test_a_declared_malfunction_resumes_and_voids_nothing_while_the_cards_can_be_read(
    game: Game, dealing: str, cards: int
) -> None:
    table = in_dealing(game, cards, dealing)
    play(
        """
declare malfunction "screens dark"    -> IrregularityDeclared malfunction [reading 31]
void by=sup                           -> refused not-now [reading 49] because "resume the round"
wait 600sec                           -> nothing
void by=sup                           -> refused not-now [reading 49]
resume by=sup                         -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundResumed
""",
        table,
    )
    while table.state.phase != "settled":
        table.now += 2_000
        table.do(None)
    assert table.state.voids == 0


@reads(46, 49)
def test_a_malfunction_while_bets_are_open_voids_nothing_either(game: Game) -> None:
    play(
        """
declare malfunction                   -> IrregularityDeclared
void by=sup                           -> refused not-now [reading 49]
resume by=sup                         -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundResumed
wait 15sec                            -> BetsClosed
""",
        at(game, BETTING, opened(game)),
    )


@reads(31, 46, 49)
@every_dealing
@pytest.mark.parametrize("declare", ["wait 1sec", "declare malfunction"])
def test_two_people_void_a_round_whose_cards_cannot_be_read(
    game: Game, dealing: str, declare: str
) -> None:
    """The clock finds it out, or a person says so first."""
    table = in_dealing(game, 3, dealing)
    lose_cards(table)
    play(
        f"""
{declare}                             -> IrregularityDeclared malfunction [reading 31]
void by=sup                           -> Proposed 1
approve 1 by=sup                      -> refused second-person-needed
approve 1 by=pit                      -> ProposalApproved, RoundVoided malfunction [reading 31]
credits ann 500.00
""",
        table,
    )


@reads(46, 49)
def test_cards_that_can_be_read_again_before_the_second_person_answers_void_nothing(
    game: Game,
) -> None:
    table = in_dealing(game, 3)
    kept = table.copy()
    lose_cards(table)
    play("wait 1sec -> IrregularityDeclared malfunction\nvoid by=sup -> Proposed 1", table)
    table.orders = kept.orders
    play(
        """
approve 1 by=pit                      -> refused not-now [reading 49]
take-back 1 by=sup                    -> ProposalWithdrawn
resume by=sup                         -> Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundResumed
""",
        table,
    )
    while table.state.phase != "settled":
        table.now += 2_000
        table.do(None)


@reads(49)
def test_a_physical_shoe_after_a_virtual_round_takes_its_own_grounds(game: Game) -> None:
    """Which cards a ground is about decides: those of the round, or those of the shoe that lies there."""
    table = in_dealing(game, 4)
    while table.state.phase != "settled":
        table.now += 2_000
        table.do(None)
    at(
        game,
        """
end-shoe                              -> ShoeEnded, PeriodSealed
shoe physical                         -> ShoeStarted 2 physical
reopen wrong-card-count by=sup        -> refused not-now [reading 49]
declare wrong-card-count              -> refused ground-does-not-apply [reading 49]
declare foreign-card                  -> IncidentRecorded spoils the shoe [{foreign}]
""",
        table,
    )


@reads(49)
def test_a_virtual_shoe_after_a_physical_round_is_not_retired_for_a_card(game: Game) -> None:
    at(
        game,
        """
open-table {game}                     -> TableOpened
shoe physical                         -> ShoeStarted 1
open                                  -> BetsOpened
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card 4h                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
end-shoe                              -> ShoeEnded, PeriodSealed
declare foreign-card                  -> IncidentRecorded [{foreign}]
shoe virtual                          -> ShoeStarted 2
declare foreign-card                  -> refused ground-does-not-apply [reading 49]
reopen wrong-card-count by=sup        -> Proposed 1
""",
    )


@reads(49)
def test_a_round_stopped_by_an_older_program_resumes_and_is_not_void(game: Game) -> None:
    """Older programs took a foreign card at a table that the server deals."""
    table = in_dealing(game, 2)
    clause = next(i.clause for i in game.irregularities if i.ground.id == "foreign-card")
    declare_as_before(table, "foreign-card", clause)
    for lost in (False, True):
        if lost:
            lose_cards(table)
        play("void by=sup -> refused not-now [reading 49]", table)
    play("resume by=sup -> Proposed 1\napprove 1 by=pit -> ProposalApproved, RoundResumed", table)


def declare_as_before(table: Table, ground: str, clause: str) -> None:
    """Write the entry that an older program wrote."""
    batch = Batch(table.stream, table.now, node=NODE, load=table.orders.__getitem__, clock=False)
    number = table.state.current.number
    batch.note(e.IrregularityDeclared(round=number, ground=ground, clause=clause, detail=""))
    table.rows += [(seq, data) for _, seq, data in batch.out.entries]
    batch.settle_in()
