"""The rules page of any game, in English and Chinese, made from its definition."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from puntobanco.base.words import Words, join
from puntobanco.rules.cards import FIVE_ELEMENTS, STANDARD, Deck
from puntobanco.rules.game import HOUSE, Bet, Game
from puntobanco.rules.hands import banker, player
from puntobanco.rules.predicates import Named, Predicate, excluded, names, say
from puntobanco.rules.readings import MALFUNCTION_POLICY


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
    """What pays first, with its names; then cards, the round, the table of play, irregularities,
    faults and disputes, readings.
    """
    return (
        Section(Words("Bets", "投注"), _BET_COLUMNS, tuple(_bets(game))),
        Section(Words("What the names mean", "名稱釋義"), _NAME_COLUMNS, tuple(_names(game))),
        Section(Words("Cards", "牌"), _RULE, tuple(_cards(game))),
        Section(Words("The round", "牌局"), _RULE, tuple(_round(game))),
        Section(Words("Table of play", "補牌規則"), _DRAW_COLUMNS, tuple(_draws(game))),
        Section(Words("Irregularities", "異常情況"), _GROUND_COLUMNS, tuple(_grounds(game))),
        Section(Words("Faults and disputes", "故障與爭議"), _RULE, tuple(_faults())),
        Section(Words("How we read the rules", "規則詮釋"), _RULE, tuple(_readings(game))),
        Section(Words("House rules", "本場規則"), _RULE, tuple(_house_rules(game))),
    )


def _row(clause: str, *cells: Words) -> Row:
    return Row(cells, clause)


def heading(game: Game) -> Words:
    """The rulebook behind the page, as a line under the title."""
    if not game.rulebook:
        return Words("A designer's own rules", "自訂規則")
    text = Words("Rules as of {}", "規則生效日期 {}").format(game.effective)
    if game.version:
        text = Words("{}, version {}", "{}，第 {} 版").format(text, game.version)
    if game.house_rules:
        text = Words("{}, with house rules", "{}，另有本場規則").format(text)
    return text


def _cards(game: Game) -> Iterator[Row]:
    basics = game.basics
    low = game.decks[0]
    high = game.decks[-1]
    many = Words(str(low))
    if high > low:
        many = Words("{} to {}", "{} 至 {}").format(low, high)
    decks = Words("{} decks of {} cards", "{} 副牌，每副 {} 張")
    yield _row(basics.decks, decks.format(many, len(game.deck)))
    if basics.no_jokers:
        plain = Words(
            "No jokers; all backs of one colour and design", "不含小丑牌；牌背顏色及圖案一致"
        )
        yield _row(basics.no_jokers, plain)
    if basics.shuffler:
        source = Words(
            "The cards come from a shoe or an electronic shuffler", "牌由牌靴或電子洗牌機派出"
        )
        yield _row(basics.shuffler, source)
    pictures = join(game.deck.pictures, en=", ", zh="、")
    values = Words(
        "Ace counts one, two to nine their face; ten, {} nothing",
        "A 為一點，二至九按牌面；十、{}為零點",
    )
    yield _row(basics.point_values, values.format(pictures))
    total = Words("A hand's points are the last digit of the sum", "手牌點數為總和之個位數")
    yield _row(basics.point_total, total)
    if game.deck.has_elements:
        suits = Words("Five elements: Fire, Gold, Earth, Wood, Water", "五行：火、金、土、木、水")
        yield _row(basics.suits, suits)


def _round(game: Game) -> Iterator[Row]:
    basics = game.basics
    says = game.announcements
    who = Words("The terminal shows", "終端機顯示")
    if says.by == "dealer":
        who = Words("The dealer says", "荷官宣布")
    opens = Words('{} "{}": bets open', "{}「{}」：開始投注")
    closes = Words('{} "{}": bets close', "{}「{}」：截止投注")
    first = Words("The first and third cards go to {}", "第一、三張牌派予{}")
    second = Words("The second and fourth cards go to {}", "第二、四張牌派予{}")
    together = Words(
        "Wagers are independent, alone or together", "各項投注互相獨立，可單獨或同時投注"
    )
    totals = Words("Both totals are announced before any third card", "補牌前宣布雙方點數")
    yield _row(says.open_clause, opens.format(who, says.open))
    yield _row(says.close_clause, closes.format(who, says.close))
    yield _row(
        basics.late_wager, Words("A later wager or raise is refused", "截止後投注或加注不獲接受")
    )
    yield _row(basics.late_withdrawal, Words("A later withdrawal has no effect", "截止後撤注無效"))
    yield _row(basics.wagers, together)
    yield _row(basics.deal[0], first.format(player.name))
    yield _row(basics.deal[1], second.format(banker.name))
    yield _row(basics.announce_totals, totals)
    yield _row(basics.winner, Words("The higher point total wins", "點數較高者勝"))
    yield _row(basics.tie, Words("Equal totals are a tie", "點數相同為和局"))


_DRAW_COLUMNS = (Words("When", "情況"), Words("Draws", "補牌"), Words("Stands", "不補牌"))
_NONE = Words("–")


def _draws(game: Game) -> Iterator[Row]:
    table = game.tableau
    clauses = table.clauses
    every = frozenset(range(10))
    totals = every - table.naturals
    natural = Words("Either hand has {} on two cards: a natural", "任何一方首兩張 {} 點：例牌")
    has = Words("{} has", "{}點數")
    alone = Words("{} has, when {} stood", "{}點數（{}不補牌）")
    third = Words("{} has {} and {}'s third card is worth", "{}{}點，{}第三張為")
    either = [Words(str(total)) for total in sorted(table.naturals)]
    naturals = natural.format(join(either, en=" or ", zh=" 或 "))
    yield _row(clauses.natural, naturals, _NONE, Words("both", "雙方"))
    draws = table.player_draws
    yield _row(clauses.player, has.format(player.name), numbers(draws), numbers(totals - draws))
    when = alone.format(banker.name, player.name)
    draws = table.banker_draws_alone & totals
    yield _row(clauses.banker_alone, when, numbers(draws), numbers(totals - draws))
    for total in sorted(totals):
        when = third.format(banker.name, total, player.name)
        draws = table.banker_draws[total]
        yield _row(clauses.banker, when, numbers(draws), numbers(every - draws))


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
    if not runs:
        return _NONE
    parts = [Words(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0])) for run in runs]
    return join(parts, en=", ", zh="、")


_BET_COLUMNS = (Words("Bet", "投注"), Words("When", "情況"), Words("Result", "結果"))


def _bets(game: Game) -> Iterator[Row]:
    for bet in game.bets:
        yield from _bet(bet, game.deck)


def _bet(bet: Bet, deck: Deck) -> Iterator[Row]:
    title = bet.title
    pays = Words("pays {}", "{}")
    otherwise = Words("otherwise, {}", "其他情況下{}")
    bonus = Words("and {} once per patron per round", "另派 {}，每位客人每局一次")
    for i, line in enumerate(bet.pays):
        when = in_deck(line.when, deck)
        if not all(excluded(line.when & earlier.when) for earlier in bet.pays[:i]):
            when = otherwise.format(when)  # an earlier line may hold too, and decides then
        yield _row(line.clause, title, when, pays.format(line.pays.words))
    for line in bet.bonus:
        when = in_deck(line.when, deck)
        yield _row(line.clause, title, when, bonus.format(line.pays.words))
    if bet.push:
        when = in_deck(bet.push.when, deck)
        yield _row(bet.push.clause, title, when, Words("stake returned", "退回本金"))
    yield _row(bet.clause, title, Words("otherwise", "其他情況"), Words("loses", "輸"))


def in_deck(predicate: Predicate, deck: Deck) -> Words:
    """`say`, with pictures called what this deck calls them."""
    text = say(predicate)
    for a, b, own in zip(STANDARD.pictures, FIVE_ELEMENTS.pictures, deck.pictures, strict=True):
        either = Words("{}/{}").format(a, b)
        english = text.en.replace(either.en, own.en)
        text = Words(english, text.zh.replace(either.zh, own.zh))
    return text


_NAME_COLUMNS = (Words("Name", "名稱"), Words("When", "情況"))


def _names(game: Game) -> Iterator[Row]:
    """What a rulebook explains to who plays, and every name in the designer's own lines."""
    own = {HOUSE, *game.house_rules}
    return (row for clause, name, row in meanings(game) if name.means or clause in own)


