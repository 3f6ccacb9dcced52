"""The rules page of any game, made from its definition: every line in English and Chinese, with its
clause.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from puntobanco.rules.cards import FIVE_ELEMENTS, STANDARD, Deck
from puntobanco.rules.game import HOUSE, Bet, Game
from puntobanco.rules.hands import Hand, banker, player
from puntobanco.rules.predicates import And, Predicate, names, say
from puntobanco.rules.text import Language, Words, join


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a section: its cells, and the clause or reading behind it."""

    cells: tuple[Words, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Section:
    title: Words
    columns: tuple[Words, ...]
    rows: tuple[Row, ...]


_RULE = (Words("Rule", "規則"),)


def rules_page(game: Game) -> tuple[Section, ...]:
    """Cards, the round, the table of play, bets and pays, names, irregularities, readings."""
    return (
        Section(Words("Cards", "牌"), _RULE, tuple(_cards(game))),
        Section(Words("The round", "牌局"), _RULE, tuple(_round(game))),
        Section(Words("Table of play", "補牌規則"), _DRAW_COLUMNS, tuple(_draws(game))),
        Section(
            Words("Bets", "投注"),
            _BET_COLUMNS,
            tuple(row for bet in game.bets for row in _bet(bet, game.deck)),
        ),
        Section(Words("What the names mean", "名稱釋義"), _NAME_COLUMNS, tuple(_names(game))),
        Section(Words("Irregularities", "異常情況"), _GROUND_COLUMNS, tuple(_grounds(game))),
        Section(
            Words("How we read the rules", "規則詮釋"),
            _RULE,
            tuple(
                Row((r.text,), r.citation) for r in sorted(game.readings, key=lambda r: r.number)
            ),
        ),
        Section(
            Words("House rules", "本場規則"),
            _RULE,
            tuple(Row((Words(text),), clause) for clause, text in game.house_rules.items()),
        ),
    )


def citation(clause: str, language: Language) -> str:
    """A clause as the page shows it; readings and house rules are ours, and said so."""
    if language == "zh":
        return clause.replace("reading ", "詮釋 ").replace("house", "本場")
    return clause


def heading(game: Game) -> Words:
    """The rulebook behind the page, as a line under the title."""
    if not game.rulebook:
        return Words("A designer's own rules", "自訂規則")
    edition = f", version {game.version}" if game.version else ""
    zh_edition = f"，第 {game.version} 版" if game.version else ""
    text = Words(
        f"Rules as of {game.effective}{edition}", f"規則生效日期 {game.effective}{zh_edition}"
    )
    return (
        Words("{}, with house rules", "{}，另有本場規則").format(text) if game.house_rules else text
    )


def _cards(game: Game) -> Iterator[Row]:
    low, high, size = game.decks[0], game.decks[-1], len(game.deck)
    decks = Words(f"{low} to {high} decks of {size} cards", f"{low} 至 {high} 副牌，每副 {size} 張")
    yield Row(
        (
            decks
            if high > low
            else Words(f"{low} decks of {size} cards", f"{low} 副牌，每副 {size} 張"),
        ),
        game.basics.decks,
    )
    if game.basics.shuffler:
        source = Words(
            "The cards come from a shoe or an electronic shuffler", "牌由牌靴或電子洗牌機派出"
        )
        yield Row((source,), game.basics.shuffler)
    pictures = join(game.deck.pictures, en=", ", zh="、")
    yield Row(
        (
            Words(
                "Ace counts one, two to nine their face; ten, {} nothing",
                "A 為一點，二至九按牌面；十、{}為零點",
            ).format(pictures),
        ),
        game.basics.point_values,
    )
    yield Row(
        (Words("A hand's points are the last digit of the sum", "手牌點數為總和之個位數"),),
        game.basics.point_total,
    )
    if game.deck.has_elements:
        suits = Words("Five elements: Fire, Gold, Earth, Wood, Water", "五行：火、金、土、木、水")
        yield Row((suits,), game.basics.suits)


def _round(game: Game) -> Iterator[Row]:
    says, basics = game.announcements, game.basics
    by_dealer = says.by == "dealer"
    opens = Words(
        'The dealer says "{}": bets open' if by_dealer else 'The terminal shows "{}": bets open',
        "荷官宣布「{}」：開始投注" if by_dealer else "終端機顯示「{}」：開始投注",
    )
    closes = Words(
        'The dealer says "{}": bets close' if by_dealer else 'The terminal shows "{}": bets close',
        "荷官宣布「{}」：截止投注" if by_dealer else "終端機顯示「{}」：截止投注",
    )
    yield Row((opens.format(says.open),), says.open_clause)
    yield Row((closes.format(says.close),), says.close_clause)
    yield Row(
        (Words("A later wager or raise is refused", "截止後投注或加注不獲接受"),), basics.late_wager
    )
    yield Row(
        (Words("A later withdrawal has no effect", "截止後撤注無效"),), basics.late_withdrawal
    )
    yield Row(
        (Words("Wagers are independent, alone or together", "各項投注互相獨立，可單獨或同時投注"),),
        basics.wagers,
    )
    yield Row(
        (Words("The first and third cards go to {}", "第一、三張牌派予{}").format(player.name),),
        basics.deal[0],
    )
    yield Row(
        (Words("The second and fourth cards go to {}", "第二、四張牌派予{}").format(banker.name),),
        basics.deal[1],
    )
    yield Row(
        (Words("Both totals are announced before any third card", "補牌前宣布雙方點數"),),
        basics.announce_totals,
    )
    yield Row((Words("The higher point total wins", "點數較高者勝"),), basics.winner)
    yield Row((Words("Equal totals are a tie", "點數相同為和局"),), basics.tie)


_DRAW_COLUMNS = (Words("When", "情況"), Words("Draws", "補牌"), Words("Stands", "不補牌"))
_NONE = Words("–")


def _draws(game: Game) -> Iterator[Row]:
    table, clauses = game.tableau, game.tableau.clauses
    natural = Words("Either hand has {} on two cards: a natural", "任何一方首兩張{}點：例牌")
    yield Row(
        (natural.format(numbers(table.naturals)), _NONE, Words("both", "雙方")), clauses.natural
    )
    totals = frozenset(range(10)) - table.naturals
    yield Row(
        (_hand_has(player), numbers(table.player_draws), numbers(totals - table.player_draws)),
        clauses.player,
    )
    alone = Words("{} has, when {} stood", "{}點數（{}不補牌）").format(banker.name, player.name)
    yield Row(
        (
            alone,
            numbers(table.banker_draws_alone & totals),
            numbers(totals - table.banker_draws_alone),
        ),
        clauses.banker_alone,
    )
    for total in sorted(totals):
        draws = table.banker_draws[total]
        when = Words("{} has {} and {}'s third card is worth", "{}{}點，{}第三張為").format(
            banker.name, total, player.name
        )
        yield Row((when, numbers(draws), numbers(frozenset(range(10)) - draws)), clauses.banker)


def _hand_has(hand: Hand) -> Words:
    return Words("{} has", "{}點數").format(hand.name)


def numbers(values: Collection[int]) -> Words:
    """A set of small numbers as runs: `0–7, 9`.

    >>> numbers({0, 1, 2, 5}).en
    '0–2, 5'
    """
    runs = list[list[int]]()
    for value in sorted(values):
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    parts = [Words(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}") for run in runs]
    return join(parts, en=", ", zh="、") if parts else _NONE


_BET_COLUMNS = (Words("Bet", "投注"), Words("When", "情況"), Words("Result", "結果"))


def _bet(bet: Bet, deck: Deck) -> Iterator[Row]:
    title = bet.title
    for i, line in enumerate(bet.pays):
        when = in_deck(line.when, deck)
        if any(_parts(line.when) <= _parts(earlier.when) for earlier in bet.pays[:i]):
            when = Words("otherwise, {}", "其他情況下{}").format(when)
        yield Row((title, when, Words("pays {}", "{}").format(line.pays.words)), line.clause)
    for line in bet.bonus:
        bonus = Words("and {} once per patron per round", "另派 {}，每位客人每局一次").format(
            line.pays.words
        )
        yield Row((title, in_deck(line.when, deck), bonus), line.clause)
    if bet.push:
        yield Row(
            (title, in_deck(bet.push.when, deck), Words("stake returned", "退回本金")),
            bet.push.clause,
        )
    yield Row((title, Words("otherwise", "其他情況"), Words("loses", "輸")), bet.clause)


def _parts(predicate: Predicate) -> set[Predicate]:
    return set(predicate.parts) if isinstance(predicate, And) else {predicate}


def in_deck(predicate: Predicate, deck: Deck) -> Words:
    """`say`, with pictures called what this deck calls them."""
    text = say(predicate)
    for a, b, own in zip(STANDARD.pictures, FIVE_ELEMENTS.pictures, deck.pictures, strict=True):
        text = Words(
            text.en.replace(f"{a.en}/{b.en}", own.en), text.zh.replace(f"{a.zh}/{b.zh}", own.zh)
        )
    return text


_NAME_COLUMNS = (Words("Name", "名稱"), Words("When", "情況"))


def _names(game: Game) -> Iterator[Row]:
    """Of the designer's own lines: what a rulebook names, its clauses and our readings explain
    better.
    """
    own = {HOUSE, *game.house_rules}
    return (row for clause, row in meanings(game) if clause in own)


def meanings(game: Game) -> Iterator[tuple[str, Row]]:
    """Each name that a line uses, once, with the condition it stands for; and the clause of the
    line.
    """
    told = set[Words]()
    for bet in game.bets:
        for line in (*bet.pays, *bet.bonus, *((bet.push,) if bet.push else ())):
            for name in names(line.when):
                if name.text not in told:
                    told.add(name.text)
                    yield (
                        line.clause,
                        Row((name.text, in_deck(name.part, game.deck)), name.clause or line.clause),
                    )


_GROUND_COLUMNS = (
    Words("Ground", "情況"),
    Words("Requires", "條件"),
    Words("What follows", "處理"),
)


def _grounds(game: Game) -> Iterator[Row]:
    void = Words(
        "round void, wagers returned, earlier results stand", "該局作廢，退回投注，先前結果有效"
    )
    redeal = Words(
        "laid out again in the intended order; otherwise {}", "按原定牌序還原該局；否則{}"
    ).format(void)
    for irregularity in game.irregularities:
        ground = irregularity.ground
        requires = join(ground.requires, en="; ", zh="；") if ground.requires else _NONE
        yield Row(
            (ground.title, requires, redeal if ground.reconstructable else void),
            irregularity.clause,
        )
