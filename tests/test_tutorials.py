"""README and tutorials are played as printed: each page in one shell, from an empty folder."""

import hmac
import re
import shutil
import subprocess
import time
from base64 import b32decode
from collections.abc import Iterator
from pathlib import Path

import pytest

from puntobanco import GAMES
from tests.support.documents import PLAYED, name_of
from tests.support.tutorials import Answer, Shell, steps
from tools.tree import ROOT

QUICKER = {"--betting 10 --pause 3": "--betting 2 --pause 1"}
"""What a person needs time for."""

STEP_S = 30
FIRST, OWN = "a password of somebody else", "a password of one's own"


class OneTime:
    """Everybody's app for one-time codes; each code is given once, and none is waited for."""

    def __init__(self) -> None:
        self._last = dict[str, int]()

    def code(self, name: str, shown: str) -> str:
        secret = re.findall(rf"Marina%3A{name}\?secret=(\w+)", shown)[-1]
        now = time.time()
        # the step before is good until this one is over: taken while there is time to type it
        earliest = int(now // STEP_S) - (now % STEP_S < STEP_S / 2)
        step = max(earliest, self._last.get(name, 0) + 1)
        while step > time.time() // STEP_S + 1:  # as a reader waits for the next one
            time.sleep(0.5)
        self._last[name] = step
        digest = hmac.digest(b32decode(secret), step.to_bytes(8, "big"), "sha1")
        at = digest[-1] & 15
        number = int.from_bytes(digest[at : at + 4], "big") & 0x7FFFFFFF
        return f"{number % 1_000_000:06}"


def who_enrols(shown: str) -> str:
    """Whose secret was shown last."""
    return str(re.findall(r"otpauth://totp/Marina%3A(\w+)", shown)[-1])


def first_code(shown: str) -> str:
    """Of a member of the staff the code that was shown; an administrator has a password."""
    found = re.findall(r"code of (?!T)(\w+), shown this once: (.+)", shown)
    return str(found[0][1]) if found else FIRST


def password(shown: str) -> str:
    return OWN if "is set up in" in shown else FIRST


def people() -> dict[str, Answer]:
    """What those who read the tutorials answer."""
    app = OneTime()
    last = re.compile(r"One-time code of (\w+)")
    return {
        r"Code, or the password that somebody else made": first_code,
        r"The code that it shows now": lambda shown: app.code(who_enrols(shown), shown),
        r"One-time code of \w+": lambda shown: app.code(last.findall(shown)[-1], shown),
        r"Code of T1": lambda shown: re.findall(r"code of T1.*once: (\S+)", shown)[-1],
        r"[^:\n]*[Pp]assword[^:\n]*|Repeat for confirmation": password,
    }


@pytest.fixture(scope="module")
def reader() -> Iterator[Shell]:
    with Shell(people()) as found:
        yield found


def put_examples(page: Path, folder: Path) -> None:
    """Copy the examples that lie beside a page."""
    if (page.parent / "examples").exists():
        shutil.copytree(page.parent / "examples", folder / "examples")


def as_printed(expected: str) -> re.Pattern[str]:
    """Three dots stand for anything."""
    return re.compile(re.escape(plain(expected)).replace(r"\.\.\.", ".*?"), re.DOTALL)


def is_as_printed(said: str, expected: str) -> bool:
    return as_printed(expected).fullmatch(plain(said)) is not None


def plain(text: str) -> str:
    """By words: a terminal and a pipe do not agree on which line comes first."""
    return " ".join(text.split())


@pytest.mark.long
@pytest.mark.parametrize("page", PLAYED, ids=name_of)
def test_a_tutorial_runs_as_printed(page: Path, reader: Shell, tmp_path: Path) -> None:
    reader.begin(tmp_path)
    put_examples(page, tmp_path)
    for step in steps(page.read_text("utf-8")):
        text = step.text
        for printed, quicker in QUICKER.items():
            text = text.replace(printed, quicker)
        if step.file:
            (tmp_path / step.file).write_text(reader.at_its_port(text), "utf-8")
        else:
            said = reader.run(text)
            assert is_as_printed(said, step.prints), f"{step.text}\n{said}"


@pytest.mark.long
def test_the_two_commands_of_the_readme_open_a_floor(reader: Shell, tmp_path: Path) -> None:
    """The first serves pages and tables; the second is what CI calls."""
    readme = (ROOT / "README.md").read_text("utf-8")
    [block] = re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)
    serve, test = (line.partition("  #")[0].strip() for line in block.splitlines())
    ci = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert test in [line.partition(" || ")[0] for line in ci]
    planned = subprocess.run(
        [*serve.split(), "--dry-run", "--no-print-directory"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    *_, demo = planned.stdout.splitlines()
    command = demo.rpartition("/")[2]
    assert f"then `{command}`" in readme, "without a clone it is the same command"
    reader.begin(tmp_path)
    reader.run(f"{command} > log 2>&1 &")
    ask = "curl --silent --retry 60 --retry-delay 1 --retry-connrefused http://127.0.0.1:8000"
    assert "<html" in reader.run(f"{ask}/")
    assert reader.run(f"{ask}/api/tables").count('"game"') >= len(GAMES)
    reader.run("kill %1; wait")


def test_another_output_than_the_printed_one_is_found() -> None:
    printed = "wrote ...\nsound: it holds"
    assert as_printed(printed).fullmatch(plain("wrote a, b\n\nsound:  it holds\n"))
    for said in (
        "wrote a\nFAULT: it fails",
        "sound: it holds",
        "wrote a\nsound: it holds\nnot proven",
    ):
        assert not as_printed(printed).fullmatch(plain(said))
