"""Fonts on a device that has none for Chinese: the floor's, where it has some; else letters, and no empty box."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from puntobanco_floor.cli.fonts import read_characters
from tests.browser import chromium
from tests.browser.conftest import ARGUMENTS
from tests.browser.guest import Guest
from tests.support.made_fonts import are_installed, draw_font, fonts_only, fonts_to_serve
from tests.support.patience import wait_until
from tests.support.served import Served

HAN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
WIDE, PHONE = (1280, 800), (390, 844)
PATHS = ("/", "/tables/1", "/tables/4", "/tables/1/display", "/tables/4/rules")
ENGLISH_BYTES, CHINESE_BYTES = 200_000, 330_000
MOST_SHIFT = 0.03
"""Of the felt, where it is there before the fonts; a tenth is called good."""
DEJAVU = Path("/usr/share/fonts/truetype/dejavu")

# What is drawn as text, wherever it stands.
_DRAWN = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (parentElement.checkVisibility({ visibilityProperty: true })) found.push(textContent);
  }
  return found.join(" ");
}"""
_LOADED = (
    "() => [...document.fonts].filter((one) => one.status === 'loaded').map((one) => one.family)"
)
_CLS = """
  window.shifted = [];
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifted.push(
    [entry.startTime, entry.value, entry.sources.map(({ node }) => node?.nodeName + "." + node?.className).join()])))
    .observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor that serves no fonts."""
    found = Served(tmp_path_factory.mktemp("plain"), betting_ms=5_000, pause_ms=1_500)
    yield found
    found.stop()


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One that does: those of the machine, or some that are drawn here."""
    options = ("--demo", "--fonts", fonts_to_serve(tmp_path_factory.mktemp("fonts")))
    found = Served(tmp_path_factory.mktemp("floor"), *options, betting_ms=5_000, pause_ms=1_500)
    yield found
    found.stop()


@pytest.fixture(scope="module")
def bare(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser on a device with western letters alone."""
    folder = tmp_path_factory.mktemp("bare")
    fonts = DEJAVU
    if not DEJAVU.exists():
        fonts = draw_font(
            folder / "fonts" / "x.ttf", "X", read_characters()["latin"], width=600
        ).parent
    launch = browser.browser_type.launch
    found = launch(
        executable_path=chromium.executable(),
        args=ARGUMENTS,
        env={**os.environ, **fonts_only(folder, fonts)},
    )
    yield found
    found.close()


@pytest.fixture
def bare_guest(bare: Browser) -> Iterator[Callable[..., Guest]]:
    guests = list[Guest]()

    def come(floor: Served, size: tuple[int, int] = WIDE) -> Guest:
        guests.append(Guest(bare, floor, size))
        return guests[-1]

    yield come
    for guest in guests:
        guest.context.close()
    for guest in guests:
        assert guest.faults == []


def han_on(page: Page) -> set[str]:
    return set(HAN.findall(page.evaluate(_DRAWN)))


def opened(guest: Guest, path: str) -> Page:
    """Drawn, with what it asked for."""
    guest.page.goto(path)
    guest.page.wait_for_load_state("networkidle")
    expect(guest.page.locator("h1").first).not_to_have_text("puntobanco")
    return guest.page


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "telephone"])
def test_where_nobody_has_a_chinese_font_there_is_no_chinese_and_letters_stand_for_seals(
    bare_guest: Callable[..., Guest], plain: Served, size: tuple[int, int]
) -> None:
    guest = bare_guest(plain, size)
    for path in PATHS:
        page = opened(guest, path)
        expect(page.locator("html[data-han=none]")).to_have_count(1)
        assert han_on(page) == set(), path
        expect(page.locator("[data-act=language][data-lang^=zh]:visible")).to_have_count(0)
    page = opened(guest, "/tables/1")
    letters = page.locator(".han:visible").evaluate_all(
        "all => all.map((one) => getComputedStyle(one, '::before').content)"
    )
    assert {'"B"', '"P"', '"T"'} <= set(letters)


def test_a_language_that_cannot_be_written_is_not_begun_with(
    bare_guest: Callable[..., Guest], plain: Served
) -> None:
    guest = bare_guest(plain)
    guest.page.add_init_script("localStorage.setItem('language', 'zh')")
    page = opened(guest, "/tables/1")
    expect(page.locator(".now")).to_have_text(re.compile(r"^[A-Z]"))
    assert han_on(page) == set()


