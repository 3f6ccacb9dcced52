"""`odds`: exact par sheets, effects of removal and vulnerability, for fresh decks or a shoe."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import click
from click.core import ParameterSource

from puntobanco.base.extras import has, has_numba, install
from puntobanco.cli import console
from puntobanco.cli.options import (
    GameType,
    decks_of,
    decks_option,
    dollars,
    game_named,
    no_repeats,
    read_text,
    stakes_of,
    today,
)
from puntobanco.document import html, pdf
from puntobanco.odds.card_counting import DEPTHS, SAMPLES, Depth, Removal, removals, vulnerability
from puntobanco.odds.par import BetOdds, Combination, ParSheet, combine, par_sheet, percent
from puntobanco.odds.par_report import (
    STAKES,
    SUMMARY_COLUMNS,
    bets_only,
    decimal,
    document,
    number,
    one_in,
    removal_json,
    sheet_csv,
    sheet_json,
    summary,
    vulnerability_json,
)
from puntobanco.rules.cards import Card, codes
from puntobanco.rules.game import Bet, Game, Pays
from puntobanco.rules.games import GAMES
from puntobanco.rules.predicates import say
from puntobanco.rules.refusals import CardRefused, PlanTooLarge
from puntobanco.rules.shoe import Shoe

FORMATS = ("table", "json", "csv", "html", "pdf")
MAX_SAMPLES = 1_000_000

_READS = {
    "the par sheet": ("decks", "shoe_file", "bets", "stake"),
    "--removal": ("removal", "decks", "shoe_file", "bets"),
    "--vulnerability": ("vulnerable", "decks", "bets", "stake", "samples", "seed"),
    "--wager": ("wagers", "decks", "shoe_file"),
    "--all": ("everything",),
}
"""Every question that can be asked, and the options that its answer depends on."""

_ALWAYS_READ = ("game", "form", "out")

SLOWER = (
    "puntobanco: Numba is not installed: the same figures, in about three times the time; "
    f"{install('fast')}"
)

NO_CHARTS = f"puntobanco: the page has no charts; for charts {install('report')}"

LINE_COLUMNS = ("bet", "when", "pays", "probability", "", "contribution", "clause")
DEPTH_COLUMNS = (
    "bet",
    "dealt",
    "favours the patron",
    "+/-",
    "won per 100 rounds",
    "+/-",
    "best edge met",
)


@click.command
@click.argument("game", type=GameType(), required=False)
@decks_option
@click.option(
    "--shoe",
    "shoe_file",
    metavar="FILE",
    help='Cards left, by code: {"As": 7, "Ah": 8, ...}; - is standard input.',
)
@click.option("--bet", "bets", multiple=True, help="Only this bet; may be repeated.")
@click.option("--stake", help="Dollars staked, for a bet whose bonus is a fixed sum.")
@click.option(
    "--wager",
    "wagers",
    multiple=True,
    metavar="BET=AMOUNT",
    help="Wagers placed together; may be repeated.",
)
@click.option(
    "--removal", is_flag=True, help="What one card less of each kind does, and the best count."
)
@click.option(
    "--vulnerability",
    "vulnerable",
    is_flag=True,
    help="How often a bet turns to the patron as the shoe is dealt.",
)
@click.option(
    "--samples",
    type=click.IntRange(2, MAX_SAMPLES),
    default=SAMPLES,
    show_default=True,
    help="Shoes at each depth.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Of the shoes that are sampled.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Every game and number of decks, a file each in the folder --out.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="By default a table, or as the ending of --out says.",
)
@click.option("--out", metavar="PATH", help="Write to this file, or with --all to this folder.")
def odds(
    game: Game | None,
    decks: int | None,
    shoe_file: str | None,
    bets: Sequence[str],
    stake: str | None,
    wagers: Sequence[str],
    removal: bool,
    vulnerable: bool,
    samples: int,
    seed: int,
    everything: bool,
    form: str | None,
    out: str | None,
) -> None:
    """Print a par sheet: every bet's exact odds, for fresh decks or for what is left of a shoe."""
    asked = {
        "--all": everything,
        "--vulnerability": vulnerable,
        "--removal": removal,
        "--wager": bool(wagers),
    }
    questions = [name for name, is_asked in asked.items() if is_asked]
    question = questions[0] if questions else "the par sheet"
    _verify_all_are_read(question)
    form = form or _form_of(out, everything=everything)
    at_stake = None if stake is None else dollars(stake, "a stake")
    if everything:
        _write_all(game, form, out)
        return
    if game is None:
        raise click.UsageError("name a game, or ask for --all")
    for bet in bets:
        game.bet(bet)
    if shoe_file is not None and decks is not None:
        raise click.UsageError("give --decks or --shoe, not both")
    shoe = decks_of(game, decks) if shoe_file is None else _shoe(game, shoe_file)
    if form == "table" and out is not None:
        raise click.UsageError("--out needs a --format other than table: json, csv, html or pdf")
    if question != "the par sheet" and form in ("html", "pdf"):
        raise click.UsageError(
            f"{question} comes as table, json or csv; the par sheet itself as html or pdf"
        )
    try:
        if vulnerable:
            assert isinstance(shoe, int), "--vulnerability does not read --shoe"
            _vulnerability(game, shoe, bets, at_stake, samples, seed, form, out)
        elif removal:
            _removal(game, shoe, bets, form, out)
        elif wagers:
            _together(game, shoe, wagers, form, out)
        else:
            if at_stake is not None and form == "csv":
                raise click.UsageError(
                    "a CSV has no figures by stake; leave out --stake, or choose another --format"
                )
            sheet = bets_only(par_sheet(game, shoe), bets)
            _sheet(sheet, at_stake, form, out)
    except PlanTooLarge as refusal:
        next_ = f"puntobanco simulate {game_named()}"
        raise PlanTooLarge(f"{refusal.reason}; next: {next_}") from None


