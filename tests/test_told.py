"""Every statement of a rules page, taken as a claim and tried against what is dealt, settled and ruled.

The page is read as a patron reads it: its rows are parsed, in both languages, and what a phrase means is written here by
hand, from plain card codes. Nothing is taken from the condition behind a row. Deals are searched until every pay line is
met and is missed by one card; a phrase that is not known here fails.
"""

import random
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from puntobanco import GAMES, Game, Round, Wager, settle
from puntobanco.base.words import LANGUAGES, Language
from puntobanco.game_files import load_game
from puntobanco.rules.cards import Card, code
from puntobanco.rules.refusals import DecksRefused
from puntobanco.rules.rules_page import Row, rules_page
from puntobanco.rules.terms import NO_CARD
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.service.table_games import from_file
from puntobanco_floor.store.batch import Answer
from tests.support.claims import proves, reads
from tests.table.notation import COMMANDS, Table

EXAMPLES = Path(__file__).parents[1] / "examples"
OWN = {
    load_game(path).id: path
    for path in map(EXAMPLES.joinpath, ("lucky_rapid.py", "dragon_elements.py"))
}
ALL = {**GAMES, **{game_id: load_game(path) for game_id, path in OWN.items()}}
games = pytest.mark.parametrize("game_id", list(ALL))
languages = pytest.mark.parametrize("language", LANGUAGES)

DEALS_A_POOL = 400
Hand = list[str]
Holds = Callable[[Hand, Hand], bool]
"""Of a finished round: player's cards and banker's, such as `["9f", "Tf"]`."""


def rows(game: Game, title: str) -> tuple[Row, ...]:
    [found] = [section.rows for section in rules_page(game) if section.title.en == title]
    return found


# What phrases mean, from card codes alone

VALUE = {"A": 1, **{str(n): n for n in range(2, 10)}}
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
HAN = "零一二三四五六七八九"


def points(hand: Hand) -> int:
    return sum(VALUE.get(card[0], 0) for card in hand) % 10


def hand_of(name: str, p: Hand, b: Hand) -> Hand:
    return p if name in ("Player", "閒") else b


def against(name: str, p: Hand, b: Hand) -> Hand:
    return hand_of("Banker" if name in ("Player", "閒") else "Player", p, b)


def flaming(hand: Hand) -> bool:
    return len(hand) == 2 and points(hand) == 9 and {card[1] for card in hand} == {"f"}


def stars(hand: Hand) -> bool:
    return sorted(card[0] for card in hand) == ["F", "L", "S"]


def ahead(name: str, p: Hand, b: Hand) -> int:
    return points(hand_of(name, p, b)) - points(against(name, p, b))


Meaning = Callable[[re.Match[str], Hand, Hand], bool]
MEANINGS: list[tuple[str, str, Meaning]] = [
    ("(Player|Banker) wins", "(閒|莊)贏", lambda m, p, b: ahead(m[1], p, b) > 0),
    (
        r"(Player|Banker) wins on (\w+)",
        r"(閒|莊)以(\w)點勝出",
        lambda m, p, b: ahead(m[1], p, b) > 0 and points(hand_of(m[1], p, b)) == number(m[2]),
    ),
    ("the hands tie", "和局", lambda _, p, b: points(p) == points(b)),
    (
        "(Player|Banker)'s first two cards are a pair",
        "(閒|莊)首兩張牌成對",
        lambda m, p, b: len({card[0] for card in hand_of(m[1], p, b)[:2]}) == 1,
    ),
    (
        r"(Player|Banker) has (\d) cards",
        r"(閒|莊)有(\d)張牌",
        lambda m, p, b: len(hand_of(m[1], p, b)) == int(m[2]),
    ),
    (
        "(Player|Banker) has Flaming 9's",
        "(閒|莊)有火九",
        lambda m, p, b: flaming(hand_of(m[1], p, b)),
    ),
    ("6 Stars", "六星", lambda _, p, b: stars(p) and stars(b)),
    (
        "every card dealt is of one element",
        "全部牌屬同一五行",
        lambda _, p, b: len({card[1] for card in p + b}) == 1,
    ),
    (r"(\d) cards are dealt", r"該局共派(\d)張牌", lambda m, p, b: len(p + b) == int(m[1])),
    (
        "(Player|Banker) has a natural",
        "(閒|莊)例牌",
        lambda m, p, b: points(hand_of(m[1], p, b)[:2]) >= 8,
    ),
    (
        r"(Player|Banker)'s lead is (\d) or more",
        r"(閒|莊)領先(\d)點或以上",
        lambda m, p, b: ahead(m[1], p, b) >= int(m[2]),
    ),
    (
        "the suit of Player's first card equals the suit of Player's second card",
        "閒首張牌花色與閒第二張牌花色相同",
        lambda _, p, __: p[0][1] == p[1][1],
    ),
    (
        "the suit of Player's first card is Fire",
        "閒首張牌花色為火",
        lambda _, p, __: p[0][1] == "f",
    ),
    (
        "the suit of Player's second card is Fire",
        "閒第二張牌花色為火",
        lambda _, p, __: p[1][1] == "f",
    ),
    ("Fire Pair", "火對", lambda _, p, __: p[0][0] == p[1][0] and p[0][1] + p[1][1] == "ff"),
]