def test_the_floors_fonts_write_chinese_on_a_device_that_has_none(
    bare_guest: Callable[..., Guest], floor: Served
) -> None:
    guest = bare_guest(floor)
    page = opened(guest, "/tables/1")
    expect(page.locator("html:not([data-han])")).to_have_count(1)
    wait_until(lambda: {"Inter", "puntobanco Han", "puntobanco Seal"} <= loaded(page))
    assert han_on(page) <= set(read_characters()["beside"]), "a larger font would be loaded for it"
    page.locator("[data-act=language][data-lang=zh]:visible").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    chinese = han_on(page)
    assert len(chinese) > 40
    parts = read_characters()
    assert chinese <= set(parts["beside"] + parts["patrons"])


def loaded(page: Page) -> set[str]:
    return {family.strip('"') for family in page.evaluate(_LOADED)}


def test_chinese_that_was_chosen_before_is_spoken_when_the_fonts_are_there(
    bare_guest: Callable[..., Guest], floor: Served
) -> None:
    guest = bare_guest(floor)
    guest.page.add_init_script("localStorage.setItem('language', 'zh')")
    page = opened(guest, "/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.locator("h1")).to_have_text(HAN)


def test_a_device_with_a_font_of_its_own_needs_none_of_the_floor(
    guest_of: Callable[..., Guest], plain: Served
) -> None:
    page = opened(guest_of(plain), "/tables/1")
    expect(page.locator("html:not([data-han])")).to_have_count(1)
    page.locator("[data-act=language][data-lang=zh]:visible").first.click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")


@pytest.mark.parametrize(("lang", "most"), [("en", ENGLISH_BYTES), ("zh", CHINESE_BYTES)])
def test_the_first_load_is_light_with_all_its_fonts_and_they_come_after_the_first_paint(
    bare_guest: Callable[..., Guest], floor: Served, lang: str, most: int
) -> None:
    """On a device that needs every one of them."""
    guest = bare_guest(floor)
    guest.page.add_init_script(f"localStorage.setItem('language', '{lang}')")
    page = opened(guest, "/tables/1")
    expect(page.locator("html")).to_have_attribute("lang", {"en": "en", "zh": "zh-Hant"}[lang])
    wanted = {"Inter", "puntobanco Han", "puntobanco Seal"}
    wait_until(lambda: wanted <= loaded(page))
    page.wait_for_load_state("networkidle")
    loads = page.evaluate(
        """() => performance.getEntries().filter((one) => "encodedBodySize" in one)
          .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])"""
    )
    fonts = sum(size for path, size in loads if path.startswith("/fonts"))
    total = sum(size for _, size in loads)
    print(f"{lang}: {total:,} bytes in {len(loads)} answers, {fonts:,} of them fonts")
    assert {"index.css", "main.js", "fonts.css"} <= {path.rpartition("/")[2] for path, _ in loads}
    assert total < most
    begun, painted = page.evaluate(
        """() => [Math.min(...performance.getEntriesByType("resource").filter(({ name }) => new URL(name).pathname.startsWith("/fonts"))
            .map(({ startTime }) => startTime)),
          performance.getEntriesByName("first-contentful-paint")[0].startTime]"""
    )
    assert begun > painted


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "telephone"])
@pytest.mark.skipif(not are_installed(), reason="what is drawn here has no letters' widths")
def test_nothing_moves_when_the_fonts_come(
    bare_guest: Callable[..., Guest], floor: Served, size: tuple[int, int]
) -> None:
    guest = bare_guest(floor, size)
    guest.page.add_init_script(_CLS)
    page = opened(guest, "/tables/1")
    wait_until(lambda: {"Inter", "puntobanco Han", "puntobanco Seal"} <= loaded(page))
    page.wait_for_load_state("networkidle")
    asked = page.evaluate(
        "performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/fonts.css')).startTime"
    )
    shifts = [shift for shift in page.evaluate("window.shifted") if shift[0] > asked]
    print(size, shifts)
    assert sum(value for _, value, _ in shifts) < MOST_SHIFT, shifts
