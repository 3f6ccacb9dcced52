"""Rounds as a table: the compiled engine writes every round down instead of counting it."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from puntobanco.data_table import Column, DataTable, Labels
from puntobanco.rules.cards import CARDS, Deck, code, points_of
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.refusals import BadRun
from puntobanco.rules.terms import Slot
from puntobanco.sim.run import rounds_per_shoe, verify_seed
from puntobanco.sim.source import entries, groups, round_source, whole_byte

Bytes: TypeAlias = NDArray[np.uint8]

MAX_TABLE_ROUNDS = 20_000_000
"""Rounds of one table: two gigabytes or so. For more, take several seeds."""

SLOT_COLUMNS = ("player_1", "banker_1", "player_2", "banker_2", "player_3", "banker_3")
WINNERS = ("tie", "player", "banker")  # by the sign of player's lead: 0, 1, -1

_NONE = 255
"""The byte of a slot that holds no card."""

_POINTS = np.zeros(256, np.uint8)
"""What the card of a byte counts; no card counts nothing."""
_POINTS[[whole_byte(card) for card in CARDS]] = [points_of(card) for card in CARDS]

_RECORD = """{head}
NONE = np.uint8({none})


@njit(nogil=True, cache=True, boundscheck=False)
def run(seed, rounds, template, slots_out, ways_out):
    size = len(template)
    wanted = slots_out.shape[1]
    deck = np.empty(size, np.uint8)
    most = U(size) * U(size) * U(size) * U(size) * U(size) * U(size)
    for begin in range(0, wanted, rounds):
        for place in range(U(size)):
            deck[place] = template[place]
        key = mix(seed + U(begin // rounds + 1) * GOLDEN)
        draw = U(0)
        at = 0
        for out in range(begin, min(begin + rounds, wanted)):
{body}
    return wanted
"""


def rounds_table(game: Game, decks: int, seed: int, rounds: int) -> DataTable:
    """So many rounds, the same as `play` gives, a row each."""
    from puntobanco.sim.cpu import kernel  # noqa: PLC0415 - it loads Numba

    verify_seed(seed)
    if not 1 <= rounds <= MAX_TABLE_ROUNDS:
        raise BadRun(f"a table has 1 to {MAX_TABLE_ROUNDS:,} rounds, not {rounds:,}")
    cards = [whole_byte(card) for card in game.deck.cards]
    template = np.array(cards * game.shoe(decks).counts[0], np.uint8)
    each = rounds_per_shoe(len(template))
    slots = np.empty((len(Slot), rounds), np.uint8)
    ways = np.empty((len(entries(game)), rounds), np.uint8)
    record = kernel(record_source(game))
    record(np.uint64(seed), each, template, slots, ways)
    number = np.arange(rounds, dtype=np.int32)
    columns: dict[str, Column] = {"shoe": number // each + 1, "round": number % each + 1}
    return DataTable(columns | _of_cards(game.deck, slots) | _of_bets(game, ways))


def record_source(game: Game) -> str:
    """A kernel that writes down the six slots of every round, and which way each entry went."""
    from puntobanco.sim.cpu import DIALECT, module_source  # noqa: PLC0415 - it loads Numba

    head, _, _ = module_source(game).partition("\n\n\n@njit")  # as the kernel that counts has it
    alone = 1  # every entry is a group of its own, so that its cell is its way
    lines = round_source(game, replace(DIALECT, count="pass"), limit=alone, whole_cards=True)
    last = {"P3": "c4 if p3 else NONE", "B3": "(c5 if p3 else c4) if b3 else NONE"}
    for slot in Slot:
        byte = last.get(slot.name, f"c{slot:d}")
        lines.append(f"slots_out[{slot:d}, out] = {byte}")
    start = 0
    for i, cells in enumerate(groups(game, alone).cells):
        lines.append(f"ways_out[{i}, out] = cell{i} - {start}")
        start += cells
    body = "\n".join(f"            {line}" for line in lines)
    return _RECORD.format(head=head, none=_NONE, body=body)


def _of_cards(deck: Deck, slots: Bytes) -> dict[str, Column]:
    """What the cards of the six slots say."""
    p1, b1, p2, b2, p3, b3 = (_POINTS[slot] for slot in slots)
    player = (p1 + p2 + p3) % 10
    banker = (b1 + b2 + b3) % 10
    winner = np.sign(player.astype(np.int8) - banker.astype(np.int8))
    p1_rank, b1_rank, p2_rank, b2_rank = (slot & 15 for slot in slots[:4])
    names: list[str | None] = [None] * 256
    for card in deck.cards:
        names[whole_byte(card)] = code(card)
    columns: dict[str, Column] = {}
    for name, slot in zip(SLOT_COLUMNS, slots, strict=True):
        columns[name] = Labels(tuple(names), slot)
    return columns | {
        "player_points": player,
        "banker_points": banker,
        "winner": Labels(WINNERS, winner % len(WINNERS)),
        "player_pair": p1_rank == p2_rank,
        "banker_pair": b1_rank == b2_rank,
    }


def _of_bets(game: Game, ways: Bytes) -> dict[str, Column]:
    """What a stake of one comes to on each bet, and the dollars of each bonus."""
    columns: dict[str, Column] = {}
    answers = iter(ways)
    for bet in game.bets:
        way = next(answers)
        name = bet.id.replace("-", "_")
        columns[f"net_{name}"] = _nets(bet)[way]
        if bet.bonus:
            paid = _awards(bet)[next(answers)]
            paid[way >= len(bet.pays)] = 0  # a bonus comes with a win only
            columns[f"bonus_{name}"] = paid
    return columns


def _nets(bet: Bet) -> NDArray[np.float64]:
    """The net result of a stake of one by each line, by a push, and when it loses."""
    found = [odds.win / odds.risk for odds in bet.odds]
    if bet.push:
        found.append(0.0)
    return np.array([*found, -1.0])


def _awards(bet: Bet) -> NDArray[np.int64]:
    return np.array([*(award.amount for award in bet.awards), 0], np.int64)
