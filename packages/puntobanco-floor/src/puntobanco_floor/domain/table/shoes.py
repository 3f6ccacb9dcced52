"""Tables open, stop and close; shoes are put on, mixed, burned from, counted and ended. And which
cards a command needs.
"""

from __future__ import annotations

import msgspec

import puntobanco_floor.domain.events as e
from puntobanco.rules.cards import Card, code, codes, parse_card, points_of
from puntobanco.rules.causes import Cause, words_of
from puntobanco.rules.definition import define, digest, game_of
from puntobanco.rules.game import Game
from puntobanco.rules.game_schema import Definition
from puntobanco.rules.games import GAMES
from puntobanco.rules.refusals import UnknownGame, UnknownGround
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.machine import CLOCK, NO_MIXERS, Events, Fresh, Held
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import MIX_MS
from puntobanco_floor.domain.table.evolve import burned_after, is_abandoned
from puntobanco_floor.domain.table.limits import (
    MAX_FIRST_BURN,
    default_limits,
    drop_change,
    verify_cards,
    verify_clock,
    verify_limits,
)
from puntobanco_floor.domain.table.mixing import verified_seed
from puntobanco_floor.domain.table.state import Asked, ShoeState, TableState, clause_of, parsed
from puntobanco_floor.domain.table.stops import (
    MALFUNCTION,
    MALFUNCTION_CLAUSE,
    SERVER_DEALT_CLAUSE,
    declaration,
    incident,
)
from puntobanco_proof.mix import shuffle_by_seed


def open_table(_: Asked, command: c.OpenTable) -> Events:
    definition = _definition(command)
    game = game_of(definition)
    limits = command.limits or default_limits(game)
    verify_limits(game, limits)
    verify_clock(command.clock)
    verify_cards(game, command.cards)
    opened = e.TableOpened(
        game=game.id,
        digest=digest(game),
        definition=definition,
        limits=limits,
        clock=command.clock,
        cards=command.cards,
        source="" if command.definition is None else command.source,  # a built-in game has no file
    )
    return (opened,)


def _definition(command: c.OpenTable) -> Definition:
    """Return a built-in game's definition, or the given one, which needs its own id."""
    if command.definition is None:
        if command.game not in GAMES:
            raise UnknownGame(
                f"there is no game {command.game!r:.60} here; the games are "
                f"{', '.join(GAMES)}, and one of your own is "
                "opened by its file: puntobanco table add NUMBER game.py"
            )
        return define(GAMES[command.game])
    game = game_of(command.definition)
    if game.id in GAMES:
        raise UnknownGame(f"{game.id} is a built-in game; give yours an id of its own")
    if game.id != command.game:
        raise UnknownGame(f"the definition is of {game.id}, not of {command.game!r:.60}")
    return command.definition


def close_table(asked: Asked, command: c.CloseTable) -> Events:
    ended = _shoe_ended(asked) if asked.state.shoe else ()
    unmade = (drop_change(change, Cause("table-closed-first")) for change in asked.state.scheduled)
    return (*ended, *unmade, e.TableClosed(reason=command.reason))


def halt_table(asked: Asked, command: c.HaltTable) -> Events:
    state = asked.state
    if state.closing:
        raise r.NotNow(r.CLOSES_ALREADY.format(words_of(state.halted)))
    if state.halted and not command.closes:
        raise r.NotNow(r.STOPPED_ALREADY.format(words_of(state.halted)))
    # One that closes stays stopped whatever becomes of the floor.
    by_floor = command.by_floor and not command.closes
    return (e.TableHalted(reason=command.reason, by_floor=by_floor, closes=command.closes),)


def restart_table(asked: Asked, _: c.RestartTable) -> Events:
    if not asked.state.halted:
        raise r.NotNow(r.NOT_STOPPED)
    return (e.TableRestarted(),)


def new_shoe(asked: Asked, command: c.NewShoe) -> Events:
    state = asked.state
    if state.shoe is not None:
        raise r.ShoeRefused(r.SHOE_IS_ON.format(state.shoe.number))
    cards = cards_of(state, command)
    verify_cards(state.playing, cards)
    if cards.dealing == "virtual":
        _verify_no_set(command)
    elif cards.count_shoes and not (command.set_id and command.counted is not None):
        raise r.ShoeRefused(r.SET_AND_COUNT)
    committed = asked.order.commitment if asked.order and cards.source == "shoe" else ""
    assert bool(committed) == (cards.dealing == "virtual" and cards.source == "shoe")
    mixers = asked.mixers if committed else NO_MIXERS
    first_card, burn = "", 0  # of a shoe that is mixed they are known when it is
    if not mixers.keys:
        first_card, burn = _burned(asked, cards, command.first_card)
    started = e.ShoeStarted(
        shoe=state.shoes + 1,
        source=cards.source,
        dealing=cards.dealing,
        decks=cards.decks,
        cut=cards.cut,
        burn=burn,
        commitment=committed,
        set_id=command.set_id,
        first_card=first_card,
        mix=mixers.names,
        mix_keys=tuple(mixers.keys[name] for name in mixers.names),
        log=mixers.log,
        burns=cards.burn if mixers.keys else 0,
    )
    if command.counted is None:
        return (started,)
    return (started, *_counted(asked, started, command.counted))


