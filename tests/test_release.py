"""A release: one version, a dated changelog, the same bytes twice, hashes and signatures; what it refuses.

With PUNTOBANCO_SLOW=1 this tree is released for real: built twice by the pinned tools, installed, self-tested.
"""

import json
import os
import re
import shutil
import subprocess
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco.rules import definition
from puntobanco_floor.domain.snapshots import SNAPSHOT
from puntobanco_floor.integrity.release import signed_list
from puntobanco_floor.service.terminals.wire import PROTOCOL
from puntobanco_floor.store.schema_upgrade import versions
from puntobanco_proof.entry.format import VERSION
from tests.fixtures.kinds import KINDS, digest
from tests.support.documents import DOCUMENTS
from tools import release
from tools.release import CannotRelease
from tools.tree import ROOT, SOURCES

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")
NEXT = "0.9.0"
WHEEL = f"puntobanco-{NEXT}-py3-none-any.whl"


# Version and changelog


def test_pages_name_the_files_of_this_version() -> None:
    version = __version__.removesuffix(".dev0")
    for path in DOCUMENTS:
        if path.name != "CHANGELOG.md":
            text = path.read_text("utf-8")
            assert release.renamed(text, version) == text, path


def test_an_entry_gets_its_day_once() -> None:
    text = (
        "# Changes\n\n## [0.2.0] - unreleased\n### Added\n- A.\n\n## [0.1.0] - 2026-01-02\n- B.\n"
    )
    dated = release.dated(text, "0.2.0", "2026-11-16")
    assert dated == text.replace("unreleased", "2026-11-16")
    assert release.dated(dated, "0.2.0", "2026-12-24") == dated
    with pytest.raises(CannotRelease, match="has no entry"):
        release.dated(text, "0.3.0", "2026-11-16")
    empty = text.replace("- A.\n", "")
    with pytest.raises(CannotRelease, match="says nothing"):
        release.dated(empty, "0.2.0", "2026-11-16")


def test_no_version_goes_back() -> None:
    source = 'x = 1\n__version__ = "0.10.0"\n'
    assert release.versioned(source, "0.11.0") == 'x = 1\n__version__ = "0.11.0"\n'
    assert release.versioned(source, "0.10.0") == source
    with pytest.raises(CannotRelease, match=r"0\.9\.0 comes before 0\.10\.0"):
        release.versioned(source, "0.9.0")


def test_a_release_ends_the_development_of_its_version() -> None:
    source = '__version__ = "0.3.0.dev0"\n'
    assert release.versioned(source, "0.3.0") == '__version__ = "0.3.0"\n'
    with pytest.raises(CannotRelease, match=r"0\.2\.1 comes before 0\.3\.0"):
        release.versioned(source, "0.2.1")


def test_version_changelog_and_schema_name_the_same_release() -> None:
    """Between releases the version is that of the unreleased entry, with `.dev0`."""
    assert disagreements(CHANGES, __version__, rows()[-1]["release"]) == []


@pytest.mark.parametrize(
    ("changes", "version", "row"),
    [
        ("## [0.3.0] - unreleased", "0.2.0", "0.3.0"),
        ("## [0.3.0] - unreleased", "0.3.0", "0.3.0"),
        ("## [0.3.0] - 2026-12-24", "0.3.0.dev0", "0.3.0"),
        ("## [0.3.0] - unreleased", "0.3.0.dev0", "0.2.0"),
        ("## [0.4.0] - unreleased", "0.3.0.dev0", "0.3.0"),
    ],
)
def test_versions_that_disagree_are_found(changes: str, version: str, row: str) -> None:
    assert disagreements(changes, version, row)


def disagreements(changes: str, version: str, row: str) -> list[str]:
    """Compare the top entry of the changelog with the version and with the row that names the schema."""
    [(top, day), *_] = re.findall(r"^## \[(.+?)\] - (\S+)$", changes, re.MULTILINE)
    expected = f"{top}.dev0" if day == release.UNRELEASED else top
    found = list[str]()
    if version != expected:
        found.append(f"the changelog means {expected}, the version is {version}")
    if row != top:
        found.append(f"the changelog starts with {top}, the last row of releases is {row}")
    return found


def test_the_changelog_has_an_entry_for_the_next_release_or_this_one() -> None:
    [first, *_] = re.findall(r"^## \[(.+?)\] - (\S+)$", CHANGES, re.MULTILINE)
    assert release.dated(CHANGES, first[0], "2026-11-16")
    entry = CHANGES.partition(f"## [{first[0]}]")[2].partition("\n## [")[0]
    headings = re.findall(r"^### (.+)$", entry, re.MULTILINE)
    known = {"Upgrade", "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert headings[0] == "Upgrade", "what it takes to come to it is said first"
    assert set(headings) <= known


# Compatibility


def rows() -> list[dict[str, str]]:
    """The table of releases in the page on compatibility."""
    text = (ROOT / "docs/reference/compatibility.md").read_text("utf-8")
    table = [line for line in text.partition("## Releases")[2].splitlines() if line[:1] == "|"]
    cells = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in table]
    head, _, *found = cells
    return [dict(zip(head, row, strict=True)) for row in found]