def number(word: str) -> int:
    return HAN.index(word) if word in HAN else NUMBERS.index(word)


def phrase(text: str, language: Language) -> Holds:
    for english, chinese, means in MEANINGS:
        found = re.fullmatch(chinese if language == "zh" else english, text)
        if found:
            match = found
            meaning = means
            return lambda p, b: meaning(match, p, b)
    raise AssertionError(f"nobody has said here what {text!r} means")


AND = {"en": " and ", "zh": "且"}
OTHERWISE = {"en": "otherwise, ", "zh": "其他情況下"}
ELSE = {"en": "otherwise", "zh": "其他情況"}
LOSES = {"en": "loses", "zh": "輸"}
RETURNED = {"en": "stake returned", "zh": "退回本金"}


@dataclass(frozen=True)
class Claim:
    """One row of the bets, as it is read."""

    row: Row
    is_otherwise: bool
    phrases: tuple[Holds, ...]
    wins: Fraction | None  # per stake
    bonus_cents: int = 0

    def holds(self, p: Hand, b: Hand) -> bool:
        return all(each(p, b) for each in self.phrases)


def claim_of(row: Row, language: Language) -> Claim:
    _, when, result = (cell.in_(language) for cell in row.cells)
    is_otherwise = when.startswith(OTHERWISE[language])
    text = re.sub(r" \[[^]]*\]", "", when.removeprefix(OTHERWISE[language]))
    phrases = tuple(phrase(part, language) for part in text.split(AND[language]))
    if result == RETURNED[language]:
        return Claim(row, is_otherwise, phrases, None)
    bonus = re.fullmatch(
        r"and \$([\d,]+) once per patron per round|另派 \$([\d,]+)，每位客人每局一次", result
    )
    if bonus:
        dollars = int((bonus[1] or bonus[2]).replace(",", ""))
        return Claim(row, is_otherwise, phrases, None, dollars * 100)
    odds = re.fullmatch(r"pays ([\d.,]+) to ([\d,]+)|([\d,]+) 賠 ([\d.,]+)", result)
    assert odds, result
    win, risk = (odds[1], odds[2]) if odds[1] else (odds[4], odds[3])
    ratio = Fraction(win.replace(",", "")) / Fraction(risk.replace(",", ""))
    return Claim(row, is_otherwise, phrases, ratio)


class Spot:
    """What the page says of one bet."""

    def __init__(self, told: list[Row], language: Language) -> None:
        *rest, last = told
        assert last.cells[1].in_(language) == ELSE[language]
        assert last.cells[2].in_(language) == LOSES[language]
        self.loses = last
        claims = [claim_of(row, language) for row in rest]
        self.bonuses = [claim for claim in claims if claim.bonus_cents]
        self.claims = [claim for claim in claims if not claim.bonus_cents]

    def read(self, p: Hand, b: Hand) -> tuple[Claim | None, Claim | None]:
        """The row that decides, and the bonus; two rows that hold without an "otherwise" contradict each other."""
        held = [claim for claim in self.claims if claim.holds(p, b)]
        assert all(claim.is_otherwise for claim in held[1:]), f"two rows hold: {held}, {p} {b}"
        bonus = [claim for claim in self.bonuses if claim.holds(p, b)]
        assert len(bonus) <= 1
        return held[0] if held else None, bonus[0] if bonus else None


def spots(game: Game, language: Language) -> dict[str, Spot]:
    told = dict[str, list[Row]]()
    ids = {bet.title.en: bet.id for bet in game.bets}
    for row in rows(game, "Bets"):
        told.setdefault(ids[row.cells[0].en], []).append(row)
    assert list(told) == [bet.id for bet in game.bets]
    return {bet: Spot(its, language) for bet, its in told.items()}


