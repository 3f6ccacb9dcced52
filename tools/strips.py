"""Strips of pictures: a round as its patron sees it, and as its dealer does, frame by frame in one picture.

What moves is stopped where the frame shows it; the frames are laid beside each other by the browser itself.
"""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING

from playwright.sync_api import CDPSession, Page, expect

from tools import story
from tools.story import bet, sit

if TYPE_CHECKING:
    from tools.pictures import Studio

FELT = {"x": 0, "y": 0, "width": 1280, "height": 728}
CONSOLE = {"x": 0, "y": 0, "width": 1280, "height": 800}
ACROSS, FRAME_PX = 2, 620

Frames = list[tuple[str, bytes]]
"""What each shows, and its picture."""

_SEEK = "(ms) => document.getAnimations().forEach((one) => { one.currentTime = ms; })"
_STYLE = """
  body{margin:0;padding:14px;background:#f6f2e6;font:600 17px/1.3 Inter,"Noto Sans",sans-serif;color:#14241d}
  main{display:grid;grid-template-columns:repeat(%d,%dpx);gap:14px} figure{margin:0} img{width:100%%;display:block;border-radius:8px}
  figcaption{padding:6px 2px 0} b{color:#966a00;margin-right:.5em}
"""


class Film:
    """Frames of one page. While it is stopped nothing moves but by `at`."""

    def __init__(self, page: Page, clip: dict[str, int]) -> None:
        self.page, self.clip, self.frames = page, clip, Frames()
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.session.send("Animation.enable")

    def stop(self) -> None:
        self.session.send("Animation.setPlaybackRate", {"playbackRate": 0})

    def run(self) -> None:
        self.session.send("Animation.setPlaybackRate", {"playbackRate": 1})

    def at(self, ms: int) -> None:
        self.page.evaluate(_SEEK, ms)

    def take(self, says: str) -> None:
        self.page.evaluate("scrollTo(0, 0)")
        asked = {"format": "png", "clip": self.clip | {"scale": FRAME_PX / self.clip["width"]}}
        shot = self.session.send("Page.captureScreenshot", asked)
        self.frames.append((says, base64.b64decode(shot["data"])))


def laid_out(studio: Studio, name: str, frames: Frames) -> None:
    """Two by two, numbered, as one picture."""
    figures = "".join(
        f'<figure><img src="data:image/png;base64,{base64.b64encode(data).decode()}" alt="">'
        f"<figcaption><b>{number}</b>{escape(says)}</figcaption></figure>"
        for number, (says, data) in enumerate(frames, start=1)
    )
    context = studio.browser.new_context(
        viewport={"width": 28 + 14 + ACROSS * FRAME_PX, "height": 400}
    )
    page = context.new_page()
    page.set_content(f"<style>{_STYLE % (ACROSS, FRAME_PX)}</style><main>{figures}</main>")
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": 28 + 14 + ACROSS * FRAME_PX, "height": height})
    studio.shoot(page, name, ms=100)
    context.close()


def patrons_round(studio: Studio) -> None:
    """Bets, a card that comes face down and is turned, a squeeze, the payout, what it came to."""
    if not "strip-patron".startswith(studio.only):
        return
    studio.do("open-bets")
    with studio.page(f"/tables/{story.TABLE}", still=False) as page:
        sit(page)
        bet(page, story.WAGERS)
        film = Film(page, FELT)
        film.take("Place your bets: chips lie on their spots")
        studio.do("close-bets")
        expect(page.locator("[data-phase=closed]")).to_be_visible()
        film.stop()
        studio.deal("3w")
        expect(page.locator("[data-slot=p1] .leaf")).to_be_visible()
        film.at(190)
        film.take("A card comes face down from the shoe")
        film.at(440)
        film.take("It is turned; the total waits until it lies there")
        film.run()
        expect(page.locator("[data-total=player]")).to_have_text("3")
        studio.deal("Lg 2e Lf 9a")
        expect(page.locator("[data-total=player]")).to_have_text("4")
        page.locator("[data-act=squeeze]:visible").click()
        studio.deal("6f")
        squeezed(page, "b3")
        film.take("Who likes squeezes the cards of the side that was backed, here with three legs")
        page.mouse.up()
        page.locator("[data-turns=b3]").click()
        expect(page.locator("[data-total=banker]")).to_have_text("6")
        film.stop()
        studio.do("settle")
        expect(page.locator("[data-payout]").first).to_be_attached()
        film.at(1_500)
        film.take("What lost has left; what won is paid beside the stake")
        film.run()
        page.wait_for_timeout(3_000)
        film.take("The chips are in the tray; each wager and the round's net are told")
        page.locator("[data-act=squeeze]:visible").click()
    laid_out(studio, "strip-patron", film.frames)


def squeezed(page: Page, slot: str) -> None:
    """Banker's third card lies on its side: its long edge is the lower one."""
    cover = page.locator(f"[data-turns={slot}]")
    expect(cover).to_be_visible()
    page.wait_for_timeout(900)  # it lies still
    box = cover.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 4
    page.mouse.move(x, y)
    page.mouse.down()
    page.wait_for_timeout(100)
    grown = cover.bounding_box()
    assert grown
    page.mouse.move(x, y - 0.74 * grown["height"], steps=5)


def dealers_round(studio: Studio) -> None:
    """The console's prompts, from opening the bets to the words that announce the result."""
    if not "strip-dealer".startswith(studio.only):
        return
    with studio.page(f"/staff/dealer/{story.TABLE}", who="dora") as page:
        film = Film(page, CONSOLE)
        page.locator(".prompt").first.wait_for()
        film.take("The prompt says the next act and its clause")
        studio.do("open-bets")
        page.wait_for_timeout(600)
        film.take("Bets are open, with their totals")
        studio.do("close-bets")
        studio.deal("3w Lg 2e Lf")
        page.wait_for_timeout(600)
        film.take("No more bets; four cards lie, and the table calls for a third")
        page.locator("[data-act=key][data-card='9a']").click()
        page.wait_for_timeout(300)
        film.take("A card by hand is shown large, and can be undone before it counts")
        expect(page.locator("pb-card[code='9a']").first).to_be_visible()
        page.wait_for_timeout(1_800)
        studio.deal("6f")
        page.wait_for_timeout(600)
        film.take("No more cards: the result as it is announced")
        studio.do("settle")
        page.wait_for_timeout(600)
        film.take("Settled; the next round can be opened")
    laid_out(studio, "strip-dealer", film.frames)
