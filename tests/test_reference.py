"""The generated references leave nothing out: commands, public names, operations, refusals."""

import re

import pytest
from tools import doc_index, reference
from tools.texts import HAN

import puntobanco
from puntobanco.base.refusal import Refusal
from puntobanco_floor.web.app import PARTS
from tests.support.documents import DOCUMENTS, ROOT, name_of
from tests.test_doc_names import command_line

KINDS = {kind.code: kind for kind in reference.refusals()}


@pytest.mark.parametrize("code", KINDS)
def test_every_refusal_says_what_to_do(code: str) -> None:
    remedy = vars(KINDS[code]).get("remedy", "")
    assert remedy, f"{KINDS[code].__name__} needs a `remedy`: what to do, in a sentence"
    assert remedy[0].isupper()
    assert remedy.endswith(".")
    assert not HAN.search(remedy)


def test_every_refusal_is_on_the_page_with_its_words() -> None:
    page = reference.errors_page()
    for code, kind in KINDS.items():
        assert f"\n## {code}\n" in page
        if kind.in_short is not Refusal.in_short:
            assert kind.in_short.zh in page


def test_every_command_and_option_is_on_the_page() -> None:
    page = reference.commands_page()
    for name, options in command_line().items():
        is_group = any(each.startswith(f"{name} ") for each in command_line())
        if is_group or name == "serve":
            continue
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        wanted = {each for each in options if each[0] == "-"} - {"--help", "-h"}
        if "And an option for every" not in section:
            assert wanted == {each for each in wanted if f"`{each}`" in section}, name
        assert f"puntobanco {name}" in section


def test_every_public_name_is_on_the_page() -> None:
    page = reference.api_page()
    names = [name for name in puntobanco.__all__ if not name.startswith("__")]
    assert [name for name in names if f"\n### {name}\n" not in page] == []


def test_every_operation_is_on_the_page() -> None:
    page = reference.http_page()
    rows = re.findall(r"^\| `(?:GET|POST|DELETE) (\S+)`", page, re.MULTILINE)
    handlers = [handler for part in PARTS.values() for handler in part.HANDLERS]
    wanted = {
        path
        for handler in handlers
        if handler.include_in_schema is not False
        for path in handler.paths
    }
    plain = {re.sub(r"\{(\w+):\w+\}", r"{\1}", path) for path in wanted}
    assert plain == set(rows)


def test_every_page_has_its_kind_and_is_in_the_index() -> None:
    index = (ROOT / "docs/README.md").read_text("utf-8")
    for path in DOCUMENTS:
        name = name_of(path)
        if name.startswith("docs/") and name != "docs/README.md":
            kind, _, _ = name.removeprefix("docs/").partition("/")
            assert kind in doc_index.KINDS, f"{name} is no tutorial, how-to, reference, explanation"
            assert f"]({name.removeprefix('docs/')})" in index
