"""Rounds one by one: the compiled engine writes them down instead of counting them; as a table, and
as figures of each shoe.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from puntobanco.data_table import Column, DataTable, Labels
from puntobanco.game_files import GameLike, find_game
from puntobanco.odds.par_report import Json
from puntobanco.rules.cards import CARDS, Deck, code, points_of
from puntobanco.rules.game import Game
from puntobanco.rules.refusals import BadRun
from puntobanco.rules.terms import Slot
from puntobanco.sim.bankrolls import record_source
from puntobanco.sim.cpu import DIALECT, kernel, kernel_source, template
from puntobanco.sim.run import read_rounds, rounds_per_shoe, verify_seed
from puntobanco.sim.source import entries, groups, list_awards, list_nets, round_source, whole_byte

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

_RECORD = """\
    wanted = slots_out.shape[1]
    for begin in range(0, wanted, rounds):
        number = begin // rounds
{new_shoe}
        for out in range(begin, min(begin + rounds, wanted)):
{body}
    return wanted"""


def rounds_table(
    game: GameLike, *, rounds: float, seed: int = 1, decks: int | None = None
) -> DataTable:
    """The rounds of `play` as a table, a row each, from the compiled engine.

    Columns: `shoe` and `round` (from 1); `player_1` to `banker_3`, the cards as codes, in dealing
    order; `player_points`, `banker_points`, `winner`, `player_pair`, `banker_pair`; for each bet
    `net_` and its id, what a stake of one came to; for a bonus `bonus_` and its dollars. It needs
    the extra `fast`.
    """
    game = find_game(game)
    wanted = read_rounds(rounds)
    verify_seed(seed)
    if wanted > MAX_TABLE_ROUNDS:
        raise BadRun(f"a table has 1 to {MAX_TABLE_ROUNDS:,} rounds, not {wanted:,}")
    shoe = game.shoe(game.default_decks if decks is None else decks)
    cards = np.array([whole_byte(card) for card in game.deck.cards] * shoe.counts[0], np.uint8)
    each = rounds_per_shoe(len(cards))
    slots = np.empty((len(Slot), wanted), np.uint8)
    ways = np.empty((len(entries(game)), wanted), np.uint8)
    record = kernel(_write_kernel(game))
    record(np.uint64(seed), each, cards, slots, ways)
    number = np.arange(wanted, dtype=np.int32)
    columns: dict[str, Column] = {"shoe": number // each + 1, "round": number % each + 1}
    return DataTable(columns | _of_cards(game.deck, slots) | _of_bets(game, ways))


def _write_kernel(game: Game) -> str:
    """A kernel that writes down the six slots of every round, and which way each entry went."""
    alone = 1  # every entry is a group of its own, so that its cell is its way
    lines = round_source(game, replace(DIALECT, count="pass"), limit=alone, whole_cards=True)
    none = f"np.uint8({_NONE})"
    last = {"P3": f"c4 if p3 else {none}", "B3": f"(c5 if p3 else c4) if b3 else {none}"}
    for slot in Slot:
        byte = last.get(slot.name, f"c{slot:d}")
        lines.append(f"slots_out[{slot:d}, out] = {byte}")
    start = 0
    for i, cells in enumerate(groups(game, alone).cells):
        lines.append(f"ways_out[{i}, out] = cell{i} - {start}")
        start += cells
    return kernel_source(game, "seed, rounds, template, slots_out, ways_out", _RECORD, lines)


def _of_cards(deck: Deck, slots: Bytes) -> dict[str, Column]:
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
        columns[f"net_{name}"] = np.array(list_nets(bet, 1.0))[way]
        if bet.bonus:
            paid = np.array(list_awards(bet), np.int64)[next(answers)]
            paid[way >= len(bet.pays)] = 0  # a bonus comes with a win only
            columns[f"bonus_{name}"] = paid
    return columns


def shoe_figures(game: Game, decks: int, seed: int, shoes: int) -> list[Json]:
    """Deal shoes as a verdict run does; a row for each way of each bet: how often in one shoe."""
    cards = template(game, decks)
    each = rounds_per_shoe(len(cards))
    cells = np.empty((shoes, each), np.uint16)
    edges = np.empty((shoes, each))
    effects = np.zeros(256)  # nobody counts cards here
    record = kernel(record_source(game))
    record(np.uint64(seed), 0, shoes, each, cards, effects, cells, edges)
    rows = []
    stride = 1
    for bet, ways in groups(game).only:
        ended = cells // stride % ways
        stride *= ways
        for way in range(ways):
            counts = (ended == way).sum(axis=1)
            mean = int(counts.sum()) / shoes
            mean_square = int((counts**2).sum()) / shoes
            row: Json = {
                "bet": bet,
                "way": way,
                "mean": mean,
                "standard_deviation": sqrt(max(0.0, mean_square - mean**2)),
                "least": int(counts.min()),
                "most": int(counts.max()),
            }
            rows.append(row)
    return rows
