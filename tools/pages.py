"""Everything generated: `python -m tools.pages` writes it, `tests/lint/test_docs.py` fails when it is stale."""

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec

import msgspec

import puntobanco_floor.domain.events as e
from puntobanco import GAMES, Game
from puntobanco.base.citations import citation
from puntobanco.base.words import LANGUAGES, Language
from puntobanco.rules.rules_page import heading, rules_page
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.house.commands import Agree
from puntobanco_floor.domain.proposals import Approve
from puntobanco_floor.domain.table.state import PHASES, SAYS
from puntobanco_floor.service.roles import ROLES, SEES
from puntobanco_floor.settings import FIELDS, bounds_of
from puntobanco_proof.verifier import FILES, read_verifier
from tests.attacks import cells
from tests.fixtures.kinds import digest, kinds_json
from tests.fixtures.versions import changelog, current_version, is_released
from tests.support.golden_shoes import SHOES, shoe_text
from tools import doc_index, hans, reference, trace
from tools.glossary import LATIN_IN_CHINESE, SYNONYMS, TERMS, TRADE
from tools.tree import ROOT
from tools.typescript import declarations, our_messages

COMPATIBILITY = "docs/reference/compatibility.md"


def pages() -> Iterator[tuple[str, str]]:
    """Path from the root, and text; the index of the documents at last, which is made of them."""
    made = dict(_pages())
    yield from made.items()
    inside = {path.removeprefix("docs/"): text for path, text in made.items()}
    yield "docs/README.md", doc_index.page(ROOT / "docs", inside)


def _pages() -> Iterator[tuple[str, str]]:
    yield "docs/reference/rulebooks/traceability.md", trace.page()
    yield "docs/reference/table-commands.md", commands_page()
    yield "docs/reference/commands.md", reference.commands_page()
    yield "docs/reference/api.md", reference.api_page()
    yield "docs/reference/http.md", reference.http_page()
    yield "docs/reference/errors.md", reference.errors_page()
    yield "docs/reference/events.md", events_page()
    yield "tests/fixtures/kinds.json", kinds_json()
    yield COMPATIBILITY, releases_page()
    yield "docs/reference/configuration.md", configuration_page()
    yield "docs/reference/attacks.md", cells.page()
    yield "docs/reference/glossary.md", glossary_page()
    yield VERIFIER, verifier_page()
    yield "docs/reference/receipts.md", receipts_page()
    yield (
        "packages/puntobanco-floor/src/puntobanco_floor/web/server.d.ts",
        declarations(our_messages()),
    )
    yield "packages/puntobanco-floor/tests/screens/roles.json", roles_json()
    yield (
        "packages/puntobanco-floor/src/puntobanco_floor/web/screens/terminal/line-fields.js",
        line_fields(),
    )
    for game in GAMES.values():
        for language in LANGUAGES:
            suffix = ".md" if language == "en" else f".{language}.md"
            yield f"docs/reference/games/{game.id}{suffix}", game_page(game, language)
    for name, shoe in SHOES.items():
        yield f"packages/puntobanco/tests/golden/{name}.txt", shoe_text(*shoe)


def _yes(holds: Iterable[bool]) -> str:
    return " | ".join("yes" if each else "" for each in holds)


def commands_page(definitions: Definitions = OURS) -> str:
    """Every command in every phase: nothing is left open."""
    rows = list[str]()
    for kind in definitions.table.decides:
        phases = kind.traits.phases or PHASES
        rows.append(f"| `{kind.name()}` | {_yes(phase in phases for phase in PHASES)} |")
    said = [f"- **{phase}**: {SAYS[phase].en}" for phase in PHASES]
    head = [
        "# Commands of a table, the house and the cage",
        "",
        "What each may be told to do: in which phase of a round, by which role, and what takes two people.",
        "",
        "## By phase",
        "",
        "Where a cell is empty the command is refused, with the reason in words.",
        "",
    ]
    table = [f"| command | {' | '.join(PHASES)} |", "|---" * (len(PHASES) + 1) + "|", *rows]
    who = list[str]()
    for kind in definitions.commands:
        traits = kind.traits
        two = "yes" if traits.second else ""
        given = _yes(role in traits.by for role in ROLES)
        who.append(f"| `{kind.name()}` | {traits.title.en} | {traits.title.zh} | {two} | {given} |")
    looks = [f"| {what} | {_yes(role in SEES[what] for role in ROLES)} |" for what in SEES]
    staff = [
        "## Who of the staff may give it",
        "",
        f"| command | what it does | | may need a second person | {' | '.join(ROLES)} |",
        "|---" * (len(ROLES) + 4) + "|",
        *who,
        "",
        "The last ones are commands of the house and of the cage. What no role may give is given by a terminal, the clock or the floor.",
        "",
        "## By two people",
        "",
        "Who may ask, and who of the others may approve it: somebody else, who gave out no code of an account that is not enrolled yet.",
        "",
        f"| command | asked by | approved by {' | '.join(ROLES)} |",
        "|---" * (len(ROLES) + 2) + "|",
        *_by_two(definitions),
        "",
        "## Who may look at it",
        "",
        f"| | {' | '.join(ROLES)} |",
        "|---" * (len(ROLES) + 1) + "|",
        *looks,
    ]
    return "\n".join([*head, *said, "", *table, "", *staff]) + "\n"


