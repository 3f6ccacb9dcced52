"""Whatever a document names exists: files, members of them, commands with their options, addresses, settings, kinds.

A name is a code span. What it looks like says where it has to be found; a name that looks like
nothing in particular has to be a word of the code. What belongs to somebody else is in `FOREIGN`.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import click

from puntobanco.base.refusal import Refusal
from puntobanco.cli import cli
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.events import Cards
from puntobanco_floor.domain.table.state import PHASES
from puntobanco_floor.journal.key_files import PURPOSES
from puntobanco_floor.reports import report_pages
from puntobanco_floor.reports.report_pages import Section
from puntobanco_floor.settings import FIELDS, OTHERS, PREFIX
from puntobanco_floor.web.app import PARTS, find_handlers
from puntobanco_floor.web.pages import PAGES
from puntobanco_proof.witness.http_server import HANDLERS as WITNESS_HANDLERS
from tests.support.documents import BY_HAND, blocks, name_of, paragraphs, written
from tools.tree import DISTRIBUTIONS, FLOOR, LIBRARY, PYTHONPATH, ROOT, SCREENS, SOURCES, TESTS

SECTIONS = [each for each in vars(report_pages).values() if isinstance(each, Section)]
CODE = ("packages", "tests", "tools", "benchmarks", "examples")
SMALLER_TESTS = ("attacks", "browser", "table")
FOLDERS = (
    ROOT,
    *(source.parent for source in SOURCES.values()),
    *SOURCES.values(),
    *(FLOOR / name for name in ("web", "web/screens", "web/screens/lobby", "service", "domain")),
    *(FLOOR / name for name in ("domain/table", "audit", "reports", "store", "views")),
    LIBRARY / "rules",
    *(folder.parent for folder in TESTS),
    *TESTS,
    *(ROOT / "tests" / name for name in ("lint", "support")),
    *(DISTRIBUTIONS["puntobanco_floor"] / "tests" / name for name in SMALLER_TESTS),
)
"""From where a path may be meant; the last ones where the sentence says which folder."""

_OTHERS = """
ANN ann Ann
.venv/bin HttpOnly SameSite=Strict Secure X-Forwarded-For LISTEN RECORD SELECT unnest htmlcov/ .pyc
archive_mode archive_command restore_command recovery_target_time recovery_target_action
postgresql.conf postgresql.auto.conf recovery.signal pg_basebackup process_cpu_seconds_total
openapi-python-client content_type_overrides zoneinfo sha256sum openssl tsc oxlint noImplicitAny
concurrent.futures.Executor pipx pip pytest hatchling dist/ build/site HMAC-SHA256(key tile/entries c2sp.org/tlog-proof c2sp.org/tlog-policy -- BASE64-OF-DER MAJOR.MINOR.PATCH @reproduce_failure(...) @example --hypothesis-seed=N
--numprocesses . application/octet-stream area: terminal:
witness.db /etc/systemd/system/puntobanco-witness.service
test_X.py rules/test_X.py puntobanco/rules/X.py tests/screens/NAME.test.js my_game.py game.py
"""
FOREIGN = frozenset(_OTHERS.split())
"""Of other programs, of examples, of the past."""


def spans(text: str) -> Iterator[str]:
    for paragraph in paragraphs(text):
        yield from re.findall(r"`([^`]+)`", paragraph)


# Words of the code


@cache
def words() -> frozenset[str]:
    """Names in the code and words in its texts; not what docstrings and comments say."""
    found = set[str]()
    for folder in CODE:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix == ".py" and not path.stem.startswith(("test_doc", "documents")):
                found |= _python_words(ast.parse(path.read_text("utf-8")))
            elif path.suffix in (".js", ".ts", ".css", ".html", ".json", ".toml"):
                found |= _words_of(re.sub(r"(?m)^\s*(//|\*|/\*).*$", "", path.read_text("utf-8")))
    texts = "Makefile pyproject.toml compose.yaml Containerfile package.json deploy/alerts.yml"
    for name in texts.split():
        found |= _words_of((ROOT / name).read_text("utf-8"))
    found |= {kind.name() for kind in OURS.commands}
    found |= {kind.code for kind in _refusals(Refusal)}
    return frozenset(found)


def _words_of(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*(?:-[a-z0-9]\w*)*", text)) | set(re.findall(r"\w+", text))


def _python_words(tree: ast.Module) -> set[str]:
    found = set[str]()
    said = _docstrings(tree)
    for node in ast.walk(tree):
        for _, value in ast.iter_fields(node):
            if isinstance(value, str) and id(node) not in said:
                found.add(value)
                if not value.isidentifier():  # most are
                    found |= _words_of(value)
            elif isinstance(value, list):
                found |= {each for each in value if isinstance(each, str)}
    return found


def _docstrings(tree: ast.Module) -> set[int]:
    """Texts that stand alone: docstrings of modules, classes, functions and constants."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def _refusals(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    for each in kind.__subclasses__():
        yield each
        yield from _refusals(each)


# Files


def files(span: str) -> list[Path]:
    """`views/table_view`, `web/lab.py`, `web/context.Web`, `packages/puntobanco-floor/tests/table/`."""
    found = list[Path]()
    for folder in FOLDERS:
        for name in (span, f"{span}.py", f"{span.rpartition('.')[0]}.py"):
            if "*" not in name and not name.startswith((".", "/")) and (folder / name).exists():
                found.append(folder / name)
    return found


def _is_file(name: str, folder: Path) -> bool:
    """In the repository; or one that the program writes, by a name of the code."""
    return bool(files(name)) or (folder / name).exists() or name in words()


def _is_path(span: str) -> bool:
    suffix = re.search(r"\.(py|js|md|json|jsonl|txt|css|html|pdf|pem|sig|yaml|cfg|toml|ts)$", span)
    return bool(re.fullmatch(r"[\w./-]+", span)) and ("/" in span or bool(suffix))


def _has_moved(span: str) -> bool:
    """`figures.MOVES`, `audit.round_replay.story(reader)`: a member that no module of that name has."""
    dotted = re.match(r"(?:puntobanco\.)?([a-z_][\w./]*)\.(\w+)(?:\(|$)", span)
    if dotted is None:
        return False
    ending = f"/{dotted[1].replace('.', '/')}.py"
    homes = [path for path in _modules() if path.as_posix().endswith(ending)]
    return bool(homes) and not any(_defines(path, dotted[2]) for path in homes)


@cache
def _modules() -> tuple[Path, ...]:
    return tuple(path for folder in CODE for path in (ROOT / folder).rglob("*.py"))


def _defines(path: Path, name: str) -> bool:
    """A member of a file, or of a class in it."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        return re.search(rf"\b{re.escape(name)}\b", text) is not None
    return name.rpartition(".")[2] in _defined(ast.parse(text))


def _defined(tree: ast.Module) -> set[str]:
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


# Commands


@cache
def command_line() -> dict[str, frozenset[str]]:
    """`table add` -> its options; a group has those of its commands."""
    found = dict[str, frozenset[str]]()
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        inner = command.commands if isinstance(command, click.Group) else {}
        for below, each in inner.items():
            found[f"{name} {below}"] = _options(each)
        found[name] = _options(command).union(*(_options(each) for each in inner.values()))
    return found


def _options(command: click.Command) -> frozenset[str]:
    found = set(command.get_help_option_names(click.Context(command)))
    for each in command.params:
        found |= {*each.opts, *each.secondary_opts}
    return frozenset(found)


def wrong_with_command(line: str) -> str:
    """What does not exist of `table add 3 my_game.py --dealer`, or nothing."""
    typed = line.partition("#")[0].split()
    first = typed[0]
    name = " ".join(typed[:2]) if " ".join(typed[:2]) in command_line() else first
    if name not in command_line():
        return f"no command {first}"
    is_group = any(each.startswith(f"{name} ") for each in command_line())
    if is_group and len(typed) > 1 and re.fullmatch(r"[a-z-]+", typed[1]) and typed[1][0] != "-":
        return f"no command {first} {typed[1]}"
    strange = {word.partition("=")[0] for word in typed if word.startswith("--")}
    strange -= command_line()[name]
    return f"{name} has no {', '.join(sorted(strange))}" if strange else ""


# Addresses


@cache
def addresses() -> frozenset[str]:
    """Every path that is served, each of its parameters as a star."""
    found = {*PAGES, "/odds", "/ws/{table}", "/ws/views", "/api/openapi.json"}
    for part in PARTS.values():
        for route in find_handlers(part):
            found.update(route.paths)
    return frozenset(_starred(path) for path in (*found, *WITNESS_HANDLERS))


def _starred(path: str) -> str:
    return re.sub(r"\{[^}]*\}|<\w+>|(?<=/)(?:N|\d+)(?=/|$)", "*", path)


def _is_served(path: str) -> bool:
    wanted = _starred(path.partition("?")[0])
    if wanted.startswith("..."):
        return any(each.endswith(wanted.removeprefix("...")) for each in addresses())
    if wanted.endswith("/..."):
        return any(each.startswith(wanted.removesuffix("...")) for each in addresses())
    return any(re.fullmatch(each.replace("*", "[^/]+"), wanted) for each in addresses())


# All of it


def wrong_with(span: str, folder: Path = ROOT) -> str:
    """Why a code span names nothing; or nothing."""
    span = span.strip()
    first, _, rest = span.partition(" ")
    if span in FOREIGN or first in FOREIGN or re.fullmatch(r"[0-9a-f]{12}|[0-9a-f]{64}", span):
        return ""  # the start of a hash is held by a test of its own
    if first in ("GET", "POST", "DELETE"):
        return "" if _is_served(rest) else "not served"
    if re.match(r"(\.\.\.)?/[a-z<{]?", span) and not span.endswith("*"):
        return "" if _is_served(span) else "not served"
    if first == "make":
        return _wrong_target(rest)
    if re.match(r"(\.venv/bin/)?python", first):
        return _wrong_module(span)
    if span.startswith(("$" + PREFIX, PREFIX)):
        return _wrong_variable(span)
    if (
        first == "puntobanco"
        and rest
        and not rest[0].isdigit()
        and rest not in ("game 1", "receipt 1", "mix key 1")
    ):
        return wrong_with_command(rest)
    if first in command_line() and rest:
        return wrong_with_command(span)
    if first.startswith("--"):
        known = frozenset[str]().union(*command_line().values())
        return "" if first.partition("=")[0] in known else "no such option"
    if all(_is_path(each) for each in span.split()):
        missing = [each for each in span.split() if not _is_file(each, folder)]
        return f"no file {', '.join(missing)}" if missing else ""
    if _has_moved(span):
        return "its module has no such member"
    strange = [
        word for word in re.findall(r"[A-Za-z_][\w-]*\w|[A-Za-z_]", span) if not _known(word)
    ]
    return f"no {', '.join(strange)} in the code" if strange else ""


def _known(word: str) -> bool:
    return word in words() or all(part in words() for part in word.split("-"))


def _wrong_target(rest: str) -> str:
    target = rest.partition(" ")[0]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    return "" if re.search(rf"^{target}:", makefile, re.MULTILINE) else "no such target"


def _wrong_module(span: str) -> str:
    named = re.search(r"-m ([\w.]+)", span)
    if named is None or named[1] in ("pytest", "puntobanco"):
        return ""
    below = named[1].replace(".", "/")
    names = (f"{below}.py", f"{below}/__main__.py")
    there = any((folder / name).exists() for folder in PYTHONPATH for name in names)
    return "" if there else "no such module"


def _wrong_variable(span: str) -> str:
    name = span.removeprefix("$").partition("=")[0]
    short = name.removeprefix(PREFIX)
    return (
        "" if short in OTHERS or short.lower() in FIELDS or name in words() else "no such variable"
    )


def test_every_name_in_a_document_exists() -> None:
    wrong = list[str]()
    for path in BY_HAND:
        found = {span: wrong_with(span, path.parent) for span in spans(written(path))}
        wrong += [f"{name_of(path)}: `{span}`: {why}" for span, why in found.items() if why]
    assert not wrong, "\n".join(wrong)


def test_every_command_that_a_document_shows_exists_with_its_options() -> None:
    wrong = list[str]()
    for path in BY_HAND:
        for block in blocks(written(path)):
            for line in block.replace("\\\n", " ").splitlines():
                if line.startswith("puntobanco "):
                    why = wrong_with_command(line.removeprefix("puntobanco "))
                    wrong += [f"{name_of(path)}: {line}: {why}"] if why else []
    assert not wrong, "\n".join(wrong)


_NAME = r"`_?[A-Za-z][\w.]*`"
_LISTED = re.compile(rf"`([\w./-]+)`: ((?:{_NAME}(?:, )?)+)")
_WITHIN = re.compile(rf"({_NAME}),? (?:of|in) `([\w./-]+\.(?:py|js))`")


def members(text: str) -> Iterator[tuple[str, str]]:
    """Of `path`: `name`, `name`; of `name` in `path`, `name` of `path`: the file and the member."""
    for paragraph in paragraphs(text):
        for path, listed in _LISTED.findall(paragraph):
            for name in listed.rstrip(", ").split(", "):
                yield path, name.strip("`")
        for name, path in _WITHIN.findall(paragraph):
            yield path, name.strip("`")


def test_every_member_that_is_said_to_be_in_a_file_is_there() -> None:
    strange = list[str]()
    for path in BY_HAND:
        for file, member in members(written(path)):
            homes = [each for each in files(file) if each.is_file()]
            if homes and not files(member) and not any(_defines(home, member) for home in homes):
                strange.append(f"{name_of(path)}: {file} has no {member}")
    assert not strange, "\n".join(strange)


# Nothing is left out


def test_every_command_is_documented() -> None:
    shown = " ".join(written(path) for path in BY_HAND)
    assert [name for name in command_line() if not _is_shown(name, shown)] == []


def _is_shown(name: str, text: str) -> bool:
    """`staff add`, or the rest of a list: `staff add`, `list`."""
    first, _, below = name.partition(" ")
    listed = rf"`{first} [a-z-]+`(?:, `[a-z-]+`)*, `{below}`" if below else f"`{first}`"
    return re.search(rf"\b{name}\b|{listed}", text) is not None


def test_every_screen_is_documented() -> None:
    shown = {_starred(span) for span in spans(written(ROOT / "docs/reference/screens.md"))}
    every = {_starred(page) for page in PAGES if not page.endswith(("/dealer", "/cage"))}
    assert {*every, "/odds"} - shown == set()


LISTS: tuple[tuple[str, Sequence[str]], ...] = (
    ("docs/explanation/live-table.md", PHASES),
    ("docs/explanation/live-table.md", [f"| `{name}` |" for name in Cards.__struct_fields__]),
    ("docs/how-to/operations.md", [f"| `{purpose}` |" for purpose in PURPOSES]),
    ("docs/reference/reports.md", [f"| {section.title} |" for section in SECTIONS]),
)


def test_a_list_leaves_nothing_out() -> None:
    missing = [
        f"{document}: {row}"
        for document, rows in LISTS
        for row in rows
        if row not in written(ROOT / document)
    ]
    assert not missing, "\n".join(missing)


def test_every_picture_is_shown() -> None:
    shown = written(ROOT / "docs/reference/screens.md")
    names = [path.name for path in (ROOT / "docs/screens").iterdir()]
    assert [name for name in names if f"screens/{name}" not in shown] == []


# It fails when something drifts


PLANTED = (
    "floor/gone.py",
    "floor/gone",
    "puntobanco table paint 3",
    "puntobanco serve --demonstration",
    "table add 3 --colour red",
    "--no-such-option",
    "GET /api/staff/gone",
    "/staff/gone",
    ".../gone",
    "make gone",
    "python -m tools.gone",
    "PUNTOBANCO_GONE",
    "drain_hours",
    "RoundGone",
    "figures.GONE",
    "audit.round_replay.gone(reader)",
    "declare-victory",
)


def test_a_name_that_is_not_there_is_found() -> None:
    passed = [span for span in PLANTED if not wrong_with(span)]
    assert not passed, "\n".join(passed)


def test_a_member_that_has_moved_is_found() -> None:
    text = "| 1 | `terminal/ask.js`: `tap`, `gone`, with `floor/gone` | `COMMANDS` of `table/notation.py` |"
    assert list(members(text)) == [
        ("terminal/ask.js", "tap"),
        ("terminal/ask.js", "gone"),
        ("table/notation.py", "COMMANDS"),
    ]
    assert _defines(SCREENS / "terminal/ask.js", "tap")
    assert not _defines(SCREENS / "terminal/ask.js", "gone")
    assert not _defines(FLOOR / "domain/table/decide.py", "gone")