def test_the_last_row_of_the_releases_is_what_this_program_writes() -> None:
    """Whoever adds a kind, a field or a migration starts the row of another release, and says how nodes come to it."""
    kinds = digest(KINDS.read_text("utf-8"))
    last = rows()[-1]
    assert {
        name: last[name] for name in ("journal", "kinds", "snapshot", "schema", "wire", "game")
    } == {
        "journal": str(VERSION),
        "kinds": kinds,
        "snapshot": str(SNAPSHOT),
        "schema": versions()[-1],
        "wire": str(PROTOCOL),
        "game": str(definition.VERSION),
    }


def test_a_release_is_rolling_only_where_nodes_of_both_understand_each_other() -> None:
    for before, after in zip(rows(), rows()[1:], strict=False):
        same = all(
            before[name] == after[name] for name in ("journal", "kinds", "snapshot", "schema")
        )
        assert after["nodes"] == ("rolling" if same else "stop"), after["release"]


# A whole release


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=R", "-c", "user.email=r@example.org"]
    subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small one, with what the tool looks at."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "R")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "r@example.org")
    root = tmp_path / "checkout"
    write(root / release.VERSION_FILE, '__version__ = "0.9.0.dev0"\n')
    write(root / release.CHANGELOG, f"# Changes\n\n## [{NEXT}] - unreleased\n- New.\n")
    write(root / "README.md", "pip install puntobanco-0.1.0-py3-none-any.whl\n")
    for project in release.PROJECTS:
        write(root / project, 'version = "0.9.0.dev0"\ndependencies = ["puntobanco==0.9.0.dev0"]\n')
    write(root / "docs" / "a.md", "nothing\n")
    write(root / release.REQUIREMENTS, "rich==1 --hash=sha256:00\n")
    git(root, "init", "--quiet")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "all")
    return root


def build(source: Path, to: Path, made_at: int) -> None:
    """As the real one: a wheel with the source's files, at that time."""
    to.mkdir()
    assert made_at > 1_700_000_000
    version = release.read_version((source / release.VERSION_FILE).read_text("utf-8"))
    for package in SOURCES:
        with zipfile.ZipFile(to / f"{package}-{version}-py3-none-any.whl", "w") as wheel:
            for name in (f"{package}/base/version.py", f"{package}-0.dist-info/RECORD"):
                info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
                wheel.writestr(info, (source / release.VERSION_FILE).read_bytes())
        (to / f"{package}-{version}.tar.gz").write_bytes(b"sdist")


def tried(to: Path, version: str) -> str:
    assert (to / f"puntobanco-{version}.files.sig").exists()
    return "{}"


def released(root: Path, to: Path, key: Path | None = None, build_: release.Build = build) -> Path:
    release.release(NEXT, to, root=root, key=key, build=build_, try_=tried)
    return to


def verified(folder: Path, name: str) -> bytes:
    public = load_pem_public_key((folder / release.PUBLIC_KEY).read_bytes())
    assert isinstance(public, Ed25519PublicKey)
    data = (folder / name).read_bytes()
    public.verify((folder / f"{name}.sig").read_bytes(), data)
    return data


def test_a_release_is_of_a_commit_that_has_its_version_and_its_day(
    checkout: Path, tmp_path: Path
) -> None:
    to = released(checkout, tmp_path / "out", tmp_path / "key.pem")
    assert f'__version__ = "{NEXT}"' in (checkout / release.VERSION_FILE).read_text("utf-8")
    assert re.search(rf"\[{NEXT}\] - 20\d\d-\d\d-\d\d\n", (checkout / "CHANGELOG.md").read_text())
    assert WHEEL in (checkout / "README.md").read_text("utf-8")
    for project in release.PROJECTS:
        text = (checkout / project).read_text("utf-8")
        assert text == f'version = "{NEXT}"\ndependencies = ["puntobanco=={NEXT}"]\n'
    assert not release._git(checkout, "status", "--porcelain")
    assert release._git(checkout, "log", "-1", "--format=%s") == f"release: {NEXT}"
    assert not release._git(checkout, "tag")
    sums = verified(to, release.SUMS).decode()
    for line in sums.splitlines():
        digits, name = line.split("  ")
        assert sha256((to / name).read_bytes()).hexdigest() == digits
    named = {line.split("  ")[1] for line in sums.splitlines()}
    assert {path.name for path in to.iterdir()} == named | {release.SUMS, f"{release.SUMS}.sig"}
    built = {f"{package}-{NEXT}-py3-none-any.whl" for package in SOURCES}
    assert {*built, f"puntobanco_floor-{NEXT}.tar.gz", f"puntobanco-{NEXT}.cdx.json"} < named
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600
    again = released(checkout, tmp_path / "again", tmp_path / "key.pem")
    assert (again / release.SUMS).read_bytes() == (to / release.SUMS).read_bytes(), "no new commit"