# Deals


def finished(game: Game, order: list[Card]) -> Round:
    """Of six cards as many as the round takes."""
    round_ = Round.start(game, game.default_decks)
    for card in order:
        if not round_.is_complete:
            round_ = round_.deal(card)
    return round_


def hands(round_: Round) -> tuple[Hand, Hand]:
    dealt = ["" if card == NO_CARD else code(card) for card in round_.slots]
    return [x for x in dealt[0::2] if x], [x for x in dealt[1::2] if x]


def pools(game: Game) -> Iterator[list[Card]]:
    """All cards; and few of them, where what is rare is often."""
    cards = list(game.deck.cards)
    yield cards
    for suit in sorted({code(card)[1] for card in cards}):
        yield [card for card in cards if code(card)[1] == suit]
    yield [card for card in cards if code(card)[0] not in VALUE and code(card)[0] != "T"]
    fire = [card for card in cards if code(card)[1] == code(cards[0])[1]]
    yield [card for card in fire if code(card)[0] in "A45T8"]


@cache
def deals(game_id: str) -> list[tuple[Round, Round]]:
    """Deals of every pool, each beside the same with one card exchanged."""
    game = ALL[game_id]
    rng = random.Random(18)
    found = []
    for pool in pools(game):
        for _ in range(DEALS_A_POOL):
            order = rng.choices(pool, k=6)
            changed = list(order)
            changed[rng.randrange(6)] = rng.choice(list(game.deck.cards))
            found.append((finished(game, order), finished(game, changed)))
    return found


# The claims


@proves(mbs="3.8 3.10 3.10.1 4.1", six_star="4.2 4.3", super_six_plus="3.9 3.10 4.1.1")
@games
@languages
def test_every_pay_line_is_paid_as_the_page_says_and_not_by_a_near_miss(
    game_id: str, language: Language
) -> None:
    game = ALL[game_id]
    page = spots(game, language)
    stake = 1_000
    wagers = [Wager("ann", bet, stake) for bet in page]
    claims = [claim for spot in page.values() for claim in (*spot.claims, *spot.bonuses)]
    met = dict.fromkeys(range(len(claims)), 0)
    missed = dict.fromkeys(range(len(claims)), 0)

    def tried(round_: Round) -> list[bool]:
        """Settled as the page says; and which of its rows decide."""
        p, b = hands(round_)
        decided = list[Claim | None]()
        for line in settle(game, round_, wagers):
            spot = page[line.wager.bet]
            decides, bonus = spot.read(p, b)
            decided += [decides, bonus]
            told = decides.row if decides else spot.loses
            wins = stake * decides.wins if decides and decides.wins else 0
            paid = (line.winnings_cents, line.returned_cents, line.bonus_cents)
            claimed = (wins, stake if decides else 0, bonus.bonus_cents if bonus else 0)
            assert paid == claimed, (line, told.cells, p, b)
            assert line.clause == told.clause
            assert line.bonus_clause == (bonus.row.clause if bonus else None)
        return [claim in decided for claim in claims]

    for one, changed in deals(game_id):
        held = tried(one)
        then = tried(changed)
        for n in range(len(claims)):
            met[n] += held[n]
            missed[n] += held[n] and not then[n]
    told = {
        n: f"{claim.row.cells[0].en}: {claim.row.cells[1].en}" for n, claim in enumerate(claims)
    }
    assert [told[n] for n, times in met.items() if not times] == [], "found by no deal"
    assert [told[n] for n, times in missed.items() if not times] == [], "missed by no card"


def span(text: str) -> set[int]:
    """`0–7, 9` as numbers."""
    found = set[int]()
    for part in re.split(", |、", text):
        if part != "–":
            low, _, high = part.partition("–")
            found |= set(range(int(low), int(high or low) + 1))
    return found


