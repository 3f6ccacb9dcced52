"""A release: `python -m tools.release 0.2.0 --to folder`, or `make release VERSION=0.2.0 TO=folder`.

From a clean checkout whose changelog has an entry for the version. It sets the version, dates the
entry, commits both, and builds from that commit alone:

    puntobanco-0.2.0-py3-none-any.whl, puntobanco-0.2.0.tar.gz   built twice: the same bytes
    puntobanco_proof-..., puntobanco_floor-...                   the same of the other two
    puntobanco-0.2.0.cdx.json     what a node is installed with (CycloneDX)
    puntobanco-0.2.0.files, .sig  every file of the three packages, as `sha256sum` lists, signed
    requirements.txt              the dependencies of a node, by their hashes
    release-key.pem               the public key of the signatures
    SHA256SUMS, .sig              all of these

The private key (Ed25519, PEM) is `--key FILE`, made there where nothing is. Without `--key` one is
made, used and forgotten: such a release can be tried, and nobody can sign the next with its key.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from puntobanco.base.private_files import open_private
from puntobanco.base.version import DISTRIBUTIONS as OURS
from puntobanco_floor.integrity.release import SIGNATURE, is_own
from tools.tree import DISTRIBUTIONS, ROOT

NAME = "puntobanco"
VERSION_FILE = Path("packages/puntobanco/src/puntobanco/base/version.py")
PROJECTS = [folder.relative_to(ROOT) / "pyproject.toml" for folder in DISTRIBUTIONS.values()]
CHANGELOG = Path("CHANGELOG.md")
SUMS = "SHA256SUMS"
PUBLIC_KEY = "release-key.pem"
REQUIREMENTS = Path("requirements.txt")
BUILD_REQUIREMENTS = Path("deploy/build-requirements.txt")
UNRELEASED = "unreleased"

Build = Callable[[Path, Path, int], None]
"""The source, the folder for wheel and sdist, the time that they are to carry."""

Try = Callable[[Path, str], str]
"""The folder of a release and its version: installs it, and gives its bill of materials."""


class CannotRelease(Exception):
    """Why not, in one line."""


def release(
    version: str, to: Path, *, root: Path, key: Path | None, build: Build, try_: Try
) -> None:
    """Everything but the tag."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise CannotRelease(f"{version!r} is no version; write it as 0.2.0")
    _verify_clean(root)
    to.mkdir(parents=True, exist_ok=True)
    if any(to.iterdir()):
        raise CannotRelease(f"{to} is not empty")
    _set(root, version)
    made_at = int(_git(root, "log", "-1", "--format=%ct"))
    with tempfile.TemporaryDirectory(prefix="pb") as folder:
        built = [Path(folder, name) for name in ("once", "twice")]
        for each in built:
            source = each / "source"
            _export(root, source)
            build(source, each / "dist", made_at)
        _verify_same(*(each / "dist" for each in built))
        for path in sorted((built[0] / "dist").iterdir()):
            shutil.copyfile(path, to / path.name)
    _complete(root, version, to, _private_key(key), try_)


def _complete(root: Path, version: str, to: Path, key: Ed25519PrivateKey, try_: Try) -> None:
    """What goes beside wheel and sdist; the sums last, since they name all the rest."""
    name = f"{NAME}-{version}"
    shutil.copyfile(root / REQUIREMENTS, to / REQUIREMENTS.name)
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (to / PUBLIC_KEY).write_bytes(public)
    listed = to / f"{name}.files"
    listed.write_text(files_of(wheels(to)), "utf-8")
    _sign(listed, key)
    (to / f"{name}.cdx.json").write_text(try_(to, version), "utf-8")
    sums = [f"{_sha256(path.read_bytes())}  {path.name}\n" for path in sorted(to.iterdir())]
    (to / SUMS).write_text("".join(sums), "utf-8")
    _sign(to / SUMS, key)


# Version and changelog


def dated(changelog: str, version: str, day: str) -> str:
    """The entry of a version with this day in its heading; one that has a day keeps it."""
    heading = re.compile(rf"^## \[{re.escape(version)}\] - (\S+)$", re.MULTILINE)
    found = heading.search(changelog)
    if found is None:
        raise CannotRelease(
            f"{CHANGELOG} has no entry `## [{version}] - {UNRELEASED}`: say what is new, and what "
            "it breaks"
        )
    entry = changelog[found.end() :].partition("\n## ")[0]
    if not re.search(r"^- ", entry, re.MULTILINE):
        raise CannotRelease(f"the entry of {version} in {CHANGELOG} says nothing")
    if found[1] != UNRELEASED:
        return changelog
    return changelog[: found.start(1)] + day + changelog[found.end(1) :]