def _verify_all_are_read(question: str) -> None:
    """No option is passed over in silence: one that the answer would not depend on is refused."""
    context = click.get_current_context()
    read = (*_READS[question], *_ALWAYS_READ)
    for option in context.command.params:
        assert option.name is not None
        given = context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
        if given and option.name not in read:
            raise click.UsageError(f"{question} does not depend on {option.opts[0]}; leave it out")


def _form_of(out: str | None, *, everything: bool) -> str:
    """The format that the file's name asks for."""
    if everything:
        return "json"
    ending = Path(out or "").suffix.removeprefix(".")
    return ending if ending in FORMATS else "table"


def _shoe(game: Game, path: str) -> Shoe:
    """The cards that are left, from a JSON object of counts."""
    try:
        value = json.loads(read_text(path), object_pairs_hook=no_repeats)
    except (ValueError, RecursionError):
        raise CardRefused('the shoe is not JSON; write {"As": 7, "Ah": 8, ...}') from None
    if not isinstance(value, dict):
        raise CardRefused('a shoe is an object of counts by card: {"As": 7, "Ah": 8, ...}')
    counts = dict[Card, int]()
    for code, count in value.items():
        card = game.deck.parse(code)
        if type(count) is not int or count < 0:
            raise CardRefused(
                f"the count of {code} is a whole number, zero or more, not {json.dumps(count):.40}"
            )
        counts[card] = count
    shoe = Shoe.holding(game.deck, counts)
    if len(shoe) < 6:
        raise CardRefused(f"the shoe holds {len(shoe)} cards; a round may take 6")
    return shoe


def _whole(game: Game, shoe: Shoe | int) -> tuple[Shoe, int | None]:
    """The cards, and the number of decks where they are fresh."""
    if isinstance(shoe, int):
        return game.shoe(shoe), shoe
    return shoe, None


def _write_data(
    form: str,
    out: str | None,
    *,
    answer: object,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
) -> None:
    if form == "json":
        console.write(console.json_text(answer), out)
    else:
        console.write(console.csv_text(columns, rows), out)


# The par sheet


def _sheet(sheet: ParSheet, stake: Fraction | None, form: str, out: str | None) -> None:
    if form != "table":
        _say_what_is_left_out(form)
        console.write(_render(sheet, stake, form), out)
        return
    shoe = "the shoe given" if sheet.decks is None else f"{sheet.decks} decks"
    title = sheet.game.title.en
    console.heading(f"{title}, {shoe}, {len(sheet.shoe)} cards")
    _show_round(sheet)
    console.line()
    rows = list[list[console.Part]]()
    for *cells, flags in summary(sheet):
        rows.append([*cells, console.Styled(flags, "yellow")])
    console.table(SUMMARY_COLUMNS, rows, right=(1, 2, 3, 4, 5, 6))
    console.line()
    lines = [line for bet in sheet.bets for line in _lines(bet)]
    console.table(LINE_COLUMNS, lines, right=(3, 4, 5), fold=(1,))
    for bet in sheet.bets:
        if bet.bonus:
            console.line()
            _show_stakes(bet, stake)


