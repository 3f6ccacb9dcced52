"""Every screen at every size that people have, in both languages: nothing overlaps, is cut, or lies beyond the edge or the fold."""

from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page, expect

from puntobanco_floor.web.screen_files import NAMES
from tests.browser.geometry import LARGER_AT, SIZES, Size, measure, resize
from tests.support.served import Served
from tools.scenes import CREDITS, SCREENS, Stage

SLICED = (Size(1280, 640), Size(768, 1024), Size(390, 844))
LANGUAGES = ("en", "zh")
Needed = dict[str, tuple[str, ...]]
ROUNDS = 12


@pytest.fixture(scope="module")
def stage(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    served = Served(tmp_path_factory.mktemp("floor"), *CREDITS, betting_ms=20_000, pause_ms=3_000)
    yield Stage(browser, served)
    served.stop()


@pytest.fixture(autouse=True)
def left_as_found(stage: Stage) -> Iterator[None]:
    yield
    stage.leave()


def faults(
    stage: Stage,
    name: str,
    sizes: Sequence[Size],
    *,
    until: str = "",
    needed: Needed | None = None,
    **kept: object,
) -> dict[str, list[str]]:
    """By state, size and language: what is wrong there."""
    screen, wrong = SCREENS[name], dict[str, list[str]]()
    needed = screen.needed if needed is None else needed
    table = stage.table(screen.game, ROUNDS) if screen.game else 0
    path, pages = screen.path.format(table=table), dict[str, Page]()
    for language in LANGUAGES:
        pages[language] = stage.page(path, who=screen.who, language=language, **kept)
        expect(pages[language].locator(screen.ready).first).to_be_visible()
    debuggers = {language: page.context.new_cdp_session(page) for language, page in pages.items()}
    for state in screen.walk(stage, table, list(pages.values())):
        for language, page in pages.items():
            for size in sizes:
                resize(page, debuggers[language], size)
                found = measure(page, needed.get(state, ()))
                if found:
                    wrong[f"{state or name}, {size.name}, {language}"] = found
        if until and state == until:
            break
    return wrong


def test_no_screen_is_forgotten() -> None:
    assert {name.split("/")[0] for name in NAMES if name.endswith(".html")} <= SCREENS.keys()


@pytest.mark.parametrize("name", SCREENS)
def test_every_screen_fits_every_size(stage: Stage, name: str) -> None:
    assert faults(stage, name, SIZES) == {}


def test_a_dealer_sees_every_key_without_scrolling(stage: Stage) -> None:
    """Of a game with five suits; where the console is stacked, on a low or narrow screen, it scrolls."""
    sizes = [size for size in SIZES if size.width > 900 and size.height > 640]
    sizes.append(Size(912, 1368))  # the narrowest that is not stacked
    needed: Needed = dict.fromkeys(("dealing", "dealt"), (".key", ".prompt", ".hands"))
    assert faults(stage, "dealer", sizes, needed=needed) == {}


SMALL_TABLETS = (Size(600, 800), Size(600, 960), Size(540, 960), Size(600, 1024), Size(620, 1100))


@pytest.mark.parametrize("name", ["terminal", "terminal-super-six-plus"])
def test_between_a_telephone_and_a_tablet_nothing_lies_over_another(
    stage: Stage, name: str
) -> None:
    assert faults(stage, name, SMALL_TABLETS, needed={}) == {}


@pytest.mark.parametrize("name", ["terminal", "lobby", "display"])
def test_larger_text_fits_as_well(stage: Stage, name: str) -> None:
    assert faults(stage, name, LARGER_AT, larger='{"on":true}') == {}


def test_high_contrast_is_read_everywhere(stage: Stage) -> None:
    for name in ("terminal", "lobby"):
        assert faults(stage, name, LARGER_AT, contrast='{"on":true}') == {}, name


@pytest.mark.parametrize("name", ["terminal", "lobby"])
def test_the_commonest_screens_fit_a_laptop_a_tablet_and_a_telephone(
    stage: Stage, name: str
) -> None:
    assert faults(stage, name, SLICED, until="betting") == {}


PLANTED = """() => {
  document.body.insertAdjacentHTML("beforeend", `<div id=planted>
    <button id=one>first button</button><button id=two>second button</button>
    <p id=cut><span>a line that is much longer than its box has room for</span></p>
    <p id=pale>pale words</p><button id=far>far below</button></div>`);
  const look = (id, style) => Object.assign(document.getElementById(id).style, style);
  look("planted", { position: "absolute", inset: "0", background: "#000", zIndex: 99 });
  look("one", { position: "absolute", left: "0", top: "0", width: "100px", height: "40px" });
  look("two", { position: "absolute", left: "60px", top: "10px", width: "100px", height: "40px" });
  look("cut", { width: "80px", overflow: "hidden", whiteSpace: "nowrap", marginTop: "80px" });
  look("pale", { color: "#222" });
  look("far", { position: "absolute", left: "0", top: "3000px" });
}"""


def test_what_lies_wrong_is_found(stage: Stage) -> None:
    """The measure, measured: planted faults of each kind, and none on the page without them."""
    page = stage.page("/enrol")
    expect(page.locator("main").first).to_be_visible()
    resize(page, page.context.new_cdp_session(page), Size(1280, 720))
    assert measure(page) == []
    page.evaluate(PLANTED)
    found = "\n".join(measure(page, ("#far", "#nowhere")))
    for said in (
        'over each other: button "first button" and button "second button"',
        'cut: span "a line that is much longer t" by p',
        'pale: p "pale words"',
        'below the fold: button "far below"',
        "not there: #nowhere",
    ):
        assert said in found
