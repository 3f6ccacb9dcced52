"""`accept`, `verify`, `sbom` and `staffing` at the command line."""

import itertools
import json
from pathlib import Path

import pytest

from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house.gaming_day import DAY_MS
from puntobanco_floor.integrity import release
from puntobanco_floor.integrity.release import Program
from puntobanco_floor.reports.staffing_log import SPELL_MS, staffing
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.reader import reading
from tests.floor.test_recovery_commands import by, open_house
from tests.floor.week import FIRST, played
from tests.test_cli import Runner, run

__all__ = ["run"]

OLD = Program(release="1.0", files=3, digest="0f" * 32)
NEW = Program(release="1.1", files=3, digest="ab" * 32)


@pytest.fixture
def floor(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """A floor in this folder, with root, sue and cara."""
    monkeypatch.chdir(tmp_path)
    open_house()
    return run


def test_another_program_is_refused_until_two_people_accept_it(
    floor: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "program", lambda *_: OLD)
    assert f"digest {OLD.digest}" in floor("verify").out
    assert floor("selftest").status == 0

    monkeypatch.setattr(release, "program", lambda *_: NEW)
    said = floor.refused("serve", "--port", "1")
    assert "self-test, program: this program or one of its dependencies has changed" in said
    assert "puntobanco accept" in said
    assert "digest abababababababab was not accepted" in floor.refused("verify")
    assert "both people" in floor.refused("accept", *by("sue", "sue"))
    assert "is a cashier" in floor.refused("accept", *by("sue", "cara"))
    assert "the program is accepted" in floor("accept", *by("sue", "root")).out
    assert "already; nothing was changed" in floor.refused("accept", *by("sue", "root"))
    assert floor("selftest").status == 0
    assert floor("verify").status == 0
    monkeypatch.setattr(release, "program", lambda *_: OLD)
    assert floor("selftest").status == 0, "the way back to what was accepted before"

    listed = floor("verify", "--past").out
    assert listed.count("as accepted") == 3
    assert "was not accepted" in " ".join(listed.split())


def test_a_torn_program_and_a_checkout_are_not_accepted(
    floor: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "this is a checkout" in floor.refused("accept", *by("sue", "root"))
    assert "compared with nothing" in floor("verify").out
    said = "puntobanco_floor/journal/key_ring.py is missing"
    torn = Program("1.1", 3, said, "cd" * 32, code="missing:puntobanco_floor/journal/key_ring.py")
    monkeypatch.setattr(release, "program", lambda *_: torn)
    assert "key_ring.py is missing; install" in floor.refused("accept", *by("sue", "root"))
    with open_store("floor.db", clock=False) as store:
        assert store.house().state.programs == ()


def test_a_demonstration_is_never_locked(floor: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "program", lambda *_: OLD)
    assert floor("verify").status == 0
    monkeypatch.setattr(release, "program", lambda *_: NEW)
    assert floor("selftest", "--demo").status == 0


def test_a_changed_setting_is_said_by_verify(floor: Runner) -> None:
    floor("verify")
    Path("floor.toml").write_text("port = 8001\n")
    assert "CHANGED since the last check" in floor("verify", "--config", "floor.toml").out
    assert "as at the last check" in floor("verify", "--config", "floor.toml").out
    Path("floor.toml").write_text("# a byte\nport = 8001\n")
    assert "CHANGED since the last check" in floor("verify", "--config", "floor.toml").out


# The bill of materials


def test_the_bill_of_materials_names_every_dependency_once_and_is_the_same_each_time(
    run: Runner,
) -> None:
    said = run("sbom").out
    assert said == run("sbom").out
    found = json.loads(said)
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.5")
    assert found["metadata"]["component"]["name"] == "puntobanco"
    names = [each["name"] for each in found["components"]]
    assert sorted(set(names)) == names
    assert {"msgspec", "starlette", "cryptography", "h11", "llvmlite", "cffi"} <= set(names)
    assert not {"pytest", "mypy", "ruff", "playwright"} & set(names), "nothing of development"
    refs = {each["bom-ref"] for each in [found["metadata"]["component"], *found["components"]]}
    for each in found["dependencies"]:
        assert {each["ref"], *each["dependsOn"]} <= refs


def test_what_comes_by_an_extra_of_a_dependency_is_a_dependency(run: Runner) -> None:
    """`psycopg[binary]`: the compiled driver of the database was in no list, and not compared."""
    found = json.loads(run("sbom").out)
    depends = {each["ref"]: each["dependsOn"] for each in found["dependencies"]}
    assert "pypi:psycopg" in depends["pypi:puntobanco"]
    assert "pypi:psycopg-binary" in depends["pypi:psycopg"]
    assert "psycopg-binary" in [each["name"] for each in found["components"]]


# The staffing log


def test_the_staffing_log_says_who_dealt_supervised_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    played(path)
    staff: dict[str, Role] = {
        "dora": "dealer",
        "sue": "supervisor",
        "sam": "supervisor",
        "carl": "cashier",
    }
    start = int(FIRST.timestamp() * 1000)
    with reading(str(path)) as reader:
        found = staffing(reader, staff, start=start, end=start + 7 * DAY_MS)
    work = {(each.person, each.work) for each in found}
    assert {("dora", "dealt"), ("sue", "supervised"), ("carl", "counted")} <= work
    assert {each.person for each in found} <= set(staff), "no patron, no clock, no node"
    for each in found:
        assert start <= each.since <= each.until < start + 7 * DAY_MS
        assert each.acts >= 1
    spells = [each for each in found if (each.person, each.work) == ("dora", "dealt")]
    for place in {each.place for each in spells}:
        own = [each for each in spells if each.place == place]
        for one, next_ in itertools.pairwise(own):
            assert next_.since - one.until > SPELL_MS
