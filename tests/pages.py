"""Everything generated: `python -m tests.pages` writes it, `test_docs.py` fails when it is stale."""

from collections.abc import Iterator
from pathlib import Path

from puntobanco import GAMES, Game
from puntobanco.cage.commands import CAGE_COMMANDS
from puntobanco.floor.staff import MAY, ROLES, SEES
from puntobanco.house.commands import HOUSE_COMMANDS
from puntobanco.rules.text import LANGUAGES, Language
from puntobanco.rules.words import citation, heading, rules_page
from puntobanco.table.phases import ALLOWED, PHASES, SAYS
from tests import trace
from tests.golden_shoes import SHOES, shoe_text

ROOT = Path(__file__).parents[1]


def pages() -> Iterator[tuple[str, str]]:
    """Path from the root, and text."""
    yield "docs/rulebooks/traceability.md", trace.page()
    yield "docs/commands.md", commands_page()
    for game in GAMES.values():
        for language in LANGUAGES:
            suffix = ".md" if language == "en" else f".{language}.md"
            yield f"docs/games/{game.id}{suffix}", game_page(game, language)
    for name, shoe in SHOES.items():
        yield f"tests/golden/{name}.txt", shoe_text(*shoe)


def commands_page() -> str:
    """Every command in every phase: nothing is left open."""
    rows = [
        f"| `{command.name()}` | {' | '.join('yes' if phase in allowed else '' for phase in PHASES)} |"
        for command, allowed in ALLOWED.items()
    ]
    phases = [f"- **{phase}**: {SAYS[phase]}" for phase in PHASES]
    head = ["# Commands by phase", "", "Where a cell is empty the command is refused, with the reason in words.", ""]
    table = [f"| command | {' | '.join(PHASES)} |", "|---" * (len(PHASES) + 1) + "|", *rows]
    who = [
        f"| `{command.name()}` | {' | '.join('yes' if command in MAY[role] else '' for role in ROLES)} |"
        for command in (*ALLOWED, *HOUSE_COMMANDS, *CAGE_COMMANDS)
    ]
    looks = [f"| {what} | {' | '.join('yes' if role in SEES[what] else '' for role in ROLES)} |" for what in SEES]
    staff = [
        "## Who of the staff may give it",
        "",
        f"| command | {' | '.join(ROLES)} |",
        "|---" * (len(ROLES) + 1) + "|",
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
    return "\n".join([*head, *phases, "", *table, "", *staff]) + "\n"


def game_page(game: Game, language: Language) -> str:
    lines = [f"# {game.title.in_(language)}", "", f"{heading(game).in_(language)}. `puntobanco rules {game.id}`"]
    if language == "zh":
        lines[-1] = f"{heading(game).zh}。`puntobanco rules {game.id} --lang zh`"
    clause = "Clause" if language == "en" else "條文"
    for section in rules_page(game):
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