@proves(
    numbered_table="3.9.1 3.9.2 3.9.3 3.9.4", sands_elements="3.9:table", super_six_plus="3.5 3.6"
)
@games
@languages
def test_cards_are_drawn_as_the_table_of_play_says(game_id: str, language: Language) -> None:
    game = ALL[game_id]
    table = [[cell.in_(language) for cell in row.cells] for row in rows(game, "Table of play")]
    naturals = {int(digit) for digit in re.findall(r"\b[89]\b", table[0][0])}
    draws, stands = zip(*(map(span, row[1:]) for row in table[1:]), strict=True)
    assert all(drawn & stood == set() for drawn, stood in zip(draws, stands, strict=True))
    assert all(
        drawn | stood == set(range(10)) for drawn, stood in zip(draws[2:], stands[2:], strict=True)
    )
    seen = set()
    for round_, _ in deals(game_id):
        p, b = hands(round_)
        player, banker = points(p[:2]), points(b[:2])
        third: int | None = None
        takes = [False, False]
        if not {player, banker} & naturals:
            takes[0] = player in draws[0]
            third = points(p[2:]) if takes[0] else None
            takes[1] = banker in draws[1] if third is None else third in draws[2 + banker]
        assert [len(p) == 3, len(b) == 3] == takes, (p, b)
        seen.add((banker, third))
    assert {banker for banker, _ in seen} == set(range(10))


@proves(mbs="2.1 3.3 3.4", super_six_plus="2.2.1 3.8")
@games
@languages
def test_the_cards_are_those_that_the_page_names(game_id: str, language: Language) -> None:
    game = ALL[game_id]
    first = rows(game, "Cards")[0].cells[0].in_(language)
    low, high, cards = map(int, re.findall(r"\d+", first))
    assert [len(game.shoe(decks)) for decks in range(low, high + 1)] == [
        decks * cards for decks in range(low, high + 1)
    ]
    for decks in (low - 1, high + 1):
        with pytest.raises(DecksRefused):
            game.shoe(decks)
    codes = [code(card) for card in game.deck.cards]
    assert len(codes) == len(set(codes)) == cards, "no joker, and each card once"
    assert {x[0] for x in codes} >= {"A", "T", *map(str, range(2, 10))}


# At the table

FACES = str.maketrans("JQKshdc", "SLFfgew")


def told_to(table: Table, text: str) -> tuple[list[e.Event], Answer]:
    """A command in the notation of the table tests, in the game's own cards."""
    if table.state.game is not None and table.state.game.deck.has_elements:
        text = re.sub(r"\b[A2-9TJQK][shdc]\b", lambda found: found[0].translate(FACES), text)
    verb, *words = shlex.split(text)
    plain = [word for word in words if "=" not in word]
    options = dict(word.split("=", 1) for word in words if "=" in word)
    events, answer = table.do(COMMANDS[verb](table, plain, {"by": "dealer"} | options))
    assert answer is not None
    return events, answer


def done(table: Table, *script: str) -> list[e.Event]:
    found = list[e.Event]()
    for text in script:
        events, answer = told_to(table, text)
        assert answer.ok, f"{text}: {answer.reason}"
        found += events
    table.verify()
    return found


STAKED = ("open", "wager ann banker 100.00", "wager ben player 100.00")
DEALT = ("card 2s", "card 5h", "card Td", "card Tc")  # 2 against 5: player draws
SETTLED = (*STAKED, "close", "card 9s", "card 2h", "card Td", "card 4h", "settle")
AFTER_ONE = {"ann": 40_000, "ben": 60_000}
"""Credits after SETTLED, from 500.00 each."""

STAGES = {
    "bets are open": STAKED,
    "no card lies": (*STAKED, "close"),
    "one card lies": (*STAKED, "close", *DEALT[:1]),
    "a third card is due": (*STAKED, "close", *DEALT),
    "a third card lies": (*STAKED, "close", *DEALT, "card 4d"),
    "all cards lie": (*STAKED, "close", *SETTLED[4:8]),
    "between rounds": (),
    "the next round is open": ("open",),
}


@cache
def _seated(game_id: str) -> Table:
    table = Table()
    if game_id in OWN:
        own = from_file(OWN[game_id])
        opened = c.OpenTable(by="pit", game=game_id, definition=own.definition, source=own.source)
        _, answer = table.do(opened)
        assert answer is not None
        assert answer.ok, answer.reason
    else:
        done(table, f"open-table {game_id}")
    done(table, "shoe physical", "seat ann", "seat ben", "buy ann 500.00", "buy ben 500.00")
    done(table, *SETTLED)
    return table


def at_stage(game_id: str, stage: str) -> Table:
    """After a round that was paid, in the stage of the next."""
    table = _seated(game_id).copy()
    done(table, *STAGES[stage])
    return table


def credits(table: Table) -> dict[str, int]:
    return {name: table.stream.balances.get(f"session:{name}", 0) for name in AFTER_ONE}