def versioned(source: str, version: str) -> str:
    """Set the version of the module; a version lower than the one there is refused."""
    before = read_version(source)
    if _numbers(version) < _numbers(before.removesuffix(".dev0")):
        raise CannotRelease(f"{version} comes before {before.removesuffix('.dev0')}")
    return source.replace(f'"{before}"', f'"{version}"')


def read_version(source: str) -> str:
    """Read the version from the text of its module."""
    found = re.search(r'^__version__ = "(\d+\.\d+\.\d+(?:\.dev0)?)"$', source, re.MULTILINE)
    assert found is not None, f"{VERSION_FILE} has no line of that shape"
    return found[1]


def pinned(project: str, before: str, version: str) -> str:
    """Set the version of a pyproject, and of our own distributions that it requires.

    >>> pinned('version = "0.2.0.dev0"\\ndependencies = ["puntobanco==0.2.0.dev0"]', "0.2.0.dev0", "0.2.0")
    'version = "0.2.0"\\ndependencies = ["puntobanco==0.2.0"]'
    """
    return project.replace(f'version = "{before}"', f'version = "{version}"').replace(
        f'=={before}"', f'=={version}"'
    )


def renamed(text: str, version: str) -> str:
    """Replace the version in the names of release files on a page.

    >>> renamed("pip install puntobanco_floor-0.1.0-py3-none-any.whl", "0.2.0")
    'pip install puntobanco_floor-0.2.0-py3-none-any.whl'
    """
    return re.sub(rf"({NAME}\w*)-\d+\.\d+\.\d+(?=[-.][a-z])", rf"\g<1>-{version}", text)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def _set(root: Path, version: str) -> None:
    """Version, changelog and pages; what was changed is committed, lest the release be of no
    commit. A release that is tried again finds all of it done.
    """
    day = datetime.now(UTC).date().isoformat()
    source = (root / VERSION_FILE).read_text("utf-8")
    changed = {
        CHANGELOG: dated((root / CHANGELOG).read_text("utf-8"), version, day),
        VERSION_FILE: versioned(source, version),
    }
    for project in PROJECTS:
        text = (root / project).read_text("utf-8")
        changed[project] = pinned(text, read_version(source), version)
    pages = [*root.glob("*.md"), *root.glob("packages/*/README.md"), *root.glob("docs/**/*.md")]
    for page in sorted(pages):
        if page.name != CHANGELOG.name:
            changed[page.relative_to(root)] = renamed(page.read_text("utf-8"), version)
    for path, text in changed.items():
        (root / path).write_text(text, "utf-8")
    if _git(root, "status", "--porcelain"):
        _git(root, "commit", "--quiet", "--all", "--message", f"release: {version}")


