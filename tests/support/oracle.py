"""A second rule set, written by hand from the rulebooks, for comparison. It imports nothing from puntobanco."""

from fractions import Fraction

VALUE = {"A": 1, **{str(n): n for n in range(2, 10)}}
STARS = {"S", "L", "F"}


def points(hand: list[str]) -> int:
    return sum(VALUE.get(card[0], 0) for card in hand) % 10


def deal(cards: list[str]) -> tuple[list[str], list[str], int]:
    """Both hands, and how many of the cards were needed."""
    player, banker, used = [cards[0], cards[2]], [cards[1], cards[3]], 4
    p, b = points(player), points(banker)
    if p >= 8 or b >= 8:
        return player, banker, used
    if p <= 5:
        player.append(cards[used])
        used += 1
        third = VALUE.get(player[2][0], 0)
        draws = (
            b <= 2
            or (b == 3 and third != 8)
            or (b == 4 and 2 <= third <= 7)
            or (b == 5 and 4 <= third <= 7)
            or (b == 6 and 6 <= third <= 7)
        )
    else:
        draws = b <= 5
    if draws:
        banker.append(cards[used])
        used += 1
    return player, banker, used


def flaming(hand: list[str]) -> bool:
    return len(hand) == 2 and points(hand) == 9 and all(card[1] == "f" for card in hand)


def nets(game: str, cards: list[str]) -> dict[str, Fraction]:
    """What a stake of 1 on each bet comes to, without the Tie Bonus."""
    player, banker, _ = deal(cards)
    p, b = points(player), points(banker)
    star = game == "six-star"
    one, loses = Fraction(1), Fraction(-1)

    def side(won: bool, hand: list[str], six_pays_half: bool) -> Fraction:
        if p == b:
            return Fraction(0)
        if not won:
            return loses
        if six_pays_half and points(hand) == 6:
            return one / 2
        return Fraction(6, 5) if star and flaming(hand) else one

    answer = {
        "player": side(p > b, player, six_pays_half=False),
        "banker": side(b > p, banker, six_pays_half=True),
        "tie": 8 * one if p == b else loses,
        "player-pair": 11 * one if player[0][0] == player[1][0] else loses,
        "banker-pair": 11 * one if banker[0][0] == banker[1][0] else loses,
    }
    six = {2: 12 * one, 3: 20 * one}[len(banker)] if b == 6 and b > p else loses
    if game in ("six-star", "fortune-six", "sands-elements"):
        answer["fortune-six"] = six
    if game == "super-six-plus":
        answer["super-six-plus"] = six
    if star:
        everything = player + banker
        same = len({card[1] for card in everything}) == 1
        answer["element-bonus"] = {4: 50, 5: 500, 6: 5000}[len(everything)] * one if same else loses
    return answer


def tie_bonus_dollars(cards: list[str]) -> int:
    """6 Star's Tie Bonus for this round."""
    player, banker, _ = deal(cards)
    if points(player) != points(banker):
        return 0
    if flaming(player) and flaming(banker):
        return 3_000
    stars = [sorted(card[0] for card in hand) == sorted(STARS) for hand in (player, banker)]
    return 30_000 if all(stars) else 0