GROUND_IDS = {
    "a card that does not belong to the set": "foreign-card",
    "cards missing from the set, or too many in it": "wrong-deck-count",
    "a hand was dealt the wrong number of cards": "wrong-card-count",
    "two or more cards drawn together": "cards-drawn-together",
    "the order of the shoe was altered": "order-altered",
    "the shoe has too few cards to finish the round": "insufficient-cards",
}
MET: dict[str, tuple[str, ...]] = {
    "a round is in play": ("no card lies", "one card lies", "a third card is due", "all cards lie"),
    "whether or not cards were seen": ("no card lies", "one card lies"),
    "noticed before the next round opens": ("one card lies", "all cards lie", "between rounds"),
    "during the initial deal": ("no card lies", "one card lies", "a third card is due"),
    "a card is called for and the shoe has none": ("one card lies", "a third card is due"),
}
MISSED: dict[str, tuple[str, ...]] = {
    "a round is in play": ("between rounds",),
    "whether or not cards were seen": (),
    "noticed before the next round opens": ("the next round is open",),
    "during the initial deal": ("bets are open", "a third card lies"),
    "a card is called for and the shoe has none": ("bets are open", "all cards lie"),
}
VOID = "the round is void, wagers are returned, earlier results stand"
CHANGED = ", the shoe is changed"
IF_KNOWN = "if the order can be reconstructed, the cards are laid out again by rule and settled; otherwise "
IN_CHINESE = {
    "a round is in play": "牌局進行中",
    "whether or not cards were seen": "不論牌面有否外露",
    "noticed before the next round opens": "下一局開始前發現",
    "during the initial deal": "派首四張牌期間",
    "a card is called for and the shoe has none": "須派牌而牌靴已無牌",
    VOID: "該局作廢，退回投注，先前結果有效",
    CHANGED: "，更換牌靴",
    IF_KNOWN: "能還原牌序者，按原定牌序還原該局並結算；否則",
}
ROWS = [(game_id, n) for game_id, game in ALL.items() for n, _ in enumerate(game.irregularities)]


def declared(table: Table, ground: str, *, left: int = 0) -> tuple[list[e.Event], Answer]:
    """As a dealer declares it; a round that was paid is reopened by two people."""
    if table.state.phase == "settled" and ground == "wrong-card-count":
        events, answer = told_to(table, f"reopen {ground} by=sup")
        if not answer.ok:
            return events, answer
        return told_to(table, f"approve {answer.proposal} by=pit")
    counted = f" cards_left={left}" if ground == "insufficient-cards" else ""
    return told_to(table, f"declare {ground}{counted}")


def by_two(table: Table, text: str) -> list[e.Event]:
    _, answer = told_to(table, f"{text} by=sup")
    assert answer.ok, answer.reason
    return done(table, f"approve {answer.proposal} by=pit")


def read_ground(row: Row) -> tuple[str, list[str], bool, bool]:
    """Its id; what it requires; whether it is put in order where that can be; whether the shoe is changed."""
    title, requires, follows = (cell.en for cell in row.cells)
    is_known = follows.startswith(IF_KNOWN)
    is_changed = follows.endswith(CHANGED)
    assert follows == (IF_KNOWN if is_known else "") + VOID + (CHANGED if is_changed else "")
    return GROUND_IDS[title], requires.split("; "), is_known, is_changed


@proves(mbs="5.1 5.1.1 5.1.2 5.2 5.3 5.4 5.5", super_six_plus="5.1 5.1.1 5.1.2 5.1.3 5.1.4")
@reads(22, 24, 39, 43, 44)
@pytest.mark.parametrize(("game_id", "n"), ROWS)
def test_a_ground_requires_and_brings_what_the_page_says(game_id: str, n: int) -> None:
    row = rows(ALL[game_id], "Irregularities")[n]
    ground, requires, is_known, is_changed = read_ground(row)
    for stage in sorted(set.intersection(*(set(MET[each]) for each in requires))):
        table = at_stage(game_id, stage)
        results = table.state.results
        _, answer = declared(table, ground)
        assert answer.ok, f"{stage}: {answer.reason}"
        stop = table.state.round.stop if table.state.round else None
        assert stop is not None
        assert stop.clause == row.clause
        again = table.copy()
        events = by_two(table, "void")
        assert [event.clause for event in events if isinstance(event, e.RoundVoided)] == [
            row.clause
        ]
        is_first = stage == "between rounds"  # then it was the paid round that is void
        assert credits(table) == ({"ann": 50_000, "ben": 50_000} if is_first else AFTER_ONE), stage
        assert is_first or table.state.results == results, "an earlier result stands"
        _, opens = told_to(table, "open")
        assert opens.ok != is_changed, f"{stage}: {opens.reason}"
        assert is_changed == (opens.code == "shoe-must-be-changed")
        put_in_order(again, is_known)
    for stage in sorted(stage for each in requires for stage in MISSED[each]):
        table = at_stage(game_id, stage)
        held = credits(table)
        events, answer = declared(table, ground)
        assert not answer.ok or any(isinstance(x, e.IncidentRecorded) for x in events), stage
        assert credits(table) == held
        assert table.state.phase != "stopped", f"{stage}: nothing is to be void"