def _by_two(definitions: Definitions) -> Iterator[str]:
    for kind in definitions.commands:
        traits = kind.traits
        if traits.second is None:
            continue
        asks = ", ".join(role for role in ROLES if role in traits.by)
        answers = Agree.traits.by
        if kind not in definitions.house.decides:
            answers = Approve.traits.by - (frozenset() if traits.about == "money" else {"cashier"})
        yield f"| `{kind.name()}` | {asks} | {_yes(role in answers for role in ROLES)} |"


def glossary_page() -> str:
    """One word for one thing, in both languages, and what is not said instead."""
    head = [
        "# Glossary",
        "",
        "The words of the trade in plain ones, then the one word that this program has for each thing, in English and Chinese.",
        "",
        "## Words of the trade",
        "",
        "| word | what it means |",
        "|---|---|",
        *(f"| {word} | {means} |" for word, means in TRADE.items()),
        "",
        "## HA, RNG, RTP, TITO: by other names",
        "",
        "Words that a search may begin with, what is said here instead, and where to read.",
        "",
        "| elsewhere | here | read |",
        "|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in SYNONYMS),
        "",
        "## One word for one thing",
        "",
        "In English and Traditional Chinese. Screens, refusals, events, rules pages and documents keep",
        "to it (`tests/lint/test_glossary.py`); `tools/glossary.py` has the rows. Amounts are `$1,000` and `$1,000.50`.",
        "",
        "| English | Chinese | what it is | not instead, in English | not instead, in Chinese |",
        "|---|---|---|---|---|",
    ]
    rows = [
        f"| {term.en} | {term.zh} | {term.means} | {_said(term.not_en)} | {_said(term.not_zh)} |"
        for term in TERMS
    ]
    allowed = ", ".join(LATIN_IN_CHINESE)
    return "\n".join([*head, *rows, "", f"Latin letters in Chinese: {allowed}."]) + "\n"


def _said(patterns: Iterable[str]) -> str:
    """Patterns as words: a look around a word is for the test alone."""
    return ", ".join(re.sub(r"\(\?[^)]*\)|\?", "", pattern) for pattern in patterns)


def roles_json() -> str:
    """What `GET /api/staff/me` says of each role, for the tests of the screens."""
    found = {
        role: {
            "sees": [what for what, roles in SEES.items() if role in roles],
            "may": sorted(kind.name() for kind in OURS.may(role)),
        }
        for role in ROLES
    }
    return json.dumps(found, indent=1) + "\n"


def events_page() -> str:
    """Every kind of event, with what is true of it."""
    head = [
        "# Events",
        "",
        "What the journal holds, by stream. **group**: where the audit page files it. **heading**: of significant",
        "events in reports. **heard**: everybody at the table hears it. **anchors**, **seals**: its head is on disk",
        "before anybody is answered, its period of the journal ends. **moves**: it moves money. **carried**: something follows in another",
        "stream.",
    ]
    streams = {
        "A table": e.TABLE_EVENTS,
        "The house": e.HOUSE_EVENTS,
        "A cage window": e.CAGE_EVENTS,
    }
    for title, kinds in streams.items():
        head += [
            "",
            f"## {title}",
            "",
            "| event | group | heading | heard | anchors | seals | moves | carried |",
        ]
        head += ["|---" * 8 + "|", *map(_event_row, kinds)]
    return "\n".join(head) + "\n"


def _event_row(kind: type[e.Event]) -> str:
    traits = kind.traits
    moves = kind.transfers is not e.Event.transfers
    flags = (traits.public, traits.anchors, traits.seals, moves, traits.carried)
    cells = [f"`{kind.__name__}`", traits.group, traits.heading]
    return f"| {' | '.join([*cells, *('yes' if flag else '' for flag in flags)])} |"


def releases_page() -> str:
    """The page by hand; in the row of a version that is not released, the digest of its kinds."""
    text = (ROOT / COMPATIBILITY).read_text("utf-8")
    version = current_version(changelog())
    if is_released(version):
        return text
    row = rf"^(\| {re.escape(version)} \| \d+ \| )`[0-9a-f]*`"
    return re.sub(row, rf"\g<1>`{digest(kinds_json())}`", text, flags=re.MULTILINE)