def cards_of(state: TableState, command: c.NewShoe) -> e.Cards:
    """The shoe that is asked for: as the table is set, but for what the command says."""
    names = ("dealing", "source", "decks", "cut", "burn")
    given = {name: value for name in names if (value := getattr(command, name)) is not None}
    if command.decks is None and not state.cards.decks:
        given["decks"] = state.playing.default_decks
    cards = msgspec.structs.replace(state.cards, **given)
    if cards.source == "continuous":  # every round starts from the full set
        return msgspec.structs.replace(cards, cut=0, burn=0)
    return cards


def _verify_no_set(command: c.NewShoe) -> None:
    if command.set_id or command.counted is not None:
        raise r.ShoeRefused(r.VIRTUAL_HAS_NO_SET)
    if command.first_card:
        raise r.ShoeRefused(r.SERVER_TURNS)


def _burned(asked: Asked, cards: e.Cards, entered: str) -> tuple[str, int]:
    """The card that is turned, if any, and how many leave unseen after it."""
    if cards.burn != "first-card":
        if entered:
            raise r.ShoeRefused(r.NO_FIRST_CARD)
        return "", cards.burn
    if cards.dealing == "virtual":
        assert asked.order is not None, "a virtual shoe has an order"
        first = asked.order.cards[0]
    elif entered:
        first = parse_card(entered)
        asked.state.playing.shoe(cards.decks).without([first])
    else:
        raise r.ShoeRefused(r.TURN_FIRST_CARD)
    return code(first), points_of(first) or MAX_FIRST_BURN


def mix_shoe(asked: Asked, command: c.MixShoe) -> Events:
    shoe, order = shoe_on_table(asked.state), asked.order
    if shoe.mixing is None or shoe.number != command.shoe or not shoe.waits_for_mix:
        raise r.MixRefused(r.NOT_WAITING_FOR_MIX.format(command.shoe))
    assert order is not None, "a shoe that is committed to has an order"
    seed = verified_seed(
        shoe.mixing, asked.state.stream, shoe.number, shoe.commitment, command.signatures
    )
    turned = tuple[Card, ...]()
    if shoe.mixing.burns == "first-card":
        turned = (Card(shuffle_by_seed(order.cards, bytes.fromhex(seed))[0]),)
    event = e.ShoeMixed(
        shoe=shoe.number,
        signatures=command.signatures,
        seed=seed,
        first_card=codes(turned),
        burn=burned_after(shoe, turned),
    )
    return (event,)


