"""`make screenshots ALL=1`: every screen in every state at every size, in both languages, and a contact sheet of each screen.

`python -m tools.every_size terminal lobby --to FOLDER` makes only those named. Nothing of it is kept in the repository.
"""

import argparse
import base64
import html
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, expect, sync_playwright

from tests.browser import chromium
from tests.browser.conftest import ARGUMENTS
from tests.browser.geometry import LARGER_AT, SIZES, Size, resize
from tests.support.patience import PATIENCE_MS
from tests.support.served import Served
from tools.pictures import QUALITY
from tools.scenes import CREDITS, SCREENS, Stage

OUT = Path(__file__).parents[1] / "build" / "screens"
ROUNDS = 37
SEEN = ("terminal", "lobby")
"""Of these also larger text, at some sizes, and high contrast."""
SHEET = """<style>body{margin:0;padding:16px;background:#3a3f3d;color:#fff;font:15px/1.3 sans-serif;width:2360px}
h2{margin:18px 0 6px;font-size:20px}section{display:flex;flex-wrap:wrap;gap:12px;align-items:flex-end}
figure{margin:0}img{display:block;border:1px solid #000}</style>"""


@dataclass(frozen=True)
class Shot:
    row: str
    size: Size
    print: str
    """The picture as it lies on the contact sheet, as base64."""

    @property
    def figure(self) -> str:
        picture = f'<img height="{height_of(self.size)}" src="data:image/webp;base64,{self.print}">'
        return f"<figure>{picture}<figcaption>{self.size.name}</figcaption></figure>"


def height_of(size: Size) -> int:
    """High screens are shown higher, so that both kinds can be read."""
    return 190 if size.width > size.height else 340


def photographed(debugger: CDPSession, size: Size, height: int) -> str:
    """What the page shows, so high, as base64."""
    whole = {"x": 0, "y": 0, "width": size.width, "height": size.height}
    clip = {**whole, "scale": height / size.height}
    given = {"format": "webp", "quality": QUALITY, "clip": clip}
    data: str = debugger.send("Page.captureScreenshot", given)["data"]
    return data


def shots_of(stage: Stage, name: str, folder: Path) -> list[Shot]:
    """One walk through the screen with a page for each language and look; the pictures are written as they are taken."""
    screen, shots = SCREENS[name], list[Shot]()
    table = stage.table(screen.game, ROUNDS) if screen.game else 0
    looks: dict[str, tuple[str, dict[str, str], tuple[Size, ...]]] = {
        "English": ("en", {}, SIZES),
        "Chinese": ("zh", {}, SIZES),
    }
    if name in SEEN:
        looks["larger text"] = ("en", {"larger": '{"on":true}'}, LARGER_AT)
        looks["high contrast"] = ("en", {"contrast": '{"on":true}'}, LARGER_AT)
    pages = dict[str, Page]()
    for look, (language, kept, _) in looks.items():
        path = screen.path.format(table=table)
        pages[look] = stage.page(path, who=screen.who, language=language, **kept)
        expect(pages[look].locator(screen.ready).first).to_be_visible()
    for state in screen.walk(stage, table, list(pages.values())):
        for look, page in pages.items():
            debugger = page.context.new_cdp_session(page)
            for size in looks[look][2]:
                resize(page, debugger, size)
                row = ", ".join(filter(None, (state, look)))
                shots.append(Shot(row, size, photographed(debugger, size, height_of(size))))
                file = f"{row}, {size.width}x{size.height}".replace(", ", "-").replace(" ", "-")
                whole = photographed(debugger, size, size.height)
                (folder / f"{file}.webp").write_bytes(base64.b64decode(whole))
            debugger.detach()
    return shots


def contact_sheet(browser: Browser, name: str, shots: list[Shot], to: Path) -> None:
    """One picture of a screen: a row for each state and look, a labelled print for each size."""
    rows = dict.fromkeys(shot.row for shot in shots)
    prints = {row: "".join(shot.figure for shot in shots if shot.row == row) for row in rows}
    body = "".join(
        f"<h2>{html.escape(f'{name}: {row}')}</h2><section>{prints[row]}</section>" for row in rows
    )
    page = browser.new_page(viewport={"width": 2392, "height": 900})
    page.set_content(SHEET + body)
    page.evaluate("Promise.all([...document.images].map((one) => one.decode()))")
    page.screenshot(path=to, full_page=True, timeout=PATIENCE_MS)
    page.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", choices=[[], *SCREENS], help="screens, all by default")
    parser.add_argument("--to", type=Path, default=OUT, help="the folder, build/screens by default")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(Path(folder), *CREDITS, betting_ms=20_000, pause_ms=3_000)
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=ARGUMENTS)
        try:
            stage = Stage(browser, served)
            for name in args.only or SCREENS:
                (args.to / name).mkdir(parents=True, exist_ok=True)
                shots = shots_of(stage, name, args.to / name)
                stage.leave()
                contact_sheet(browser, name, shots, args.to / f"{name}.png")
                print(f"{name}: {len(shots)} pictures, {args.to / name}.png")
        finally:
            browser.close()
            served.stop()


if __name__ == "__main__":
    main()
