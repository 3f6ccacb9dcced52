"""The library's calls. Each takes a game, the id of one, or the path of a game.py.

>>> round_ = deal("six-star", "9f 2g Tf 4e")
>>> round_
<Round Player 9火 10火 = 9, Banker 2金 4土 = 6: player wins>
>>> settle("six-star", round_, [Wager("ann", "player", 10_000)])[0].net_cents
12000
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from puntobanco.game_files import GameLike, find_game
from puntobanco.rules import irregularities
from puntobanco.rules import settle as settling
from puntobanco.rules.cards import parse_cards
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import Evidence, Ruling
from puntobanco.rules.refusals import BadRun
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Line, Wager
from puntobanco.rules.shoe import Shoe

# what counts and deals is loaded by the call that needs it: NumPy and Numba take a while
if TYPE_CHECKING:
    from puntobanco.data_table import DataTable
    from puntobanco.sim.simulation import Simulation


def deal(
    game: GameLike, cards: str | Iterable[int | str], decks: Shoe | int | None = None
) -> Round:
    """A round with these cards, as codes (`"9s 2h Td 4c"`) or as cards, from fresh decks or from
    a shoe; refuses a card that the table of play does not call for.
    """
    found = find_game(game)
    shoe = found.default_decks if decks is None else decks
    return Round.start(found, shoe).deal_all(parse_cards(cards, found.deck))


def play(
    game: GameLike, *, rounds: float, seed: int = 1, decks: int | None = None
) -> Iterator[Round]:
    """Finished rounds, one after the other, each with the shoe as it was before it.

    The same seed gives the same rounds; `simulate` counts and `rounds_table` lists the same
    ones, faster. Every shoe gives as many rounds, and is thrown away with cards left in it.

    >>> [round_] = play("rapid", rounds=1, seed=7)
    >>> round_.is_complete
    True
    """
    from puntobanco.sim import plain  # noqa: PLC0415

    found = find_game(game)
    return plain.play(found, _decks(found, decks), seed, _whole(rounds))


def simulate(
    game: GameLike, rounds: float, *, seed: int = 1, decks: int | None = None
) -> Simulation:
    """Deal whole shoes on every processor, at least so many rounds, and judge every line against
    the exact odds. It needs the extra `fast`.
    """
    from puntobanco.sim import simulation  # noqa: PLC0415

    found = find_game(game)
    return simulation.simulate(found, _decks(found, decks), seed, _whole(rounds))


def rounds_table(
    game: GameLike, *, rounds: float, seed: int = 1, decks: int | None = None
) -> DataTable:
    """The rounds of `play` as a table, a row each, from the compiled engine.

    Columns: `shoe` and `round` (from 1); `player_1` to `banker_3`, the cards as codes, in dealing
    order; `player_points`, `banker_points`, `winner`, `player_pair`, `banker_pair`; for each bet
    `net_` and its id, what a stake of one came to; for a bonus `bonus_` and its dollars. It needs
    the extra `fast`.
    """
    from puntobanco.sim import rounds as recorded  # noqa: PLC0415

    found = find_game(game)
    return recorded.rounds_table(found, _decks(found, decks), seed, _whole(rounds))


def _whole(rounds: float) -> int:
    """A number of rounds, as people write large ones: 1e6."""
    from puntobanco.sim.run import MAX_ROUNDS  # noqa: PLC0415 - needs NumPy

    is_number = isinstance(rounds, int | float) and not isinstance(rounds, bool)
    if not is_number or not 1 <= rounds <= MAX_ROUNDS or rounds != int(rounds):
        most = f"from 1 to {MAX_ROUNDS:.0e}"
        raise BadRun(f"rounds are a whole number {most}, such as 1e6, not {rounds!r:.40}")
    return int(rounds)


def _decks(game: Game, decks: int | None) -> int:
    return game.default_decks if decks is None else decks


def settle(game: GameLike, round_: Round, wagers: Iterable[Wager]) -> list[Line]:
    """What becomes of each wager on a finished round, with the clause that says so."""
    return settling.settle(find_game(game), round_, wagers)


def void(game: GameLike, wagers: Iterable[Wager], *, clause: str) -> list[Line]:
    """A void round: every wager is returned, under the clause that voids it."""
    return settling.void(find_game(game), wagers, clause=clause)


def rule_on(game: GameLike, ground_id: str, evidence: Evidence) -> Ruling:
    """What follows by the game's rulebook when something goes wrong at the table."""
    return irregularities.rule_on(find_game(game), ground_id, evidence)