def line_fields() -> str:
    """The order of a settled line's fields, which is an array on the wire."""
    rows = [
        f"  [{json.dumps(field.name)}, {json.dumps(None if field.required else field.default)}],"
        for field in msgspec.structs.fields(e.Line)
    ]
    return "\n".join(
        [
            "// The fields of a settled line, in the order of the wire, each with what it is where it is absent.",
            "// Generated from puntobanco_floor.domain.events.Line by `make docs`; not to be edited.",
            "export const LINE_FIELDS = [",
            *rows,
            "];",
            "",
        ]
    )


def configuration_page() -> str:
    """Every setting, from the code that reads it."""
    rows = list[str]()
    for spec in FIELDS.values():
        default = str(spec.default).lower() if isinstance(spec.default, bool) else f"{spec.default}"
        shown = f"`{default}`" if default else ""
        rows.append(f"| `{spec.name}` | {shown} | {bounds_of(spec)} | {spec.metadata['help']} |")
    return CONFIGURATION + "\n".join(rows) + "\n"


CONFIGURATION = """# Configuration

Every setting of `puntobanco serve`, written by `make docs` from `puntobanco_floor/settings.py`. A setting such as `metrics_port` can stand

1. in a TOML file, named by `--config puntobanco.toml` or `PUNTOBANCO_CONFIG`: `metrics_port = 9100`
2. in the environment: `PUNTOBANCO_METRICS_PORT=9100`
3. on the command line: `--metrics-port 9100`

and the later one wins. What is out of bounds, misspelt, or no setting at all is refused in one line, and nothing starts. The
environment takes `on`/`off`, `true`/`false`, `yes`/`no`, `1`/`0`. The address of a database with a password belongs into a file of its
own (`database_file`): neither the environment nor the list of processes shows it then.

```toml
# puntobanco.toml
database_file = "/run/secrets/database"
keys = "/run/secrets/floor.keys"
host = "0.0.0.0"
proxy = "10.0.0.5"
metrics_host = "0.0.0.0"
metrics_port = 9100
log_format = "json"
drain_s = 5
```

| setting | default | bounds | what it is |
|---|---|---|---|
"""


def game_page(game: Game, language: Language) -> str:
    lines = [
        f"# {game.title.in_(language)}",
        "",
        f"{heading(game).in_(language)}. `puntobanco rules {game.id}`",
    ]
    if language == "zh":
        lines[-1] = f"{heading(game).zh}。`puntobanco rules {game.id} --lang zh`"
    clause = "Clause" if language == "en" else "條款"
    for section in rules_page(game):
        if not section.rows:
            continue
        columns = [*(c.in_(language) for c in section.columns), clause]
        lines += [
            "",
            f"## {section.title.in_(language)}",
            "",
            f"| {' | '.join(columns)} |",
            "|---" * len(columns) + "|",
        ]
        lines += [
            f"| {' | '.join([*(c.in_(language) for c in row.cells), citation(row.clause, language)])} |"
            for row in section.rows
        ]
    return "\n".join(lines) + "\n"


# The verifier's page: the hashes in its content policy, and the SHA-256 by which it is published

VERIFIER = "packages/puntobanco-proof/src/puntobanco_proof/verifier/verify.html"
PUBLISHED = "\n## Published hashes\n"


def verifier_page() -> str:
    """verify.html with the hashes of its own script and style: nothing else in it runs."""
    text = (ROOT / VERIFIER).read_text("utf-8")
    for tag, name in (("script", "script-src"), ("style", "style-src")):
        [inside] = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        text = re.sub(f"{name} 'sha256-[^']*'", f"{name} 'sha256-{digest}'", text)
    return text


def receipts_page() -> str:
    """By hand, but for the hashes at its end."""
    above, _, _ = (ROOT / "docs/reference/receipts.md").read_text("utf-8").partition(PUBLISHED)
    rows = list[str]()
    for name in FILES:
        data = verifier_page().encode() if name == "verify.html" else read_verifier(name)
        rows.append(f"| `{name}` | `{hashlib.sha256(data).hexdigest()}` |\n")
    table = "| file | SHA-256 |\n|---|---|\n" + "".join(rows)
    return f"{above}{PUBLISHED}{HOW}\n{table}"


HOW = """What this release holds, byte for byte; floors and witnesses serve the same files at `/verify.html` and `/verify.py`. `make docs` writes
this part. Compare with `sha256sum verify.html verify.py`.
"""


def main() -> None:
    for path, text in pages():
        target = ROOT / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    if find_spec("opencc"):  # of the extra `lint`
        hans.write()


if __name__ == "__main__":
    main()