def _render(sheet: ParSheet, stake: Fraction | None, form: str) -> str | bytes:
    made = today()
    if form == "json":
        return console.json_text(sheet_json(sheet, stake=stake, made=made))
    if form == "csv":
        return sheet_csv(sheet, made=made)
    if form == "html":
        return html(document(sheet, stake=stake, made=made, drawn=has("report")))
    return pdf(document(sheet, stake=stake, made=made))


def _say_what_is_left_out(form: str) -> None:
    if form == "html" and not has("report"):
        click.echo(NO_CHARTS, err=True)


def _show_round(sheet: ParSheet) -> None:
    chances = {"player": sheet.player, "banker": sheet.banker, "tie": sheet.tie}
    for cards, chance in zip((4, 5, 6), sheet.cards, strict=True):
        chances[f"{cards} cards"] = chance
    rows = [(name, percent(chance), str(chance)) for name, chance in chances.items()]
    console.table(("round", "probability", "exact"), rows, right=(1,))


def _lines(odds: BetOdds) -> Iterator[tuple[str, ...]]:
    for paid in odds.lines:
        part = decimal(paid.contribution)
        yield _line(odds.bet, paid.line, "", paid.probability, part)
    push = odds.bet.push
    if push:
        when = say(push.when).en
        chance = odds.push
        yield odds.bet.id, when, "push", decimal(chance), one_in(chance), "0", push.clause
    for bonus in odds.bonus:
        yield _line(odds.bet, bonus.line, "and ", bonus.probability, "")


def _line(bet: Bet, line: Pays, also: str, chance: Fraction, part: str) -> tuple[str, ...]:
    when = say(line.when).en
    pays = also + line.pays.words.en
    return bet.id, when, pays, decimal(chance), one_in(chance), part, line.clause


def _show_stakes(odds: BetOdds, stake: Fraction | None) -> None:
    console.heading(f"{odds.bet.id} by stake, bonus counted in")
    stakes = {Fraction(dollars) for dollars in STAKES}
    if stake:
        stakes.add(stake)
    rows = list[tuple[str, ...]]()
    for each in sorted(stakes):
        edge = percent(-odds.ev_at(each))
        variance = float(odds.variance_at(each))
        row = (f"{float(each):.2f}", edge, f"{variance:.4f}")
        rows.append(row)
    console.table(("stake", "house edge", "variance"), rows, right=(0, 1, 2))
    even = odds.break_even_stake
    if even is not None:
        worth = f"the bonus is worth {float(odds.bonus_dollars):.6f} a round"
        console.line(f"break-even stake {float(even):.6f}, exactly {even}; {worth}")


def _write_all(game: Game | None, form: str, out: str | None) -> None:
    if form == "table":
        raise click.UsageError("--all writes files: choose --format json, csv, html or pdf")
    if out is None:
        raise click.UsageError("--all needs a folder: add --out par-sheets")
    _say_what_is_left_out(form)
    games = [game] if game else GAMES.values()
    sheets = [(each, decks) for each in games for decks in each.decks]
    with console.progress("par sheets", len(sheets)) as advance:
        for each, decks in sheets:
            text = _render(par_sheet(each, decks), None, form)
            path = Path(out, f"{each.id}-{decks}.{form}")
            console.save(text, path)
            advance(1)
    click.echo(f"wrote {len(sheets)} par sheets to {out}", err=True)


# Effects of removal


def _removal(game: Game, shoe: Shoe | int, bets: Sequence[str], form: str, out: str | None) -> None:
    cards, decks = _whole(game, shoe)
    if len(cards) < 7:
        raise CardRefused("effects of removal need 7 cards or more: one is taken away")
    found = list(removals(game, cards))
    if bets:
        found = [removal for removal in found if removal.bet.partition(" ")[0] in bets]
    rows = list(_effects(found))
    if form != "table":
        columns = ("bet", "cards", "effect", "exact")
        answer = {
            "game": game.id,
            "decks": decks,
            "cards": len(cards),
            "removal": removal_json(found),
        }
        _write_data(form, out, answer=answer, columns=columns, rows=rows)
        return
    console.table(("bet", "cards", "effect of removing one", "exact"), rows, right=(2,), fold=(1,))
    console.line()
    counts = list(_counts(found))
    console.table(("bet", "level", "correlation", "tags"), counts, right=(1, 2), fold=(3,))