# Git


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CannotRelease(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def _verify_clean(root: Path) -> None:
    changed = _git(root, "status", "--porcelain")
    if changed:
        first = changed.splitlines()[0]
        raise CannotRelease(f"the checkout is not clean ({first}): commit or remove it first")


def _export(root: Path, folder: Path) -> None:
    """The files of the commit, and nothing that lies beside them."""
    folder.mkdir(parents=True)
    archive = folder.with_suffix(".tar")
    _git(root, "archive", "--format=tar", f"--output={archive}", "HEAD")
    with tarfile.open(archive) as files:
        if hasattr(tarfile, "data_filter"):  # the first releases of 3.11 have none
            files.extraction_filter = staticmethod(tarfile.data_filter)
        files.extractall(folder)


# Build


def build_by_hatch(source: Path, to: Path, made_at: int) -> None:
    """Build wheels and sdists by the pinned build tools, in an environment of their own."""
    with tempfile.TemporaryDirectory(prefix="pb") as folder:
        python = _environment(Path(folder), source / BUILD_REQUIREMENTS)
        words = [python, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(to)]
        for project in PROJECTS:
            _run(words, folder=(source / project).parent, SOURCE_DATE_EPOCH=str(made_at))


def install_and_list(to: Path, version: str) -> str:
    """Install the release as a node does, run its self-test, and list what is installed."""
    name = f"{NAME}-{version}"
    with tempfile.TemporaryDirectory(prefix="pb") as folder:
        python = _environment(Path(folder), to / REQUIREMENTS.name)
        _pip(python, "--no-deps", "--no-index", *map(str, wheels(to)))
        ours = [python, "-m", NAME]
        signed = ["--release-list", f"{to}/{name}.files", "--release-key", f"{to}/{PUBLIC_KEY}"]
        _run([*ours, "selftest", "--database", f"{folder}/floor.db", *signed])
        return bill_of_materials(python)


def bill_of_materials(python: str) -> str:
    """List what an environment holds, as CycloneDX; the same environment gives the same bytes."""
    project = str(DISTRIBUTIONS["puntobanco_floor"] / "pyproject.toml")
    words = ["cyclonedx_py", "environment", "--output-reproducible", "--pyproject", project, python]
    return _run([sys.executable, "-m", *words])


def _environment(folder: Path, requirements: Path) -> str:
    """Make an environment without pip, which is no part of what is released."""
    venv.create(folder)
    python = str(folder / "bin" / "python")
    _pip(python, "--require-hashes", "--requirement", str(requirements))
    return python


def _pip(python: str, *words: str) -> None:
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    _run([*pip, "install", "--quiet", *words])


def _run(words: list[str], *, folder: Path | None = None, **environment: str) -> str:
    # of nobody's checkout: what is installed is tried
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        words,
        cwd=folder,
        env={**own, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CannotRelease(f"{' '.join(words)} failed: {(done.stderr or done.stdout)[-800:]}")
    return done.stdout


def _verify_same(one: Path, other: Path) -> None:
    names = sorted(path.name for path in one.iterdir())
    for name in names:
        if (one / name).read_bytes() != (other / name).read_bytes():
            raise CannotRelease(f"{name} was built twice, and its bytes differ")


# Hashes and signatures


def wheels(folder: Path) -> list[Path]:
    """Find the wheels of our distributions; none may be missing."""
    found = [path for package in OURS.values() for path in folder.glob(f"{package}-*.whl")]
    if len(found) != len(OURS):
        raise CannotRelease(f"{len(OURS)} wheels are to be released, {len(found)} were built")
    return found


def files_of(built: Iterable[Path]) -> str:
    """List our packages' files in wheels, as `sha256sum` would where they are installed."""
    lines = list[str]()
    for wheel in built:
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if is_own(name)]
            lines += [f"{_sha256(archive.read(name))}  {name}\n" for name in names]
    return "".join(sorted(lines, key=lambda line: line.partition("  ")[2]))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _private_key(path: Path | None) -> Ed25519PrivateKey:
    if path is None:
        return Ed25519PrivateKey.generate()
    if not path.exists():
        made = Ed25519PrivateKey.generate()
        pem = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        with os.fdopen(open_private(path, os.O_WRONLY | os.O_EXCL), "wb") as file:
            file.write(pem)
    key = load_pem_private_key(path.read_bytes(), password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise CannotRelease(f"{path} is no Ed25519 key")
    return key


def _sign(path: Path, key: Ed25519PrivateKey) -> None:
    path.with_name(path.name + SIGNATURE).write_bytes(key.sign(path.read_bytes()))


def main(arguments: list[str]) -> str:
    """What to say at the end; a tag only where it was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("version")
    parser.add_argument("--to", type=Path, help="an empty folder; by default a temporary one")
    parser.add_argument("--key", type=Path, help="the private key; made where nothing is")
    parser.add_argument("--tag", action="store_true", help="tag the commit")
    given = parser.parse_args(arguments)
    to = given.to or Path(tempfile.mkdtemp(prefix="puntobanco-release-"))
    release(
        given.version, to, root=ROOT, key=given.key, build=build_by_hatch, try_=install_and_list
    )
    tag = ["tag", "--annotate", f"v{given.version}", "--message", f"{NAME} {given.version}"]
    if given.tag:
        _git(ROOT, *tag)
    sums = (to / SUMS).read_text("utf-8")
    words = " ".join(f"'{word}'" if " " in word else word for word in tag)
    return f"{to}\n{sums}" + ("" if given.tag else f"to tag it: git {words}\n")


if __name__ == "__main__":
    try:
        print(main(sys.argv[1:]), end="")
    except CannotRelease as why:
        sys.exit(f"cannot release: {why}")
