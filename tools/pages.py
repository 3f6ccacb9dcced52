"""Everything generated: `python -m tools.pages` writes it, `test_docs.py` fails when it is stale."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.golden_shoes import SHOES, shoe_text

from puntobanco import GAMES, Game
from puntobanco.definitions import OURS, Definitions
from puntobanco.floor.roles import ROLES, SEES
from puntobanco.rules.text import LANGUAGES, Language
from puntobanco.rules.words import citation, heading, rules_page
from puntobanco.settings import FIELDS, bounds_of
from puntobanco.table.phases import PHASES, SAYS
from tools import trace

ROOT = Path(__file__).parents[1]


def pages() -> Iterator[tuple[str, str]]:
    """Path from the root, and text."""
    yield "docs/rulebooks/traceability.md", trace.page()
    yield "docs/commands.md", commands_page()
    yield "docs/configuration.md", configuration_page()
    for game in GAMES.values():
        for language in LANGUAGES:
            suffix = ".md" if language == "en" else f".{language}.md"
            yield f"docs/games/{game.id}{suffix}", game_page(game, language)
    for name, shoe in SHOES.items():
        yield f"tests/golden/{name}.txt", shoe_text(*shoe)


def _yes(holds: Iterable[bool]) -> str:
    return " | ".join("yes" if each else "" for each in holds)


def commands_page(definitions: Definitions = OURS) -> str:
    """Every command in every phase: nothing is left open."""
    rows = list[str]()
    for kind in definitions.table.decides:
        phases = kind.traits.phases or PHASES
        rows.append(f"| `{kind.name()}` | {_yes(phase in phases for phase in PHASES)} |")
    said = [f"- **{phase}**: {SAYS[phase]}" for phase in PHASES]
    head = [
        "# Commands by phase",
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
        "## Who may look at it",
        "",
        f"| | {' | '.join(ROLES)} |",
        "|---" * (len(ROLES) + 1) + "|",
        *looks,
    ]
    return "\n".join([*head, *said, "", *table, "", *staff]) + "\n"


def configuration_page() -> str:
    """Every setting, from the code that reads it."""
    rows = list[str]()
    for spec in FIELDS.values():
        default = str(spec.default).lower() if isinstance(spec.default, bool) else f"{spec.default}"
        shown = f"`{default}`" if default else ""
        rows.append(f"| `{spec.name}` | {shown} | {bounds_of(spec)} | {spec.metadata['help']} |")
    return CONFIGURATION + "\n".join(rows) + "\n"


CONFIGURATION = """# Configuration

Every setting of `puntobanco serve`, written by `make docs` from `puntobanco/settings.py`. A setting such as `metrics_port` can stand

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
    clause = "Clause" if language == "en" else "條文"
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


def main() -> None:
    for path, text in pages():
        target = ROOT / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