def abandon_shoe(asked: Asked, _: c.AbandonShoe) -> Events:
    shoe = shoe_on_table(asked.state)
    if not shoe.waits_for_mix or asked.now < asked.state.changed_at + MIX_MS:
        raise r.ShoeRefused(r.MIX_NOT_LATE.format(MIX_MS // 1_000))
    return _shoe_ended(asked)


def shoe_on_table(state: TableState) -> ShoeState:
    if state.shoe is None:
        raise r.ShoeRefused(r.NO_SHOE)
    return state.shoe


def burn_cards(asked: Asked, command: c.BurnCards) -> Events:
    """Reading 48: what left the shoe is counted out of it, though no round had it."""
    state, shoe = asked.state, shoe_on_table(asked.state)
    if shoe.dealing == "virtual":
        raise r.ShoeRefused(r.NO_CARD_LEAVES, clause=SERVER_DEALT_CLAUSE)
    if shoe.source == "continuous":
        raise r.ShoeRefused(r.SHUFFLER_TAKES_BACK)
    known = parsed(command.cards)
    if not known and not command.unseen:
        raise r.BadCommand(r.WHICH_CARDS_LEFT)
    _verify_could_hold(state, known)
    if len(known) + command.unseen > state.cards_left:
        raise r.ShoeRefused(r.MORE_THAN_LEFT.format(state.cards_left))
    burned = e.CardsBurned(
        shoe=shoe.number,
        cards=codes(known),
        unseen=command.unseen,
        detail=command.detail,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    return (burned,)


def _verify_could_hold(state: TableState, cards: tuple[Card, ...]) -> None:
    """Refuse cards that the shoe cannot have held besides those of the round in play."""
    shoe, round_ = shoe_on_table(state), state.round
    if round_ is not None and state.is_in_play and round_.shoe == shoe.number:
        round_.play.shoe.without((*round_.lying, *cards))
    else:
        shoe.left.without(cards)


def count_shoe(asked: Asked, command: c.CountShoe) -> Events:
    state, shoe = asked.state, shoe_on_table(asked.state)
    if shoe.dealing == "virtual":
        raise r.ShoeRefused(r.VIRTUAL_IS_NOT_COUNTED, clause=SERVER_DEALT_CLAUSE)
    counted, *found = _counted(asked, shoe, command.cards)
    if not found or not state.is_in_play:
        return (counted, *found)
    detail = _miscount(command.cards, len(state.playing.shoe(shoe.decks)))
    try:
        return (counted, *declaration(asked, "wrong-deck-count", detail, None))
    except (
        UnknownGround
    ):  # no clause voids a round for it: an incident, and the shoe is retired (reading 26)
        return (counted, *found)


def _counted(asked: Asked, shoe: ShoeState | e.ShoeStarted, cards: int) -> Events:
    """Count the whole set. A wrong count retires the shoe and voids nothing (reading 26)."""
    game = asked.state.playing
    expected = len(game.shoe(shoe.decks))
    number = shoe.shoe if isinstance(shoe, e.ShoeStarted) else shoe.number
    counted = e.ShoeCounted(shoe=number, counted=cards, expected=expected, set_id=shoe.set_id)
    if cards == expected:
        return (counted,)
    clause = clause_of(game, "wrong-deck-count")
    why = Cause("miscounted" if clause else "miscounted-no-clause")
    detail = _miscount(cards, expected)
    return (counted, incident("wrong-deck-count", clause or "reading 26", why, detail, spoils=True))


def _miscount(counted: int, expected: int) -> Cause:
    return Cause("cards-counted", (counted, expected))


def end_shoe(asked: Asked, _: c.EndShoe) -> Events:
    shoe_on_table(asked.state)
    return _shoe_ended(asked)


def _shoe_ended(asked: Asked) -> Events:
    shoe, order = shoe_on_table(asked.state), asked.order
    ended = e.ShoeEnded(shoe=shoe.number, abandoned=is_abandoned(asked.state, shoe))
    if shoe.commitment and order is not None:  # without its key a shoe ends unrevealed
        ended = msgspec.structs.replace(ended, order=order.text, nonce=order.nonce.hex())
    return (ended,)


# Orders of cards


CARDS_OF_A_ROUND = 6


def find_cards(state: TableState, command: c.Command) -> Fresh | Held | None:
    """The cards of a new shoe or round, or those kept since; None where the command needs none."""
    traits = command.traits
    if not traits.cards or (traits.phases is not None and state.phase not in traits.phases):
        return None
    if isinstance(command, c.NewShoe) and state.game and state.shoe is None:
        return _new_shoe(state, command)
    shoe = state.shoe
    if shoe is None or shoe.dealing != "virtual":
        return None
    if isinstance(command, c.MixShoe | c.AbandonShoe) and not shoe.waits_for_mix:
        return None
    if shoe.source == "shoe":
        return _held(command, shoe, state.cards_place, shoe.commitment)
    if isinstance(command, c.OpenBets):
        place = f"{state.stream}/round/{state.rounds + 1}"
        return Fresh(place, _cards(state.playing, shoe.decks), CARDS_OF_A_ROUND)
    committed = state.round.commitment if state.round else ""
    return _held(command, shoe, state.cards_place, committed)


def _new_shoe(state: TableState, command: c.NewShoe) -> Fresh | None:
    cards = cards_of(state, command)
    if cards.dealing != "virtual" or cards.source != "shoe":
        return None
    place = f"{state.stream}/shoe/{state.shoes + 1}"
    return Fresh(place, _cards(state.playing, cards.decks))


def _held(command: c.Command, shoe: ShoeState, place: str, commitment: str) -> Held:
    """A card cannot be dealt, nor a round opened, from cards that the node cannot read. A shoe can
    end without its reveal, and an audit says so.
    """
    opens = isinstance(command, c.OpenBets) and not shoe.spoiled
    is_vital = opens or isinstance(command, c.DealCard | c.MixShoe)
    return Held(place, commitment, is_vital=is_vital, seed=shoe.seed)


def _cards(game: Game, decks: int) -> list[int]:
    """Every card of so many fresh decks; refuses a number that the rulebook does not allow."""
    found = list[int]()
    for card, count in zip(game.deck.cards, game.shoe(decks).counts, strict=True):
        found += [card] * count
    return found


def malfunction(state: TableState, cause: Cause) -> tuple[c.Command, Events]:
    """Let people decide if cards cannot be read (reading 31). A round in play stops; between rounds
    the shoe is spoiled.
    """
    command = c.DeclareIrregularity(by=CLOCK, ground=MALFUNCTION)
    if state.is_in_play:
        declared = e.IrregularityDeclared(
            round=state.current.number, ground=MALFUNCTION, clause=MALFUNCTION_CLAUSE, detail=cause
        )
        return command, (declared,)
    why = Cause("cards-not-had")
    return command, (incident(MALFUNCTION, MALFUNCTION_CLAUSE, why, cause, spoils=True),)