def _effects(found: Iterable[Removal]) -> Iterator[tuple[str, ...]]:
    for removal in found:
        for cards, effect in removal.classes:
            yield removal.bet, codes(cards), decimal(effect), str(effect)


def _counts(found: Iterable[Removal]) -> Iterator[tuple[str, ...]]:
    for removal in found:
        for count in removal.counts:
            correlation = f"{count.correlation:.4f}"
            yield removal.bet, str(count.level), correlation, _tags(count.tags)


def _tags(tags: Mapping[Card, int]) -> str:
    """The cards of each tag, the highest tag first; those that do not count are left out."""
    by_tag = dict[int, list[int]]()
    for card, tag in tags.items():
        if tag:
            by_tag.setdefault(tag, []).append(card)
    texts = list[str]()
    for tag in sorted(by_tag, reverse=True):
        texts.append(f"{tag:+}: {codes(by_tag[tag])}")
    return "; ".join(texts)


# Vulnerability


def _vulnerability(
    game: Game,
    decks: int,
    bets: Sequence[str],
    stake: Fraction | None,
    samples: int,
    seed: int,
    form: str,
    out: str | None,
) -> None:
    if not has_numba():
        click.echo(SLOWER, err=True)
    with console.progress("shoes", len(DEPTHS) * samples) as advance:
        every = vulnerability(
            game, decks, stake=stake, samples=samples, seed=seed, progress=advance
        )
    found = [depth for depth in every if not bets or depth.bet in bets]
    if form != "table":
        answer = {
            "game": game.id,
            "decks": decks,
            "seed": seed,
            "vulnerability": vulnerability_json(found),
        }
        columns = [field.name for field in fields(Depth)]
        rows = [[str(getattr(depth, name)) for name in columns] for depth in found]
        _write_data(form, out, answer=answer, columns=columns, rows=rows)
        return
    for bet in dict.fromkeys(depth.bet for depth in found):
        rows = [_depth(depth) for depth in found if depth.bet == bet]
        console.table(DEPTH_COLUMNS, rows, right=(1, 2, 3, 4, 5, 6))
        console.line()


def _depth(depth: Depth) -> list[str]:
    return [
        depth.bet,
        f"{float(depth.dealt):.0%}",
        f"{depth.favourable:.2%}",
        f"{depth.favourable_error:.2%}",
        f"{depth.per_100:.4f}",
        f"{depth.per_100_error:.4f}",
        f"{depth.best:+.2%}",
    ]


# Wagers placed together


def _together(
    game: Game, shoe: Shoe | int, wagers: Sequence[str], form: str, out: str | None
) -> None:
    stakes = stakes_of(game, wagers)
    cards, decks = _whole(game, shoe)
    found = combine(game, cards, stakes)
    rows = list[tuple[str, ...]]()
    for (a, b), covariance in found.covariance.items():
        rows.append((a, b, decimal(covariance), str(covariance)))
    if form != "table":
        answer = {"game": game.id, "decks": decks, **_combined_json(found)}
        columns = ("bet", "with", "covariance", "exact")
        _write_data(form, out, answer=answer, columns=columns, rows=rows)
        return
    each = list[tuple[str, ...]]()
    for bet, stake in stakes.items():
        each.append((bet, f"{float(stake):.2f}", decimal(found.each[bet])))
    console.table(("bet", "stake", "expected"), each, right=(1, 2))
    total = float(sum(stakes.values()))
    ev = decimal(found.ev)
    variance = decimal(found.variance)
    console.line(f"together: stake {total:.2f}, expected {ev}, variance {variance}")
    console.line()
    rounded = [row[:3] for row in rows]
    console.table(("bet", "with", "covariance"), rounded, right=(2,))


def _combined_json(found: Combination) -> dict[str, object]:
    covariance = list[dict[str, object]]()
    for (a, b), value in found.covariance.items():
        covariance.append({"bet": a, "with": b, **number(value)})
    return {
        "stakes": _numbers(found.stakes),
        "ev": number(found.ev),
        "variance": number(found.variance),
        "each": _numbers(found.each),
        "covariance": covariance,
    }


def _numbers(by_bet: Mapping[str, Fraction]) -> dict[str, object]:
    return {bet: number(value) for bet, value in by_bet.items()}
