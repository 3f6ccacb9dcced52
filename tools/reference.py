"""References made from the code: the command line, the library, the HTTP API, the refusals."""

import ast
import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

import puntobanco
from puntobanco.base.characters import MAX_DEPTH
from puntobanco.base.refusal import Refusal
from puntobanco.cli import cli
from puntobanco_floor.settings import FIELDS
from puntobanco_floor.web.app import PARTS, document
from puntobanco_floor.web.problems import STATUS
from tools.modules import our_modules
from tools.tree import ROOT

GENERATED = "Generated from the code by `make docs`."


# The command line


def commands_page() -> str:
    """Every command with its arguments and options, and examples from the other pages."""
    lines = [
        "# Commands of the command line",
        "",
        "Every command of `puntobanco` with its arguments and options, as `--help` has them, and examples from the other pages.",
        f"{GENERATED} Where a command takes a GAME it takes an id, such as `six-star`, or the path of your own game file.",
        "",
    ]
    found = list(_commands(cli, ()))
    lines += ["| command | what it does |", "|---|---|"]
    lines += [f"| [`{name}`](#{_anchor(name)}) | {_help(command)} |" for name, command in found]
    shown = _examples()
    for name, command in found:
        lines += ["", f"## {name}", "", _help(command), ""]
        context = click.Context(command, info_name=f"puntobanco {name}")
        lines += ["```", *_examples_of(name, command, shown), "```", ""]
        lines += [f"`{command.get_usage(context).removeprefix('Usage: ')}`", ""]
        lines += _parameters(command, context)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip("\n") + "\n"


def _commands(group: click.Group, above: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in sorted(group.list_commands(context)):
        command = group.get_command(context, name)
        assert command is not None
        path = (*above, name)
        if isinstance(command, click.Group):
            yield from _commands(command, path)
        else:
            yield " ".join(path), command


def _anchor(name: str) -> str:
    return name.replace(" ", "-")


def _help(command: click.Command) -> str:
    return _cell(command.help or "")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _examples() -> list[str]:
    """Whatever the other pages tell somebody to type, in blocks and in sentences."""
    lines, spans = list[str](), list[str]()
    for path in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]):
        if path.name in ("commands.md", "errors.md"):
            continue
        text = path.read_text("utf-8").replace("\\\n", " ")
        lines += re.findall(r"^(?:\$ )?(puntobanco .*)$", text, re.MULTILINE)
        spans += re.findall(r"`(puntobanco [^`]+)`", text)
    return [" ".join(re.sub(r"\s+#.*| &$", "", each).split()) for each in (*lines, *spans)]


def _examples_of(name: str, command: click.Command, shown: Iterable[str]) -> list[str]:
    """The first two of the pages; else the command with what it must have."""
    whole = f"puntobanco {name}"
    own = [each for each in shown if each == whole or each.startswith(f"{whole} ")]
    plain = [each for each in own if not re.search(r"[|<>]|\.\.\.", each)]
    needed = [_needed(each) for each in command.params if each.required]
    return list(dict.fromkeys(plain))[:2] or [" ".join([whole, *needed])]


def _needed(parameter: click.Parameter) -> str:
    name = str(parameter.name).upper()
    return f"{parameter.opts[0]} {name}" if isinstance(parameter, click.Option) else name


def _parameters(command: click.Command, context: click.Context) -> Iterator[str]:
    options = [each for each in command.params if isinstance(each, click.Option)]
    has_settings = set(FIELDS) <= {each.name for each in options}
    own = [each for each in options if not has_settings or each.name not in FIELDS]
    if own:
        yield "| option | what it is | default |"
        yield "|---|---|---|"
        yield from (_option(option, context) for option in own)
        yield ""
    if has_settings:
        yield "And an option for every [setting](configuration.md)."
        yield ""


