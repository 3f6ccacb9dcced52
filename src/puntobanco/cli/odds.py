"""`odds`: par sheets, exact, for fresh decks or what is left of a shoe; effects of removal;
vulnerability.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import click
from click.core import ParameterSource

from puntobanco.cli import show
from puntobanco.cli.options import (
    GameType,
    decks_option,
    dollars,
    no_repeats,
    read_text,
    today,
    wager,
)
from puntobanco.document import html, pdf
from puntobanco.odds.combine import Combination, combine
from puntobanco.odds.document import bets_only, document
from puntobanco.odds.figures import (
    STAKES,
    SUMMARY_COLUMNS,
    decimal,
    number,
    one_in,
    percent,
    removal_json,
    sheet_csv,
    sheet_json,
    summary,
    vulnerability_json,
)
from puntobanco.odds.par import BetOdds, ParSheet, par_sheet
from puntobanco.odds.removal import Removal, removals
from puntobanco.odds.vulnerability import DEPTHS, SAMPLES, Depth, vulnerability
from puntobanco.rules.cards import codes
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.predicates import say
from puntobanco.rules.refusals import CardRefused
from puntobanco.rules.settle import Wager, verify_wager
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


@click.command(
    help="Print a par sheet: every bet's exact odds, for fresh decks or for what is left of a shoe."
)
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
    asked = {
        "--all": everything,
        "--vulnerability": vulnerable,
        "--removal": removal,
        "--wager": bool(wagers),
    }
    question = next((name for name, is_asked in asked.items() if is_asked), "the par sheet")
    _verify_all_are_read(question)
    form = form or _form_of(out, everything=everything)
    at_stake = None if stake is None else dollars(stake, "a stake")
    if everything:
        _all(game, form, out)
        return
    if game is None:
        raise click.UsageError("name a game, or ask for --all")
    for bet in bets:
        game.bet(bet)
    if shoe_file is not None and decks is not None:
        raise click.UsageError("give --decks or --shoe, not both")
    shoe = (
        _shoe(game, shoe_file)
        if shoe_file is not None
        else (game.default_decks if decks is None else decks)
    )
    if vulnerable:
        assert isinstance(shoe, int), "--vulnerability does not read --shoe"
        _vulnerable(game, shoe, bets, at_stake, samples, seed, form, out)
    elif removal:
        _removal(game, shoe, bets, form, out)
    elif wagers:
        _together(game, shoe, wagers, form, out)
    else:
        if at_stake is not None and form == "csv":
            raise click.UsageError(
                "a CSV has no figures by stake; leave out --stake, or choose another --format"
            )
        _sheet(par_sheet(game, shoe), bets, at_stake, form, out)


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
    ending = Path(out).suffix.removeprefix(".") if out else ""
    if everything:
        return "json"
    return ending if ending in FORMATS else "table"


def _shoe(game: Game, path: str) -> Shoe:
    """The cards that are left, from a JSON object of counts."""
    try:
        value = json.loads(read_text(path), object_pairs_hook=no_repeats)
    except (ValueError, RecursionError):
        raise CardRefused('the shoe is not JSON; write {"As": 7, "Ah": 8, ...}') from None
    if not isinstance(value, dict):
        raise CardRefused('a shoe is an object of counts by card: {"As": 7, "Ah": 8, ...}')
    counts = {}
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


def write(text: str | bytes, out: str | None) -> None:
    if out is None:
        if isinstance(text, bytes):
            raise click.UsageError("a PDF goes to a file: add --out par.pdf")
        click.echo(text, nl=not text.endswith("\n"))
        return
    path = Path(out)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    except OSError as error:
        raise click.ClickException(
            f"cannot write {out}: {(error.strerror or 'output error').lower()}"
        ) from None
    click.echo(f"wrote {out}", err=True)


def _rendered(
    sheet: ParSheet, bets: Sequence[str], stake: Fraction | None, form: str
) -> str | bytes:
    if form == "json":
        return (
            json.dumps(
                sheet_json(sheet, bets=bets, stake=stake, made=today()),
                ensure_ascii=False,
                indent=1,
            )
            + "\n"
        )
    if form == "csv":
        return sheet_csv(sheet, bets=bets, made=today())
    laid_out = document(bets_only(sheet, bets), stake=stake, made=today())
    return html(laid_out) if form == "html" else pdf(laid_out)


def _sheet(
    sheet: ParSheet, bets: Sequence[str], stake: Fraction | None, form: str, out: str | None
) -> None:
    if form != "table":
        write(_rendered(sheet, bets, stake, form), out)
        return
    _no_file(out)
    shoe = f"{sheet.decks} decks" if sheet.decks is not None else "the shoe given"
    show.heading(f"{sheet.game.title.en}, {shoe}, {len(sheet.shoe)} cards")
    whole = [("player", sheet.player), ("banker", sheet.banker), ("tie", sheet.tie)]
    whole += [(f"{n} cards", p) for n, p in zip((4, 5, 6), sheet.cards, strict=True)]
    show.table(
        ("round", "probability", "exact"), [(n, percent(p), str(p)) for n, p in whole], right=(1,)
    )
    show.line()
    rows: list[list[show.Part]] = [
        [*row[:-1], show.Styled(row[-1], "yellow")] for row in summary(sheet, bets)
    ]
    show.table(SUMMARY_COLUMNS, rows, right=(1, 2, 3, 4, 5, 6))
    show.line()
    lines = [
        line for odds in sheet.bets if not bets or odds.bet.id in bets for line in _lines(odds)
    ]
    show.table(
        ("bet", "when", "pays", "probability", "", "contribution", "clause"),
        lines,
        right=(3, 4, 5),
        fold=(1,),
    )
    for bet in sheet.bets:
        if bet.bonus and (not bets or bet.bet.id in bets):
            show.line()
            _stakes(bet, stake)


def _lines(odds: BetOdds) -> list[tuple[str, ...]]:
    found = [
        (x.line, x.line.pays.words.en, x.probability, decimal(x.contribution)) for x in odds.lines
    ]
    found += [(b.line, f"and {b.line.pays.words.en}", b.probability, "") for b in odds.bonus]
    return [
        (odds.bet.id, say(line.when).en, pays, decimal(chance), one_in(chance), part, line.clause)
        for line, pays, chance, part in found
    ]


def _stakes(odds: BetOdds, stake: Fraction | None) -> None:
    show.heading(f"{odds.bet.id} by stake, bonus counted in")
    stakes = sorted({Fraction(n) for n in STAKES} | ({stake} if stake else set()))
    rows = [
        (f"{float(s):.2f}", percent(-odds.ev_at(s)), f"{float(odds.variance_at(s)):.4f}")
        for s in stakes
    ]
    show.table(("stake", "house edge", "variance"), rows, right=(0, 1, 2))
    even = odds.break_even_stake
    if even is not None:
        worth = f"the bonus is worth {float(odds.bonus_dollars):.6f} a round"
        show.line(f"break-even stake {float(even):.6f}, exactly {even}; {worth}")


def _no_file(out: str | None) -> None:
    if out is not None:
        raise click.UsageError("--out needs a --format other than table: json, csv, html or pdf")


def _data_only(form: str, what: str) -> None:
    if form in ("html", "pdf"):
        raise click.UsageError(
            f"{what} comes as table, json or csv; the par sheet itself as html or pdf"
        )


def _removal(game: Game, shoe: Shoe | int, bets: Sequence[str], form: str, out: str | None) -> None:
    _data_only(form, "--removal")
    decks = shoe if isinstance(shoe, int) else None
    cards = game.shoe(shoe) if isinstance(shoe, int) else shoe
    if len(cards) < 7:
        raise CardRefused("effects of removal need 7 cards or more: one is taken away")
    found = [r for r in removals(game, cards) if not bets or r.bet.partition(" ")[0] in bets]
    if form == "json":
        answer = {
            "game": game.id,
            "decks": decks,
            "cards": len(cards),
            "removal": removal_json(found),
        }
        write(json.dumps(answer, ensure_ascii=False, indent=1) + "\n", out)
        return
    rows = [
        (r.bet, codes(group), decimal(effect), str(effect))
        for r in found
        for group, effect in r.classes
    ]
    if form == "csv":
        write(_csv(("bet", "cards", "effect", "exact"), rows), out)
        return
    _no_file(out)
    show.table(("bet", "cards", "effect of removing one", "exact"), rows, right=(2,), fold=(1,))
    show.line()
    show.table(
        ("bet", "level", "correlation", "tags"),
        [row for r in found for row in _counts(r)],
        right=(1, 2),
        fold=(3,),
    )


def _counts(removal: Removal) -> list[tuple[str, ...]]:
    rows = list[tuple[str, ...]]()
    for count in removal.counts:
        by_tag = dict[int, list[int]]()
        for card, tag in count.tags.items():
            if tag:
                by_tag.setdefault(tag, []).append(card)
        tags = "; ".join(
            f"{tag:+}: {codes(cards)}" for tag, cards in sorted(by_tag.items(), reverse=True)
        )
        rows.append((removal.bet, str(count.level), f"{count.correlation:.4f}", tags))
    return rows


def _vulnerable(
    game: Game,
    decks: int,
    bets: Sequence[str],
    stake: Fraction | None,
    samples: int,
    seed: int,
    form: str,
    out: str | None,
) -> None:
    _data_only(form, "--vulnerability")
    with show.progress("shoes", len(DEPTHS) * samples) as advance:
        every = vulnerability(
            game, decks, stake=stake, samples=samples, seed=seed, progress=advance
        )
    found = [depth for depth in every if not bets or depth.bet in bets]
    if form == "json":
        answer = {
            "game": game.id,
            "decks": decks,
            "seed": seed,
            "vulnerability": vulnerability_json(found),
        }
        write(json.dumps(answer, ensure_ascii=False, indent=1) + "\n", out)
        return
    if form == "csv":
        rows = [tuple(str(v) for v in asdict(d).values()) for d in found]
        write(_csv(tuple(asdict(found[0])), rows), out)
        return
    _no_file(out)
    columns = (
        "bet",
        "dealt",
        "favours the patron",
        "+/-",
        "won per 100 rounds",
        "+/-",
        "best edge met",
    )
    for bet in dict.fromkeys(depth.bet for depth in found):
        show.table(columns, [_depth(d) for d in found if d.bet == bet], right=(1, 2, 3, 4, 5, 6))
        show.line()


def _depth(d: Depth) -> tuple[str, ...]:
    return (
        d.bet,
        f"{float(d.dealt):.0%}",
        f"{d.favourable:.2%}",
        f"{d.favourable_error:.2%}",
        f"{d.per_100:.4f}",
        f"{d.per_100_error:.4f}",
        f"{d.best:+.2%}",
    )


def _together(
    game: Game, shoe: Shoe | int, wagers: Sequence[str], form: str, out: str | None
) -> None:
    _data_only(form, "--wager")
    stakes = dict[str, Fraction]()
    for text in wagers:
        bet, cents = wager(text)
        verify_wager(game, Wager("patron", bet, cents))
        stakes[bet] = stakes.get(bet, Fraction(0)) + Fraction(cents, 100)
    found = combine(game, game.shoe(shoe) if isinstance(shoe, int) else shoe, stakes)
    if form == "json":
        decks = shoe if isinstance(shoe, int) else None
        write(
            json.dumps({"game": game.id, "decks": decks, **_combined(found)}, indent=1) + "\n", out
        )
        return
    rows = [(a, b, decimal(value), str(value)) for (a, b), value in found.covariance.items()]
    if form == "csv":
        write(_csv(("bet", "with", "covariance", "exact"), rows), out)
        return
    _no_file(out)
    total = sum(stakes.values())
    each = [(bet, f"{float(stake):.2f}", decimal(found.each[bet])) for bet, stake in stakes.items()]
    show.table(("bet", "stake", "expected"), each, right=(1, 2))
    show.line(
        f"together: stake {float(total):.2f}, expected {decimal(found.ev)}, variance "
        f"{decimal(found.variance)}"
    )
    show.line()
    show.table(("bet", "with", "covariance"), [row[:3] for row in rows], right=(2,))


def _combined(found: Combination) -> dict[str, object]:
    return {
        "stakes": {bet: number(stake) for bet, stake in found.stakes.items()},
        "ev": number(found.ev),
        "variance": number(found.variance),
        "each": {bet: number(value) for bet, value in found.each.items()},
        "covariance": [
            {"bet": a, "with": b, **number(value)} for (a, b), value in found.covariance.items()
        ],
    }


def _csv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()


def _all(game: Game | None, form: str, out: str | None) -> None:
    if form == "table":
        raise click.UsageError("--all writes files: choose --format json, csv, html or pdf")
    if out is None:
        raise click.UsageError("--all needs a folder: add --out par-sheets")
    games = [game] if game else list(GAMES.values())
    sheets = [(g, decks) for g in games for decks in g.decks]
    with show.progress("par sheets", len(sheets)) as advance:
        for g, decks in sheets:
            text = _rendered(par_sheet(g, decks), (), None, form)
            path = Path(out) / f"{g.id}-{decks}.{form}"
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text if isinstance(text, bytes) else text.encode())
            except OSError as error:
                raise click.ClickException(
                    f"cannot write {path}: {(error.strerror or 'output error').lower()}"
                ) from None
            advance(1)
    print(f"wrote {len(sheets)} par sheets to {out}", file=sys.stderr)