def meanings(game: Game) -> Iterator[tuple[str, Named, Row]]:
    """The clause of a line, a name that it uses, and what the name means: in short, or the
    condition that it stands for.

    Each name once; a phrase says all of it already.
    """
    told = set()
    for bet in game.bets:
        for line in bet.all_lines:
            for name in names(line.when):
                if name.phrase or name.text in told:
                    continue
                told.add(name.text)
                means = name.means or in_deck(name.part, game.deck)
                yield line.clause, name, _row(name.clause or line.clause, name.text, means)


_GROUND_COLUMNS = (
    Words("Ground", "情況"),
    Words("Requires", "條件"),
    Words("What follows", "處理"),
)


def _grounds(game: Game) -> Iterator[Row]:
    for irregularity in game.irregularities:
        ground = irregularity.ground
        requires = join(ground.requires, en="; ", zh="；")
        yield _row(irregularity.clause, ground.title, requires, ground.follows)


_DISPUTE = Words(
    "A patron who disagrees with a result, a payment or a wager may ask for a review of the round "
    "within 7 days: on the terminal, from the past round, while seated; or of a supervisor, with "
    "the table and the number of the round. A supervisor who did not deal the round decides by "
    "the record of it, and names the clause; the terminal shows the decision. Whoever does not "
    "accept it may ask for an inspector within the same time.",
    "如對結果、派彩或投注有異議，可於 7 日內要求覆核該局：在座時於終端機的牌局記錄提出，"
    "或向主任提出並說明賭枱及局號。由並非派發該局的主任按記錄裁決，並說明所依條款；終端機會顯示裁決。"
    "如不接受裁決，可於同一期限內要求督察處理。",
)


def _faults() -> Iterator[Row]:
    yield _row(MALFUNCTION_POLICY.citation, MALFUNCTION_POLICY.text)
    yield _row(HOUSE, _DISPUTE)


def _readings(game: Game) -> Iterator[Row]:
    for reading in game.numbered_readings:
        yield _row(reading.citation, reading.text)


def _house_rules(game: Game) -> Iterator[Row]:
    for clause, text in game.house_rules.items():
        yield _row(clause, Words(text))