def _option(option: click.Option, context: click.Context) -> str:
    names = ", ".join(f"`{each}`" for each in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else f" {_cell(str(option.make_metavar(context)))}"
    default = option.default
    said = ""
    if option.required:
        said = "required"
    elif isinstance(default, str | int | float) and default not in (False, ""):
        said = f"`{default}`"
    return f"| {names}{value} | {_cell(option.help or '')} | {said} |"


# The library


def api_page() -> str:
    """Public names with signature and docstring, from `puntobanco.__all__`."""
    lines = [
        "# The library",
        "",
        "Every public name of `import puntobanco`, with its signature and what it says of itself.",
        f"{GENERATED}",
    ]
    homes = _homes()
    names = [name for name in puntobanco.__all__ if not name.startswith("__")]
    kinds: dict[str, Callable[[Any], bool]] = {
        "Functions": inspect.isroutine,
        "Classes": inspect.isclass,
        "Values": lambda found: not inspect.isroutine(found) and not inspect.isclass(found),
    }
    for title, is_kind in kinds.items():
        lines += ["", f"## {title}"]
        for name in sorted(names, key=str.lower):
            found = getattr(puntobanco, name)
            if is_kind(found):
                lines += ["", *_documented(name, found, homes.get(name, ""))]
    return "\n".join(lines) + "\n"


def _homes() -> dict[str, str]:
    """Where each public name is defined, as the package imports it for type checkers."""
    tree = ast.parse(Path(puntobanco.__file__).read_text("utf-8"))
    return {
        alias.asname or alias.name: node.module or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _documented(name: str, found: Any, home: str) -> Iterator[str]:
    yield f"### {name}"
    yield ""
    if inspect.isclass(found) or inspect.isroutine(found):
        yield f"```python\n{_signature(name, found)}\n```"
        yield from _prose(inspect.getdoc(found))
    else:
        yield f"A `{type(found).__name__}`."
        yield from _prose(_said_of_value(name, home))
    if inspect.isclass(found):
        members = list(_members(found))
        if members:
            yield "\n| member | |\n|---|---|"
            yield from members


class _Plain:
    """Shown as it is: `inspect` puts quotes around annotations that are text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


KEYWORD_ONLY = inspect.Parameter.KEYWORD_ONLY
LONG_DEFAULT = 30
LONG_LINE = 96


def _signature(name: str, found: Any) -> str:
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return name
    parameters = [_parameter(each) for each in signature.parameters.values()]
    returned = signature.return_annotation
    if returned in ("None", None) or inspect.isclass(found):
        returned = inspect.Signature.empty
    elif isinstance(returned, str):
        returned = _Plain(returned)
    plain = signature.replace(parameters=parameters, return_annotation=returned)
    whole = f"{name}{plain}"
    if len(whole) <= LONG_LINE:
        return whole
    shown = [str(each) for each in parameters]
    kinds = [each.kind for each in parameters]
    if KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        shown.insert(kinds.index(KEYWORD_ONLY), "*")
    inside = ",\n    ".join(shown)
    return f"{name}(\n    {inside},\n)"


def _parameter(parameter: inspect.Parameter) -> inspect.Parameter:
    annotation, default = parameter.annotation, parameter.default
    if isinstance(annotation, str):
        annotation = _Plain(annotation)
    is_long = len(repr(default)) > LONG_DEFAULT or repr(default).startswith("<")
    if default is not inspect.Parameter.empty and is_long:
        default = _Plain("...")
    return parameter.replace(annotation=annotation, default=default)


def _prose(text: str | None) -> Iterator[str]:
    """A docstring: its examples as code."""
    if text:
        parts = re.split(r"\n\n", text)
        for part in parts:
            yield ""
            is_example = part.lstrip().startswith(">>>")
            yield f"```python\n{part}\n```" if is_example else part


def _said_of_value(name: str, home: str) -> str:
    """The text below an assignment."""
    if not home:
        return ""
    source = inspect.getsource(importlib.import_module(home))
    body = ast.parse(source).body
    for node, below in pairwise(body):
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        is_it = any(isinstance(each, ast.Name) and each.id == name for each in targets)
        if is_it and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            return inspect.cleandoc(str(below.value.value))
    return ""


def _members(kind: type[object]) -> Iterator[str]:
    """Public methods and properties that the class itself documents."""
    for name, member in vars(kind).items():
        inner = member.fget if isinstance(member, property) else member
        inner = inner.__func__ if isinstance(inner, classmethod | staticmethod) else inner
        if name.startswith("_") or not inspect.isfunction(inner):
            continue
        said = re.split(r"\n\n|>>>", inspect.getdoc(inner) or "")[0]
        called = f".{name}" if isinstance(member, property) else f".{_signature(name, inner)}"
        plain = re.sub(r"\((?:\s*(?:self|cls)\b,?)\s*", "(", called).replace(",\n)", ")")
        yield f"| `{_cell(plain)}` | {_cell(said)} |"


# The HTTP API


def http_page() -> str:
    """One row an operation, from the OpenAPI document."""
    paths = json.loads(document())["paths"]
    lines = [
        "# The HTTP API",
        "",
        "Every operation, a row each, as `/api/openapi.json` of a floor describes it to programs.",
        f"{GENERATED} A program sends `Authorization: Bearer TOKEN`; a refusal is a `Problem` with one of the [codes](errors.md).",
        "",
        'A body is JSON in UTF-8, read strictly: `"1000"`, `1e3`, `1000.0` and `true` are no cents; an unknown field, a key that stands twice,',
        f"more than {MAX_DEPTH} levels, NaN, a lone surrogate, a byte order mark and hidden characters (control, bidirectional and zero-width ones; lines",
        "only in `source`) are 400 `bad-input` or `bad-text`, and nothing is done. Who asks is looked at first: a wrong body without a login is 401,",
        "without its CSRF token 403. Numbers in an address are plain digits, each name once; what an address names and is not there is 404.",
    ]
    for tag, part in PARTS.items():
        rows = [
            _operation(method, path, operation)
            for path, item in sorted(paths.items())
            for method, operation in item.items()
            if tag in operation.get("tags", ())
        ]
        if rows:
            said, _, _ = (part.__doc__ or "").partition("\n\n")
            lines += ["", f"## {tag}", "", _cell(said), ""]
            lines += ["| operation | what | takes | answers |", "|---|---|---|---|", *rows]
    return "\n".join(lines) + "\n"


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    takes = _schemas(operation.get("requestBody", {}))
    queries = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
    takes += [f"?{name}=" for name in queries]
    answers = [
        found
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        for found in _schemas(answer)
    ]
    what = _cell(operation.get("summary", ""))
    given = ", ".join(f"`{each}`" for each in takes)
    got = ", ".join(f"`{each}`" for each in answers)
    return f"| `{method.upper()} {path}` | {what} | {given} | {got} |"


def _schemas(body: dict[str, Any]) -> list[str]:
    """Names of what is sent or answered; a kind of file where it is none of ours."""
    found = list[str]()
    for kind, content in body.get("content", {}).items():
        text = str(content.get("schema", {}))
        named = re.findall(r"#/components/schemas/([^'\"]+)", text)
        if named:
            found += [each.rpartition("_")[2].rpartition(".")[2] for each in named]
        elif kind != "application/json":
            found.append(kind)
    return list(dict.fromkeys(found))


# Refusals


def errors_page() -> str:
    """Every code with its words in both languages and what to do."""
    lines = [
        "# Errors by code",
        "",
        "Every refusal has a code for programs, words for people, and something to do.",
        f"{GENERATED} Over HTTP and the wire a refusal carries `code`, `reason` in both languages and, where a rulebook decides, `clause`;",
        "the command line prints the reason in one line and ends with status 2. What a person reads is more exact than the words here:",
        "it has the figures. A status that is not named is 409.",
    ]
    for kind in refusals():
        short = kind.in_short
        words = f"**{short.en}** · {short.zh}" if short is not Refusal.in_short else ""
        status = f" (HTTP {STATUS[kind]})" if kind in STATUS else ""
        when = _cell((inspect.getdoc(kind) or "").partition("\n\n")[0])
        lines += ["", f"## {kind.code}", ""]
        lines += [words, ""] if words else []
        lines += [f"- When: {when}{status}", f"- What to do: {kind.remedy}"]
    lines += ["", *OTHERS]
    return "\n".join(lines) + "\n"


OTHERS = (
    "## fault",
    "",
    "- When: a fault in this program; nothing was taken. (HTTP 500)",
    "- What to do: Send it again with the same id; report the traceback that the log has.",
    "",
    "## bad-message",
    "",
    "- When: a message on the wire that cannot be read.",
    "- What to do: Mend the program that sent it: [the wire](wire.md) has every message.",
    "",
    "## http-4xx",
    "",
    "- When: a request that no operation takes: `http-404`, `http-405`, `http-401`, `http-429`, or an address with a wrong field (`http-400`).",
    "- What to do: Read the reason, which names the field; [the HTTP API](http.md) has every operation.",
)


def refusals() -> list[type[Refusal]]:
    """Every kind with a code of its own; what passes on another's code is none."""
    for module in our_modules():
        importlib.import_module(module)
    kinds = {kind.code: kind for kind in _below(Refusal)}
    for passed_on in ("refused", "floor-refused"):
        del kinds[passed_on]
    return [kinds[code] for code in sorted(kinds)]


def _below(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("puntobanco"):
            yield each
            yield from _below(each)
