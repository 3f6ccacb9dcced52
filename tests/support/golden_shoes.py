"""Whole shoes as text that a dealer can read: a round a line, cards in dealing order, the clauses behind the end."""

import random

from puntobanco import GAMES, Game, Round, Shoe, Wager, settle
from puntobanco.rules.cards import codes
from puntobanco.scoreboards import Result, result_of, roads

CUT_CARD = 14
SHOES = {f"{game_id}-{seed}": (game_id, seed) for game_id in GAMES for seed in (1, 2)}


def shoe_text(game_id: str, seed: int) -> str:
    game = GAMES[game_id]
    decks = game.decks[0] if seed == 1 else game.decks[-1]
    cards = [card for card in game.deck.cards for _ in range(decks)]
    random.Random(seed).shuffle(cards)
    lines = [
        f"# {game.title.en}: {decks} decks of {len(game.deck)}, seed {seed}, cut card {CUT_CARD} from the end.",
        "# round  cards as dealt       player banker result  last rule  net of 100 on each bet that does not lose",
    ]
    shoe, results, at = Shoe.fresh(game.deck, decks), list[Result](), 0
    while len(cards) - at > CUT_CARD:
        round_ = Round.start(game, shoe)
        while not round_.is_complete:
            round_ = round_.deal(cards[at])
            at += 1
        shoe = shoe.without(round_.cards)
        results.append(result_of(round_))
        lines.append(_line(game, len(results), round_))
    drawn = roads(results)
    marks = "".join(
        r.winner[0].upper() + "b" * r.banker_pair + "p" * r.player_pair for r in results
    )
    lines += [
        f"# results   {marks}",
        f"# big eye   {drawn.big_eye.sequence}",
        f"# small     {drawn.small.sequence}",
        f"# cockroach {drawn.cockroach.sequence}",
        f"# left in the shoe: {len(shoe)} cards",
    ]
    return "\n".join(lines) + "\n"


def _line(game: Game, number: int, round_: Round) -> str:
    won = [
        f"{line.wager.bet} {line.net_cents // 100:+}"
        if line.outcome == "wins"
        else f"{line.wager.bet} ="
        for line in settle(game, round_, [Wager("patron", bet.id, 10_000) for bet in game.bets])
        if line.outcome != "loses"
    ]
    hands = f"{round_.player_points:>6} {round_.banker_points:>6} {round_.winner:<7}"
    return f"{number:>7}  {codes(round_.cards):<19} {hands} {round_.next.clause:<10} {', '.join(won)}".rstrip()
