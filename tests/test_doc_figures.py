"""Figures in documents are those of the code.

A sentence with a figure that the code decides stands in `STATED` once more, with the value from
the code in its place. Any other figure beside a unit is found: it has to be stated here, measured
(the paragraph says so), or deleted.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields
from fractions import Fraction
from math import perm
from pathlib import Path
from typing import get_args

import pytest

from puntobanco import GAMES
from puntobanco.base.private_files import OWNER_ONLY
from puntobanco.odds.par import LOWEST_RETURN, BetOdds, par_sheet
from puntobanco.odds.reshuffles import RESHUFFLES
from puntobanco.odds.solve import probability
from puntobanco.rules.hands import banker, tie
from puntobanco.rules.shoe import MAX_SHOE_CARDS
from puntobanco.sim.run import RESERVE
from puntobanco.sim.verdict import LEVEL
from puntobanco_floor.cli.program import KEPT_DAYS
from puntobanco_floor.cli.serve import SWITCH_S
from puntobanco_floor.client import REPEAT_S
from puntobanco_floor.domain.cage.state import HAND_PAY_CENTS
from puntobanco_floor.domain.definitions import Definitions
from puntobanco_floor.domain.house.decide import WIDER_WAITS_MS
from puntobanco_floor.domain.house.gaming_day import DAY_MS
from puntobanco_floor.domain.house.programs import MAX_PROGRAMS
from puntobanco_floor.domain.house.state import ADMINISTRATORS, WRONG_TRIES
from puntobanco_floor.domain.ledger import HOUSE_ACCOUNTS
from puntobanco_floor.domain.table.clock import CLOSES_AFTER_MS, MIX_MS
from puntobanco_floor.domain.table.commands import MAX_BURN, MAX_SOURCE
from puntobanco_floor.domain.table.limits import DEFAULT_MIN_CENTS, DEFAULT_WIN_CENTS
from puntobanco_floor.domain.table.scheduled_changes import MAX_ROAD_ROUNDS
from puntobanco_floor.evidence.receipt_links import LIVES_MS
from puntobanco_floor.integrity.self_check import EVERY_MS
from puntobanco_floor.journal.key_ring import REPLACED_MS
from puntobanco_floor.journal.passphrase import MIN_PASSPHRASE
from puntobanco_floor.journal.sealed_shoes import NONCE_BYTES
from puntobanco_floor.lab.lab_queue import WAITING
from puntobanco_floor.lab.lab_simulation import (
    LIMIT_S,
    MOST_PUBLIC_ROUNDS,
    MOST_ROUNDS,
    TURN_ROUNDS,
)
from puntobanco_floor.reports.collection import MAX_EVENTS
from puntobanco_floor.reports.report_pages import meter
from puntobanco_floor.service.administration import STAFF_CODE_LIVES_MS
from puntobanco_floor.service.login_locks import FIRST_S, LONGEST_S
from puntobanco_floor.service.patron_reviews import DAYS
from puntobanco_floor.service.pit.advantage import FALSE_ACCUSATIONS, SCALES, TABLE_ERRORS
from puntobanco_floor.service.pit.alerts import LARGE_WAGER_CENTS, LARGE_WIN_CENTS, LATE_ATTEMPTS
from puntobanco_floor.service.pit.fairness import FALSE_ALARMS
from puntobanco_floor.service.staff_logins import GRAIN_S
from puntobanco_floor.service.table_games import CHECK_S
from puntobanco_floor.service.terminals.heartbeat import BEAT_S
from puntobanco_floor.service.terminals.shutdown import SERVICE_RESTART
from puntobanco_floor.service.terminals.wire import PROTOCOL, CommandId
from puntobanco_floor.service.tickets import CODE_LENGTH, CODE_LIVES_MS
from puntobanco_floor.service.voucher_numbers import DIGITS
from puntobanco_floor.settings import DEFAULTS
from puntobanco_floor.store.batch import REFUSED_KEPT_MS
from puntobanco_floor.store.postgres import POLL_S
from puntobanco_floor.store.postgres_sql import FROZEN_MS
from puntobanco_floor.store.sqlite import LOOK_S
from puntobanco_floor.store.store import MAX_BATCH, MAX_WAITING
from puntobanco_floor.store.table_clock import FOLLOWED_MS
from puntobanco_floor.transparency.keeper import BUSY_S, IDLE_S
from puntobanco_floor.web.csrf import UNDER_TLS
from puntobanco_floor.web.pages import PAGES
from puntobanco_floor.web.request_bounds import MAX_COOKIES
from puntobanco_proof import mix
from puntobanco_proof.entry.format import NOTHING, SALT_BYTES, VERSION, Header
from puntobanco_proof.tree.faults import HASH_BYTES
from puntobanco_proof.tree.leaves import leaf
from puntobanco_proof.tree.tiles import LENGTH_BYTES
from tests.documents import BY_HAND, ROOT, name_of, paragraphs, written
from tests.test_kinds import MOST

SOURCE = ROOT / "src" / "puntobanco"
LEAF_BYTES = len(leaf(bytes(32), "00" * 32))
SCREENS = SOURCE / "web" / "screens"
_WORDS = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
)
WORDS = tuple(_WORDS.split())


def word(number: float) -> str:
    assert number == int(number), number
    return WORDS[int(number)]


def dollars(cents: Fraction | int) -> str:
    """`$10`, `$1.78`, `$250,000`."""
    whole = Fraction(cents) / 100
    return f"${int(whole):,}" if whole.denominator == 1 else f"${float(whole):,.2f}"


def percent(share: Fraction, places: int) -> str:
    return f"{float(share) * 100:.{places}f} %"


def number_in(path: Path, name: str) -> int:
    """A constant of a script."""
    found = re.search(rf"\b{name} = ([\d_]+)", path.read_text("utf-8"))
    assert found, name
    return int(found[1])


def of(game: str, bet: str, decks: int) -> BetOdds:
    return par_sheet(GAMES[game], decks).bet(bet)


def breaks_even(decks: int) -> str:
    stake = of("six-star", "tie", decks).break_even_stake
    assert stake is not None
    return dollars(round(stake * 100))


def bonus_returns(decks: int) -> str:
    return percent(1 + of("six-star", "element-bonus", decks).ev, 1)


SCREENS_SERVED = len({*PAGES.values(), "odds"})
COUNTS = {"games": len(GAMES), "machines": len(fields(Definitions)), "screens": SCREENS_SERVED}
"""What may be counted anywhere: `five games`."""


def architecture() -> Iterator[str]:
    yield f"Every {BUSY_S:.0f} s while something happens, once a minute otherwise"
    assert IDLE_S == 60, "once a minute"
    yield f"After {MIX} s without all answers (`MIX_MS`)"
    assert perm(MAX_SHOE_CARDS, 6) < 2**63
    yield f"nothing overflows up to {MAX_SHOE_CARDS:,} cards"
    yield f"a kind of event is named in at most {word(MOST)} files outside"
    yield f"one signature covers up to {MAX_BATCH} commands"
    yield f"the commands that wait, at most {MAX_BATCH},"
    yield f"at most {MAX_WAITING:,} commands wait"
    yield f"would wait {word(0.005 / SWITCH_S)} times as long"
    yield f"at most {word(WAITING)} answers wait"
    yield accounts()


def accounts() -> str:
    named = (f"`{name}`" for name in ("session:<id>", *HOUSE_ACCOUNTS))
    return f"Accounts: {', '.join(named)}."


def readme() -> Iterator[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    yield f"{word(len(GAMES)).capitalize()} no-commission baccarat games"
    yield f"need Python {project['requires-python'].removeprefix('>=')} or newer"


MIX = MIX_MS // 1000


def changelog() -> Iterator[str]:
    yield f"send it again by themselves for {word(REPEAT_S / 60)} minutes"
    yield f"a table waits {MIX} s at most"
    ruff = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]
    yield f"The formatter decides lines, at {ruff['line-length']} columns"
    yield f"protocol {PROTOCOL}"
    yield f"files are {OWNER_ONLY:04o}"
    yield f"in a process that is ended after {CHECK_S:.0f} s"


def floor() -> Iterator[str]:
    yield f"after {word(REPEAT_S / 60)} minutes, when the screen no longer sends"
    assert CODE_LIVES_MS == 3_600_000
    yield "which works once and for an hour"
    yield f"a voucher: {DIGITS} digits"
    yield f"good for {DEFAULTS.voucher_days} days"
    yield f"within {DAYS} days"
    yield f"After {word(WRONG_TRIES)} wrong tries in a row"
    yield f"{FIRST_S:.0f} s, twice as long after each more, {LONGEST_S / 60:.0f} minutes at most"
    yield f"good for {STAFF_CODE_LIVES_MS // 86_400_000} days"
    yield (
        f"{word(DEFAULTS.dealer_idle_s / 60)} minutes for a dealer (`dealer_idle_s`), "
        f"{word(DEFAULTS.staff_idle_s / 60)} for the others"
    )
    yield f"wagers of {dollars(LARGE_WAGER_CENTS)} and more, wins of {dollars(LARGE_WIN_CENTS)}"
    yield f"{word(LATE_ATTEMPTS)} late wagers in one round"
    assert FALSE_ACCUSATIONS == 0.001
    yield "at most one innocent patron in a thousand is flagged"
    assert FALSE_ALARMS == 0.001
    yield "a fair table raises it on at most one day in a thousand"
    yield f"a voucher over {dollars(HAND_PAY_CENTS)} to be sold or paid"
    assert WIDER_WAITS_MS == DAY_MS
    yield "wider ones, or none, a day later"
    assert LOOK_S == 1
    yield "a floor that is served picks it up within a second"


def advantage_play() -> Iterator[str]:
    small, middle, large = SCALES
    yield f"{small:.1%}, {middle:.0%} and {large:.0%} of the largest stake".replace("%", " %")
    yield f"{word(TABLE_ERRORS)} standard errors too large"
    yield f"at {RESHUFFLES:,} reshuffled shoes"
    yield f"The alert is raised at 1 in {1 / FALSE_ACCUSATIONS:,.0f}"


def live_table() -> Iterator[str]:
    yield f"its result can be read for at least {word(CLOSES_AFTER_MS / 1000)} seconds"
    least, most = dollars(DEFAULT_MIN_CENTS), dollars(DEFAULT_WIN_CENTS)
    yield f"By default a minimum is {least}, and no wager can win more than {most}."
    yield f"**6 Star Tie, minimum {least}.**"
    yield (
        f"breaks even at {breaks_even(4)} with 4 decks, {breaks_even(6)} with 6 and "
        f"{breaks_even(8)} with 8."
    )
    yield (
        f"**{GAMES['six-star'].default_decks} decks, and never fewer than 6 by default.** "
        f"With 4 decks Element Bonus returns {bonus_returns(4)}, "
        f"under the {LOWEST_RETURN * 100} % that GLI-19 4.7.1 asks of every wager; "
        f"with 6 decks {bonus_returns(6)}, with 8 decks {bonus_returns(8)}."
    )
    yield f"| `burn` | 0 to {MAX_BURN}, `first-card` |"
    yield f"| `road_rounds` | 1 to {MAX_ROAD_ROUNDS:,} |"
    yield f"a {NONCE_BYTES}-byte nonce"
    yield accounts()


def odds() -> Iterator[str]:
    tie_bet = of("six-star", "tie", 8)
    yield (
        f"Without it the edge is {percent(-tie_bet.ev, 2)} at 8 decks; at $5 it is "
        f"{percent(-tie_bet.ev_at(Fraction(5)), 2)}; below {breaks_even(8)} the patron has the edge."
    )
    flagged = [n for n in GAMES["six-star"].decks if of("six-star", "element-bonus", n).flags]
    assert flagged == [4]
    yield (
        f"**Element Bonus at 4 decks returns less than {LOWEST_RETURN * 100} %** "
        "and is flagged; from 5 decks on it is not."
    )
    yield f"up to {MOST_ROUNDS // 10**6} million rounds ({word(MOST_PUBLIC_ROUNDS / 10**6)} million"
    assert TURN_ROUNDS == 10**6
    yield "takes turns of a million rounds"
    yield f"is given up after {LIMIT_S:.0f} s"


def operations() -> Iterator[str]:
    assert POLL_S == 0.5
    yield "it looks twice a second"
    yield f"cut off by the server after {word(FROZEN_MS / 1000)} second"
    yield f"written at most every {word(GRAIN_S)} seconds"
    yield f"For `drain_s` ({DEFAULTS.drain_s:.0f} by default;"
    yield f"with code {SERVICE_RESTART[0]}, all within"
    yield f"a passphrase of at least {MIN_PASSPHRASE} characters"
    yield f"a refused command is kept for {REFUSED_KEPT_MS // 60_000} minutes"
    assert FOLLOWED_MS == 60_000
    yield "the machine's clock forwards within a minute"
    assert {b"strict-transport-security": f"max-age={365 * 86_400}".encode()} == UNDER_TLS
    yield "for a year (HSTS)"
    yield f"for its own user alone ({OWNER_ONLY:04o})"
    yield f"at its start, every {EVERY_MS // 3_600_000} hours and when"
    yield f"lists the results of {KEPT_DAYS} days"
    yield f"The {word(MAX_PROGRAMS)} last accepted stay so"


def reports() -> Iterator[str]:
    yield f"at least {word(len(meter(0).replace('.', '')))} digits"
    yield f"are at most {MAX_EVENTS:,};"


def screens() -> Iterator[str]:
    squeeze_ms = number_in(SCREENS / "terminal/squeeze.js", "SQUEEZE_MS")
    yield f"after {word(squeeze_ms / 1000)} seconds, or when the round is settled"
    yield f"undo, up to {word(number_in(SCREENS / 'terminal/reduce.js', 'UNDO_MOST'))}"
    yield f"[{len(GAMES['rapid'].deck.cards)} cards](../screens/dealer-52-cards.webp)"


def wire() -> Iterator[str]:
    kept = word(REFUSED_KEPT_MS / 60_000)
    yield f"for {word(REPEAT_S / 60)} minutes at most (refusals are forgotten after {kept})"
    (length,) = (each.max_length for each in get_args(CommandId)[1:])
    yield f"1 to {length} printable ASCII characters"
    yield (
        f"A message is at most {DEFAULTS.message_bytes:,} bytes; a terminal may send "
        f"{DEFAULTS.messages_rate:.0f} a second, {DEFAULTS.messages_burst} at once, with "
        f"{DEFAULTS.messages_flying} commands on their way"
    )
    yield f"`protocol` is {PROTOCOL}."
    yield f"comes every {2 * BEAT_S:.0f} s at the latest"
    yield f"receives nothing for {3 * BEAT_S:.0f} s has lost the floor"


def write_a_game() -> Iterator[str]:
    yield f"in a process of its own, which is ended after {CHECK_S:.0f} seconds"
    yield f"returns under {LOWEST_RETURN * 100} %"
    yield f"({MAX_SOURCE:,} characters at most)"


def simulation() -> Iterator[str]:
    yield f"`(cards - {RESERVE}) // 6`"
    yield f"less likely than {LEVEL} divided by their number"


def readings() -> Iterator[str]:
    edge = {
        (game, decks): percent(-of(game, "player-pair", decks).ev, 2).replace(" ", "")
        for game, decks in (("six-star", 8), ("rapid", 8), ("rapid", 4))
    }
    yield (
        f"the edge is {edge['six-star', 8]} at 8 × 65, {edge['rapid', 8]} at 8 × 52, "
        f"{edge['rapid', 4]} at 4 × 52"
    )
    at_five = percent(-of("six-star", "tie", 8).ev_at(Fraction(5)), 1).replace(" ", "")
    yield f"($5 or more is sensible: {at_five} at 8 decks)"
    tied = probability(tie & banker.points(6), GAMES["rapid"].shoe(8))
    yield f"It happens in {percent(tied, 3).replace(' ', '')} of rounds at 8 × 52."


def security() -> Iterator[str]:
    yield f"who shares the attacker's address waits, {LONGEST_S / 60:.0f} minutes at most"
    yield f"{word(WRONG_TRIES)} tries, then a wait that grows"
    yield f"{word(WRONG_TRIES)} wrong ones end the login"
    yield f"heads of a bounded size, {MAX_COOKIES} cookies"
    yield f"the last {word(ADMINISTRATORS)} administrators stay"


def trust() -> Iterator[str]:
    yield f"waits for its witnesses, {word(MIX)} seconds at most"
    yield f"Links to receipts end after {_days(LIVES_MS)} days"


def receipts() -> Iterator[str]:
    yield f"The link ends after {_days(LIVES_MS)} days"
    yield f"`salt` ({SALT_BYTES} bytes)"
    yield f"| `.leaf_salt` | {LEAF_BYTES} bytes"


def _days(ms: int) -> str:
    return {30: "thirty"}[ms // DAY_MS]


def code() -> Iterator[tuple[str, str]]:
    """Docstrings, and words of the screens."""
    sheets = sum(len(game.decks) for game in GAMES.values())
    yield "floor/terminals/heartbeat.py", f"idle for {BEAT_S:.0f} s gets a message"
    yield "floor/terminals/wire.py", f"hears nothing for {3 * BEAT_S:.0f} s has lost it"
    yield "lab/work.py", f"have {sheets} sheets between them"
    yield "table/limits.py", f"breaks even near {breaks_even(8)} at 8 decks"
    yield "table/limits.py", f"more than {dollars(DEFAULT_WIN_CENTS)}: at 5000 to 1"
    yield "cage/state.py", f"Over {dollars(HAND_PAY_CENTS)} a window does not pay alone"
    yield (
        "web/screens/enrol/view.js",
        f"{CODE_LENGTH} letters and digits. It works once, for an hour.",
    )
    yield "web/screens/enrol/words.js", f"{CODE_LENGTH} 個字母及數字，一小時內有效"
    yield "web/screens/terminal/words.js", f"Voucher number, {DIGITS} digits"
    yield "web/screens/terminal/words.js", f"{DIGITS} 位數字"
    yield "web/screens/cage/view.js", f"type the {DIGITS} digits"
    yield "web/screens/cage/view.js", f"of {DIGITS} digits"


def log_page() -> Iterator[str]:
    """The rows of the table are held by `tests/storage/test_log.py`."""
    yield "groups of three digits"
    yield "in two bytes"
    assert (LENGTH_BYTES, HASH_BYTES) == (2, 32)
    yield f"A leaf takes {LENGTH_BYTES + HASH_BYTES} bytes"
    yield f"the log grows every {BUSY_S:g} s, otherwise once a minute"
    assert IDLE_S == 60
    yield "a line of 45 characters for each hash"
    yield "about 100 characters"
    yield "about 150 bytes"
    yield "about 400 bytes with two witnesses"
    yield "66 MB"
    yield "6.6 GB"
    yield "640 bytes"
    yield "864 bytes"
    a_day = 86_400 // BUSY_S
    yield f"writes {a_day:,.0f} of these a day, {400 * a_day / 1e6:.0f} MB"


def sizing() -> Iterator[str]:
    yield f"The transparency log adds {2 * HASH_BYTES + LENGTH_BYTES} bytes an entry"
    yield "up to 17 MB a day of checkpoints"
    yield "places take about 150 bytes"


def mix_page() -> Iterator[str]:
    yield f"waits at most {MIX_MS // 1_000} s"
    yield f"| {mix.KEY_BYTES} | the key: SubjectPublicKeyInfo in DER, RSA, {mix.KEY_BITS} bits, exponent {mix.EXPONENT}"
    yield f"| {mix.ROOTS} × {mix.ROOT_BYTES} | roots"
    numbers = mix.ROOT_BYTES + mix.MORE_BYTES
    yield f"the modulus in {mix.ROOT_BYTES} bytes and i in one, read to {numbers} bytes"
    yield f"demands that it has {mix.SIGNATURE_BYTES} bytes"


def journal_format() -> Iterator[str]:
    """`tests/journal_format` checks all that it specifies."""
    yield f"# Journal format {VERSION}"
    yield f"`prev` | string | the hash of the entry before; {len(NOTHING)} zeros in the first entry"
    yield f"The salt of an entry is {SALT_BYTES} random bytes"
    assert REPLACED_MS == 3_600_000
    yield from (f"| `{name}` | " for name in sorted(Header.__struct_fields__))
    yield "treats a root key as replaced one hour after its replacement"


STATED: dict[str, Callable[[], Iterator[str]]] = {
    "ARCHITECTURE.md": architecture,
    "CHANGELOG.md": changelog,
    "README.md": readme,
    "docs/how-to/floor.md": floor,
    "docs/explanation/advantage-play.md": advantage_play,
    "docs/explanation/live-table.md": live_table,
    "docs/how-to/sizing.md": sizing,
    "docs/reference/journal-format.md": journal_format,
    "docs/reference/log.md": log_page,
    "docs/explanation/odds.md": odds,
    "docs/how-to/operations.md": operations,
    "docs/explanation/mix.md": mix_page,
    "docs/explanation/trust.md": trust,
    "docs/reference/receipts.md": receipts,
    "docs/reference/reports.md": reports,
    "docs/reference/rulebooks/readings.md": readings,
    "docs/reference/screens.md": screens,
    "docs/explanation/security.md": security,
    "docs/explanation/simulation.md": simulation,
    "docs/reference/wire.md": wire,
    "docs/how-to/write-a-game.md": write_a_game,
}
KEPT = (
    "at most 72 characters",  # of a commit, by people
    "23 or 25 hours",  # of a day on which clocks change
    "6 Star at 8 decks:",  # which sheet the pictures show
)
"""Figures that no code decides."""

MEASURED = (
    "docs/explanation/advantage-play.md",
    "docs/explanation/scale.md",
    "docs/explanation/simulation.md",
    "docs/how-to/install.md",
    "docs/reference/journal-format.md",
    "docs/reference/rulebooks/readings.md",
    "docs/tutorials/",
)
"""What was measured, with the machine; the journal's format, which `tests/journal_format` checks; our readings, whose numbers are the rulebooks'; and what
tutorials have their readers do, which `test_tutorials.py` plays."""

_MANY = (
    "lines modules files kinds games commands tests screens settings machines packages phases roles "
    "seconds minutes hours days times tries characters digits messages columns"
)
_MORE = (
    "clauses readings sheets tables terminals clients wagers entries rounds streams nodes crashes "
    "rows sessions events accounts cards decks zeros bytes bits cores s ms us µs kB MB GB million "
    "billion table-hours"
)
_FIGURE = r"\d[\d,]*(?:\.\d+)?"
FIGURE = re.compile(
    rf"(?<![\w.])(?:\$\d[\d,.]*\d|{_FIGURE} ?%|{_FIGURE} a second"
    rf"|{_FIGURE}(?: [a-z-]+)? (?:{'|'.join(f'{_MANY} {_MORE}'.split())})\b"
    rf"|(?:{'|'.join(WORDS[2:])}|\w+teen|twenty|thirty|forty|fifty)(?: [a-z-]+)? (?:{'|'.join(_MANY.split())})\b)",
    re.IGNORECASE,
)


def figures(text: str, stated: list[str]) -> list[str]:
    """Figures beside a unit that nobody answers for."""
    for sentence in (*stated, *KEPT):
        text = text.replace(sentence, "")
    prose = re.sub(r"`[^`]*`", "", text)
    return [found[0] for found in FIGURE.finditer(prose) if not _is_counted(found[0])]


def _is_counted(figure: str) -> bool:
    number, _, rest = figure.partition(" ")
    counted = COUNTS.get(rest.split()[-1]) if rest else None
    return counted is not None and number.lower() in (str(counted), word(counted))


@pytest.mark.parametrize("document", STATED)
def test_a_document_states_what_the_code_says(document: str) -> None:
    text = " ".join(written(ROOT / document).split())
    assert [sentence for sentence in STATED[document]() if sentence not in text] == []


@pytest.mark.parametrize("path", BY_HAND, ids=name_of)
def test_a_figure_is_stated_measured_or_deleted(path: Path) -> None:
    name = name_of(path)
    stated = list(STATED[name]()) if name in STATED else []
    found = [
        (figure, paragraph[:60])
        for paragraph in paragraphs(written(path))
        if not name.startswith(MEASURED) and "easured" not in paragraph
        for figure in figures(paragraph, stated)
    ]
    assert found == [], "state it in this test, say that it was measured, or delete it"


def test_docstrings_and_screens_state_what_the_code_says() -> None:
    stated = [(sentence, SOURCE / path) for path, sentence in code()]
    assert [
        (sentence, path.name)
        for sentence, path in stated
        if sentence not in " ".join(path.read_text("utf-8").split())
    ] == []


def test_the_address_in_every_document_is_the_default() -> None:
    for path in BY_HAND:
        shown = set(re.findall(r"127\.0\.0\.1:\d+", path.read_text("utf-8")))
        assert shown <= {f"{DEFAULTS.host}:{DEFAULTS.port}"}, path


def test_the_counts_of_simulations_are_those_of_their_data() -> None:
    """Every large number of the page, but those of the sentences, stands in docs/benchmarks."""
    data = (path.read_text("utf-8") for path in (ROOT / "docs/benchmarks").glob("*.json"))
    counted = {int(number) for text in data for number in re.findall(r"\d{7,}", text)}
    rows = [
        row
        for row in written(ROOT / "docs/explanation/simulation.md").splitlines()
        if row[:1] == "|"
    ]
    shown = {
        int(number.replace(",", ""))
        for number in re.findall(r"\d{1,3}(?:,\d{3}){2,}", " ".join(rows))
    }
    assert len(shown) > 40
    assert shown - counted == set()


# It fails when something drifts


@pytest.mark.parametrize(
    "sentence",
    [
        "the rest 19 modules of 46 to 368 lines",
        "about 40,000 lines of Python",
        "under 8 minutes",
        "good for 31 days",
        "wins of $10,001 and more",
        "returns 74.6 %",
        "Four wrong tries in a row lock",
        "all six games",
        "2,000 crashes",
        "seventeen screens",
    ],
)
def test_a_figure_that_nobody_answers_for_is_found(sentence: str) -> None:
    assert figures(sentence, [])


@pytest.mark.parametrize(
    "sentence", ["all five games", "by two people", "reading 19", "clause 3.9.1"]
)
def test_what_is_no_figure_is_not(sentence: str) -> None:
    assert figures(sentence, []) == []
