"""A real browser at a served floor, and guests in it who notice whatever goes wrong on their pages."""

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from puntobanco_floor.cli.fonts import INSTALLED, read_characters
from tests.browser import chromium
from tests.browser.guest import Guest
from tests.support.made_fonts import are_installed, draw_font, fonts_only
from tests.support.patience import PATIENCE_MS
from tests.support.served import Served

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
SIZES = ((1280, 800), (390, 844))
expect.set_options(timeout=PATIENCE_MS)


def pytest_itemcollected(item: pytest.Item) -> None:
    """`make test` plays what is marked `slice`, a round on every screen; `make browser` plays all."""
    if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
        item.add_marker("browser")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With time enough to touch every spot, and to see a result while the machine has much to do."""
    found = Served(tmp_path_factory.mktemp("floor"), betting_ms=5_000, pause_ms=1_500)
    yield found
    found.stop()


@pytest.fixture(scope="session")
def device_fonts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a browser on a device that can write Chinese: by a font of the machine, or one drawn here."""
    if are_installed():
        return {}
    folder = tmp_path_factory.mktemp("device")
    draw_font(folder / "fonts" / "han.ttf", "Drawn Han", "".join(read_characters().values()))
    return fonts_only(folder, *INSTALLED, folder / "fonts")


@pytest.fixture(scope="module")
def browser(device_fonts: dict[str, str]) -> Iterator[Browser]:
    """For one file: while it is open, the event loop of Playwright is the one that runs in this thread."""
    path = missing = ""
    try:
        path = chromium.executable()
    except chromium.NoChromium as error:
        missing = str(error)
    if missing:
        pytest.fail(missing, pytrace=False)  # one line, without the error behind it
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=path, args=ARGUMENTS, env={**os.environ, **device_fonts}
        )
        yield found
        found.close()


@pytest.fixture
def guest_of(browser: Browser) -> Iterator[Callable[[Served, tuple[int, int]], Guest]]:
    """A guest with a screen of a given size; at the end every page must have been without fault."""
    guests = list[Guest]()

    def come(floor: Served, size: tuple[int, int] = SIZES[0]) -> Guest:
        guests.append(Guest(browser, floor, size))
        return guests[-1]

    yield come
    for guest in guests:
        guest.context.close()
    for guest in guests:
        assert guest.faults == [], guest.size
        assert guest.hosts == {guest.floor.address.removeprefix("http://")}


@pytest.fixture
def guests(guest_of: Callable[[Served, tuple[int, int]], Guest], floor: Served) -> list[Guest]:
    """One at a wide screen and one at a telephone, at the same time."""
    return [guest_of(floor, size) for size in SIZES]