def test_the_list_of_files_is_the_wheels_and_only_its_key_opens_it(
    checkout: Path, tmp_path: Path
) -> None:
    to = released(checkout, tmp_path / "out")
    path, key = to / f"puntobanco-{NEXT}.files", to / release.PUBLIC_KEY
    names = sorted(f"{package}/base/version.py" for package in SOURCES)
    assert list(signed_list(path, key)) == names
    digest_ = sha256((checkout / release.VERSION_FILE).read_bytes()).hexdigest()
    assert path.read_text("utf-8") == "".join(f"{digest_}  {name}\n" for name in names)
    other = released(checkout, tmp_path / "other") / release.PUBLIC_KEY
    with pytest.raises(Refusal, match="was not signed with the key of"):
        signed_list(path, other)
    path.write_text(path.read_text("utf-8").replace("version.py", "wersion.py"), "utf-8")
    with pytest.raises(Refusal, match="was not signed with the key of"):
        signed_list(path, key)
    with pytest.raises(InvalidSignature):
        verified(to, path.name)
    with pytest.raises(Refusal, match=r"cannot read .*nowhere"):
        signed_list(tmp_path / "nowhere", key)
    with pytest.raises(Refusal, match="is no public key"):
        signed_list(path, path)


def fewer(source: Path, to: Path, made_at: int) -> None:
    build(source, to, made_at)
    (to / f"puntobanco_proof-{NEXT}-py3-none-any.whl").unlink()


def unlike(source: Path, to: Path, made_at: int) -> None:
    build(source, to, made_at)
    (to / f"puntobanco-{NEXT}.tar.gz").write_bytes(str(source).encode())


def test_what_is_not_released(checkout: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotRelease, match="'next' is no version"):
        release.release("next", tmp_path / "x", root=checkout, key=None, build=build, try_=tried)
    with pytest.raises(CannotRelease, match="built twice, and its bytes differ"):
        released(checkout, tmp_path / "unlike", build_=unlike)
    with pytest.raises(CannotRelease, match="3 wheels are to be released, 2 were built"):
        released(checkout, tmp_path / "fewer", build_=fewer)
    full = tmp_path / "full"
    write(full / "file", "")
    with pytest.raises(CannotRelease, match="is not empty"):
        released(checkout, full)
    write(checkout / "stray", "")
    with pytest.raises(CannotRelease, match=r"the checkout is not clean \(\?\? stray\)"):
        released(checkout, tmp_path / "dirty")
    (checkout / "stray").unlink()
    write(checkout / release.CHANGELOG, "# Changes\n")
    git(checkout, "commit", "--quiet", "--all", "--message", "less")
    with pytest.raises(CannotRelease, match="has no entry"):
        released(checkout, tmp_path / "unsaid")


@pytest.mark.skipif(not SLOW, reason="two builds and an installation; make slow")
def test_this_tree_is_released_for_real(checkout: Path, tmp_path: Path) -> None:
    shutil.rmtree(checkout)
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", ".venv", ".git", ".*_cache")
    shutil.copytree(ROOT, checkout, ignore=ignored)
    text = (checkout / "CHANGELOG.md").read_text("utf-8")
    write(
        checkout / "CHANGELOG.md",
        text.replace("\n## [", f"\n## [{NEXT}] - unreleased\n- New.\n\n## [", 1),
    )
    git(checkout, "init", "--quiet")
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "--message", "all")
    to = tmp_path / "out"
    release.release(
        NEXT,
        to,
        root=checkout,
        key=None,
        build=release.build_by_hatch,
        try_=release.install_and_list,
    )
    bill = json.loads((to / f"puntobanco-{NEXT}.cdx.json").read_text("utf-8"))
    names = {each["name"] for each in bill["components"]}
    assert {"numpy", "cryptography", "psycopg-binary", "puntobanco", "puntobanco-proof"} <= names
    assert not names & {"pip", "pytest", "faker"}
    for package, folder in SOURCES.items():
        with tarfile.open(to / f"{package}-{NEXT}.tar.gz") as sdist:
            assert f"{package}-{NEXT}/src/{folder.name}/__init__.py" in sdist.getnames()
    assert verified(to, release.SUMS)
    print((to / release.SUMS).read_text("utf-8"))
