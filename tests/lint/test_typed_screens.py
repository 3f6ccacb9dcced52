"""The browser's code against the server's types: a wrong name of a field is found, and a new message has its type."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from puntobanco_floor.domain.events import Event
from tools.tree import ROOT
from tools.typescript import Kind, declarations, our_messages

TSC = ROOT / "node_modules" / ".bin" / "tsc"
WEB = Path("packages/puntobanco-floor/src/puntobanco_floor/web")


class Sneezed(Event):
    """An event that no table has."""

    round: int
    loudly: bool | None = None


def test_a_new_event_is_declared_among_those_that_the_public_hears() -> None:
    known = our_messages()
    assert "Sneezed" not in declarations(known)
    heard: tuple[Kind, ...] = (*known.unions["PublicEvent"], Sneezed)
    text = declarations(replace(known, unions={**known.unions, "PublicEvent": heard}))
    assert (
        "export interface Sneezed {\n"
        '  event: "Sneezed";\n'
        "  round: number;\n"
        "  loudly: boolean | null;\n"
        "}\n"
    ) in text
    assert "| Sneezed |" in text.partition("export type PublicEvent =")[2].partition(";")[0]


def test_what_is_sent_may_leave_out_what_has_a_default() -> None:
    withdraw = (
        declarations(our_messages()).partition("export interface Withdraw {")[2].partition("}")[0]
    )
    assert "  bet: string;\n  by_cents?: number | null;\n" in withdraw


def test_a_text_in_two_languages_is_one_field_of_one_class() -> None:
    text = declarations(our_messages())
    kinds = dict(re.findall(r"export interface (\w+) \{\n(.*?)\}\n", text, re.DOTALL))
    assert re.findall(r"\w+_zh\b", text) == []
    assert [kind for kind, fields in kinds.items() if "  zh" in fields] == ["Words"]
    assert kinds["Words"] == "  en: string;\n  zh: string;\n"
    assert "Array<[string, string]>" not in text


# as it once was: the terminal read `by_hand` of a table, which has `keyed`
PLANTED = [
    ("terminal/view.js", "table.keyed.length", "table.by_hand.length", "by_hand"),
    ("terminal/changes.js", "m.v - m.events.length", "m.seq - m.event.length", "event"),
    ("dealer/reduce.js", "view.questioned ||", "view.question ||", "question"),
    (
        "cage/main.js",
        'await get("/api/staff/reports/liability")',
        '(await get("/api/me")).due',
        "due",
    ),
    ("lobby/main.js", 't: "device", device }', 't: "devices", device }', "devices"),
]


@pytest.mark.skipif(not TSC.exists(), reason="make lint installs tsc")
@pytest.mark.skipif(shutil.which("node") is None, reason="tsc runs in Node")
def test_a_wrong_field_name_is_found(tmp_path: Path) -> None:
    shutil.copytree(ROOT / WEB, tmp_path / WEB)
    shutil.copy(ROOT / "tsconfig.json", tmp_path)
    for name, right, wrong, _ in PLANTED:
        file = tmp_path / WEB / "screens" / name
        text = file.read_text()
        assert right in text, f"{name} has no {right}"
        file.write_text(text.replace(right, wrong, 1))
    done = subprocess.run(
        [TSC, "-p", tmp_path], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode != 0
    for name, _, _, said in PLANTED:
        found = [line for line in done.stdout.splitlines() if name in line and said in line]
        assert found, f"{said} in {name} passes"
