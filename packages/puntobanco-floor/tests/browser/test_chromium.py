"""Where the browser comes from, played with stand-ins: small programs in a folder that is the whole PATH."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser import chromium

Put = Callable[[str, str], str]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Puts a program on a PATH where there is nothing else; `playwright install` is a stand-in too."""
    downloaded = tmp_path / "downloaded"

    def program(name: str, script: str) -> str:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return str(path)

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    install = program("playwright", f"echo playwright >> {tmp_path}/asked; : > {downloaded}")
    monkeypatch.setattr(chromium, "BY_PLAYWRIGHT", ((install,),))
    monkeypatch.setattr(
        chromium, "_of_playwright", lambda: str(downloaded) if downloaded.exists() else None
    )
    return program


def by_apt(folder: Path, name: str = "chromium-headless-shell") -> str:
    """An apt-get that writes down what it is asked, and gives what it has when it is asked for it without questions."""
    gives = f"printf '#!/bin/sh\\n' > {folder}/{name}; /bin/chmod +x {folder}/{name}"
    return f'echo "$@ $DEBIAN_FRONTEND" >> {folder}/asked; case "$*" in *"install -y"*" {name}") {gives};; esac'


def as_user(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: number)


def test_the_one_named_goes_before_the_systems(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    put("chromium", "exit 0")
    named = put("other", "exit 0")
    monkeypatch.setenv(chromium.VARIABLE, named)
    assert chromium.provide() == named


def test_one_named_that_does_not_start_is_an_error_and_nothing_is_installed(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("chromium", "exit 0")
    put("apt-get", by_apt(tmp_path))
    monkeypatch.setenv(chromium.VARIABLE, str(tmp_path / "missing"))
    with pytest.raises(chromium.NoChromium, match=r"missing; set PUNTOBANCO_CHROMIUM"):
        chromium.provide()
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize("name", chromium.NAMES)
def test_the_systems_is_used_and_nothing_is_installed(put: Put, tmp_path: Path, name: str) -> None:
    path = put(name, "exit 0")
    put("apt-get", by_apt(tmp_path))
    assert chromium.provide() == path
    assert not (tmp_path / "asked").exists()


def test_a_script_that_only_says_where_to_get_it_is_passed_over(put: Put) -> None:
    put("chromium", "echo install the snap >&2; exit 1")
    path = put("google-chrome", "exit 0")
    assert chromium.executable() == path


def test_root_has_it_from_apt(put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user(monkeypatch, 0)
    monkeypatch.setenv(chromium.VARIABLE, "")  # names nothing
    put("apt-get", by_apt(tmp_path))
    assert chromium.provide() == str(tmp_path / "chromium-headless-shell")
    assert (tmp_path / "asked").read_text().splitlines() == [
        "-q update noninteractive",
        "-q install -y --no-install-recommends chromium-headless-shell noninteractive",
    ]


def test_a_system_without_the_shell_gives_the_whole_browser(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_user(monkeypatch, 0)
    put("apt-get", by_apt(tmp_path, "chromium"))
    assert chromium.provide() == str(tmp_path / "chromium")
    assert len((tmp_path / "asked").read_text().splitlines()) == 3


@pytest.mark.parametrize(("user", "apt"), [(1000, True), (0, False)], ids=["no root", "no apt-get"])
def test_others_have_it_from_playwright(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int, apt: bool
) -> None:
    as_user(monkeypatch, user)
    if apt:
        put("apt-get", by_apt(tmp_path))
    assert chromium.provide() == str(tmp_path / "downloaded")
    assert (tmp_path / "asked").read_text() == "playwright\n"


def test_where_apt_fails_playwright_is_asked(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_user(monkeypatch, 0)
    put("apt-get", "exit 100")
    assert chromium.provide() == str(tmp_path / "downloaded")
    assert (tmp_path / "asked").read_text() == "playwright\n"


def test_without_any_one_line_says_what_to_do(
    put: Put, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    as_user(monkeypatch, 1000)
    put("chromium", "exit 1")
    put("playwright", "exit 1")
    chromium.main()
    said = capfd.readouterr().err.splitlines()[-1]
    assert said == (
        "the browser tests need Chromium: install Chromium (as root: apt-get install chromium) "
        "or set PUNTOBANCO_CHROMIUM to its path"
    )


def test_playwrights_own_is_not_there_before_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert chromium._of_playwright() is None