def put_in_order(table: Table, is_known: bool) -> None:
    """The true order is told: it is laid out and settled where the page says so, and refused where it does not."""
    dealt = table.state.current.play.cards if table.state.current.play else ()
    rest = ("9c", "8d", "Th", "Ts", "3h", "4c") if not dealt else ("8d", "Th", "Ts", "3h", "4c")
    faces = [x.translate(FACES) if table.state.playing.deck.has_elements else x for x in rest]
    order = " ".join([*map(code, dealt), *faces[: max(0, 6 - len(dealt))]])
    _, answer = told_to(table, f"reconstruct {order} by=sup")
    assert answer.ok == is_known, answer.reason
    if not is_known:
        return
    events = done(table, f"approve {answer.proposal} by=pit", "settle")
    assert any(isinstance(event, e.RoundReconstructed) for event in events)
    assert any(isinstance(event, e.RoundSettled) for event in events)


@pytest.mark.parametrize("left", [1, 6])
@games
def test_a_shoe_with_a_card_in_it_is_not_too_short(game_id: str, left: int) -> None:
    table = at_stage(game_id, "one card lies")
    _, answer = declared(table, "insufficient-cards", left=left)
    assert answer.code == "ground-does-not-apply"


@games
def test_the_chinese_of_a_ground_says_the_same(game_id: str) -> None:
    for row in rows(ALL[game_id], "Irregularities"):
        _, requires, is_known, is_changed = read_ground(row)
        parts = [IF_KNOWN] * is_known + [VOID] + [CHANGED] * is_changed
        assert row.cells[1].zh == "；".join(IN_CHINESE[each] for each in requires)
        assert row.cells[2].zh == "".join(IN_CHINESE[each] for each in parts)


@proves(mbs="3.1 3.2 3.5 3.7.1 3.7.2 3.9 3.10", super_six_plus="3.1 3.2 3.3 3.4 3.9")
@games
def test_a_round_goes_as_the_page_says(game_id: str) -> None:
    game = ALL[game_id]
    told = {row.cells[0].en: row.clause for row in rows(game, "The round")}
    said = [re.findall(r'"([^"]+)": bets (open|close)', text) for text in told]
    calls = {what: words for [(words, what)] in filter(None, said)}
    table = at_stage(game_id, "between rounds")
    opened, *_ = done(table, "open")
    assert isinstance(opened, e.BetsOpened)
    assert opened.announcement == calls["open"]
    together = [f"wager ann {bet.id} 10.00" for bet in game.bets]
    done(table, *together)
    done(table, *(f"withdraw ann {bet.id}" for bet in game.bets[1:]))  # and each alone
    closed, *_ = done(table, "close")
    assert isinstance(closed, e.BetsClosed)
    assert closed.announcement == calls["close"]
    late = told_to(table, "wager ben tie 10.00")[1], told_to(table, "raise ann player 10.00")[1]
    assert {answer.clause for answer in late} == {told["A later wager or raise is refused"]}
    taken = told_to(table, "withdraw ann player")[1]
    assert taken.clause == told["A later withdrawal has no effect"]
    events = done(table, *DEALT)
    slots = [event.slot for event in events if isinstance(event, e.CardDealt)]
    assert "The first and third cards go to Player" in told
    assert "The second and fourth cards go to Banker" in told
    assert slots == ["p1", "b1", "p2", "b2"]
    assert "Both totals are announced before any third card" in told
    [totals] = [event for event in events if isinstance(event, e.TotalsAnnounced)]
    assert (totals.player, totals.banker) == (2, 5)
    [settled] = [
        event
        for event in done(table, "card 4d", "card 3d", "settle")
        if isinstance(event, e.RoundSettled)
    ]
    assert "The higher point total wins" in told
    assert (settled.player, settled.banker) == (6, 8)
    assert [line.outcome for line in settled.lines] == ["loses"], (
        "what was withdrawn too late plays"
    )
