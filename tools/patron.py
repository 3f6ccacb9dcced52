"""What a patron does in front of a terminal, for pictures: a seat, and wagers with the chips of the tray."""

from playwright.sync_api import Page, expect
from tests.browser.guest import answered


def sit(page: Page) -> None:
    page.locator("[data-act=seat]").first.click()
    expect(page.locator("[data-meter=credits]")).not_to_have_text("–")


def bet(page: Page, wagers: dict[str, int]) -> None:
    """With the chips that are there, the largest first."""
    page.locator("[data-act=chip]").first.wait_for()
    chips = [
        int(chip.get_attribute("data-cents") or 0) for chip in page.locator("[data-cents]").all()
    ]
    for spot, cents in wagers.items():
        left = cents
        for chip in sorted(set(chips), reverse=True):
            while left >= chip:
                page.locator(f"[data-act=chip][data-cents='{chip}']").click()
                page.locator(f"[data-bet='{spot}']").click()
                left -= chip
        assert not left, f"no chips for {spot}"
    answered(page)
