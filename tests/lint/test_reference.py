"""The generated references leave nothing out: commands, settings, public names, operations, refusals."""

import re
from typing import get_args

import puntobanco
from puntobanco.base.refusal import Refusal
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.settings import FIELDS
from puntobanco_floor.web.app import PARTS, find_handlers
from tests.lint.test_doc_names import command_line
from tests.support.documents import DOCUMENTS, name_of
from tools import doc_index, reference
from tools.texts import HAN
from tools.tree import ROOT

KINDS = {kind.code: kind for kind in reference.refusals()}


def test_every_refusal_says_what_to_do() -> None:
    remedies = {kind.__name__: vars(kind).get("remedy", "") for kind in KINDS.values()}
    wrong = [
        f"{name}: {remedy!r}"
        for name, remedy in remedies.items()
        if not (remedy[:1].isupper() and remedy.endswith(".")) or HAN.search(remedy)
    ]
    assert not wrong, "\n".join(["each needs a `remedy`: an English sentence", *wrong])


def test_every_refusal_is_on_the_page_with_its_words() -> None:
    page = reference.errors_page()
    wrong = [
        code
        for code, kind in KINDS.items()
        if f"\n## {code}\n" not in page
        or (kind.in_short is not Refusal.in_short and kind.in_short.zh not in page)
    ]
    assert not wrong, ", ".join(wrong)


def test_every_command_and_option_is_on_the_page() -> None:
    page, wrong = reference.commands_page(), list[str]()
    for name, options in command_line().items():
        is_group = any(each.startswith(f"{name} ") for each in command_line())
        if is_group or name == "serve":
            continue
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        wanted = {each for each in options if each[0] == "-"} - {"--help", "-h"}
        if "And an option for every" not in section:
            wrong += [f"{name} {each}" for each in sorted(wanted) if f"`{each}`" not in section]
        wrong += [] if f"puntobanco {name}" in section else [name]
    assert not wrong, "\n".join(wrong)


def test_every_setting_is_on_the_page_and_has_a_sentence() -> None:
    page = (ROOT / "docs/reference/configuration.md").read_text("utf-8")
    wrong = [
        name
        for name, field in FIELDS.items()
        if f"| `{name}` |" not in page
        or not field.metadata["help"].endswith((".", "postgresql://..."))
    ]
    assert not wrong, ", ".join(wrong)


def test_every_public_name_is_on_the_page() -> None:
    page = reference.api_page()
    names = [name for name in puntobanco.__all__ if not name.startswith("__")]
    assert [name for name in names if f"\n### {name}\n" not in page] == []


def test_every_operation_is_on_the_page() -> None:
    page = reference.http_page()
    rows = re.findall(r"^\| `(?:GET|POST|DELETE) (\S+)`", page, re.MULTILINE)
    handlers = [handler for part in PARTS.values() for handler in find_handlers(part)]
    wanted = {
        path
        for handler in handlers
        if handler.include_in_schema is not False
        for path in handler.paths
    }
    plain = {re.sub(r"\{(\w+):\w+\}", r"{\1}", path) for path in wanted}
    assert plain == set(rows)


def test_every_page_has_its_kind_and_is_in_the_index() -> None:
    index, wrong = (ROOT / "docs/README.md").read_text("utf-8"), list[str]()
    for path in DOCUMENTS:
        name = name_of(path)
        if name.startswith("docs/") and name != "docs/README.md":
            kind, _, _ = name.removeprefix("docs/").partition("/")
            if kind not in doc_index.KINDS:
                wrong.append(f"{name} is no tutorial, how-to, reference, explanation")
            elif f"]({name.removeprefix('docs/')})" not in index:
                wrong.append(f"{name} is not in docs/README.md")
    assert not wrong, "\n".join(wrong)


def test_the_page_of_the_wire_has_every_message_with_its_fields_and_no_other() -> None:
    page = (ROOT / "docs/reference/wire.md").read_text("utf-8")
    messages = (*get_args(wire.FromTerminal), *get_args(wire.ToTerminal))
    missing = list[str]()
    for kind in messages:
        fields = ", ".join(f"`{name}`" for name in kind.__struct_fields__)
        row = f"| `{kind.__struct_config__.tag}` | {fields} |".replace("|  |", "| |")
        missing += [] if row in page else [row]
    assert not missing, "\n".join(missing)
    rows = re.findall(r"^\| `(\w\w+)` \|", page, re.MULTILINE)
    assert sorted(rows) == sorted(str(kind.__struct_config__.tag) for kind in messages)
