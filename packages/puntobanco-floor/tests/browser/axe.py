"""axe-core on a page: what an automatic check of accessibility finds that is serious or critical."""

from importlib.resources import files

from playwright.sync_api import Page

SCRIPT = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
LEVELS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
IMPACTS = ("serious", "critical")
_RUN = """async (levels) => {
  const options = {runOnly: {type: "tag", values: levels}, resultTypes: ["violations"], preload: false};
  const {violations} = await window.axe.run(document, options);
  return violations.map(({id, impact, help, nodes}) =>
    ({id, impact, help, nodes: nodes.map(({target, failureSummary}) => `${target.join(" ")} (${failureSummary})`)}));
}"""

_FINISH = """() => document.getAnimations().filter((one) =>
  one.playState === "running" && one.effect.getTiming().iterations < 9).map((one) => one.finish()).length"""


def serious_findings(page: Page) -> list[str]:
    """A line for each violation of WCAG 2.2 A and AA that is serious or critical, with the elements it is about.

    The script is put in by the debugger, which the content policy of the page does not bind. What
    fades has no contrast yet: the page is looked at again while something was still moving.
    """
    if not page.evaluate("() => Boolean(window.axe)"):
        debugger = page.context.new_cdp_session(page)
        debugger.send("Runtime.evaluate", {"expression": SCRIPT})
        debugger.detach()
    page.evaluate(_FINISH)
    found = page.evaluate(_RUN, list(LEVELS))
    while found and page.evaluate(_FINISH):
        found = page.evaluate(_RUN, list(LEVELS))
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {' | '.join(' '.join(node.split()) for node in one['nodes'])}"
        for one in found
        if one["impact"] in IMPACTS
    ]
