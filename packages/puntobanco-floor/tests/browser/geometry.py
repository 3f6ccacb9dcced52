"""What lies wrong on a page at a size: over each other, cut, beyond the edge, below the fold, too pale to read.

One page is measured at every size: it is resized, never opened again. Measured are letters (each line of a text by itself),
controls and drawings, as far as their scrolling boxes show them.
"""

from dataclasses import dataclass

from playwright.sync_api import CDPSession, Page


@dataclass(frozen=True)
class Size:
    """A screen in CSS pixels; `scale` is what a browser's zoom makes of it."""

    width: int
    height: int
    scale: float = 1

    @property
    def name(self) -> str:
        zoomed = f" at {self.scale:.0%}" if self.scale != 1 else ""
        return f"{self.width}x{self.height}{zoomed}"


SIZES = (
    Size(1024, 768),
    Size(1280, 640),
    Size(1280, 720),
    Size(1366, 650),
    Size(1366, 768),
    Size(1536, 730),
    Size(1920, 1080),
    Size(2560, 1440),
    Size(768, 1024),
    Size(820, 1180),
    Size(1080, 1920),
    Size(390, 844),
    Size(844, 390),
    Size(640, 400, scale=2),
)
LARGER_AT = (Size(1280, 720), Size(1920, 1080), Size(820, 1180), Size(390, 844))
"""Where larger text is measured as well: a laptop, a cabinet, a tablet, a telephone."""


def resize(page: Page, debugger: CDPSession, size: Size) -> None:
    """The page at this size, drawn, with what moves at its end."""
    metrics = {"width": size.width, "height": size.height, "deviceScaleFactor": size.scale}
    debugger.send("Emulation.setDeviceMetricsOverride", {**metrics, "mobile": False})
    page.evaluate(_AT_REST, [size.width, size.height])


def measure(page: Page, needed: tuple[str, ...] = ()) -> list[str]:
    """A line for each thing that is wrong; `needed` are selectors of what must be seen whole without scrolling."""
    found: list[str] = page.evaluate(_MEASURE, list(needed))
    return found


_AT_REST = """async ([width, height]) => {
  const frame = () => new Promise(requestAnimationFrame);
  while (innerWidth !== width || innerHeight !== height) await frame();
  scrollTo(0, 0);
  await frame(), await frame(), await frame();
  for (const one of document.getAnimations()) {
    if (Number.isFinite(one.effect.getComputedTiming().endTime)) one.finish();
  }
}"""

_MEASURE = r"""(needed) => {
  const wrong = new Set(), TOLERANCE = 2;
  const styles = new Map(), styleOf = (one) => styles.get(one) ?? styles.set(one, getComputedStyle(one)).get(one);
  const parents = function* (one) { for (let at = one; at; at = at.parentElement) yield at; };
  const modal = [...document.querySelectorAll("dialog[open]:modal, .sheet:not(.over)")].at(-1);
  const over = [...document.querySelectorAll(".sheet.over")].map((sheet) => [sheet, sheet.parentElement]);
  const zoomOf = (one) => one.currentCSSZoom ?? 1;

  // Whether somebody sees it: not under a sheet, not for screen readers alone, not switched off.
  const isShown = (one) => {
    if (modal && !modal.contains(one)) return false;
    if (over.some(([sheet, felt]) => felt.contains(one) && !sheet.contains(one) && one !== felt)) return false;
    for (const at of parents(one)) {
      const style = styleOf(at);
      if (style.display === "none" || style.opacity === "0" || style.clipPath === "inset(50%)" || at.matches(".sr, .wm, .seal[aria-hidden]")) return false;
      if (at.tagName === "DETAILS" && !at.open && !at.firstElementChild?.contains(one)) return false;
    }
    return styleOf(one).visibility === "visible" && one.checkVisibility?.() !== false;
  };
  const named = (one) => {
    const label = one.getAttribute?.("data-bet") ?? one.getAttribute?.("data-act") ?? one.getAttribute?.("data-slot") ?? "";
    const text = (one.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 28);
    const kind = typeof one.className === "string" && one.className ? `.${one.className.trim().split(/\s+/)[0]}` : one.tagName.toLowerCase();
    return `${kind}${label ? `[${label}]` : ""}${text ? ` "${text}"` : ""}`;
  };
  const box = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
  const isEmpty = (r) => r.right - r.left < 1 || r.bottom - r.top < 1;
  const shared = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
  const meets = (a, b, by = TOLERANCE) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > by && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > by;

  // What of a box its ancestors let be seen. Where one that cannot be scrolled cuts it, it is cut for good.
  const seen = (one, rect, kind) => {
    let left = box(rect), isFixed = styleOf(one).position === "fixed", isAbsolute = styleOf(one).position === "absolute";
    for (const at of parents(kind === "text" ? one : one.parentElement)) {
      if (at === document.body || at === document.documentElement) break;
      const { overflowX, overflowY, position } = styleOf(at);
      const holds = !(isAbsolute && position === "static") && !isFixed;
      if (holds && (overflowX !== "visible" || overflowY !== "visible")) {
        const z = zoomOf(at), outer = at.getBoundingClientRect();
        const inner = { left: outer.left + at.clientLeft * z, top: outer.top + at.clientTop * z };
        Object.assign(inner, { right: inner.left + at.clientWidth * z, bottom: inner.top + at.clientHeight * z });
        const scrolls = (way) => way === "auto" || way === "scroll";
        const dx = Math.max(inner.left - left.left, left.right - inner.right), dy = Math.max(inner.top - left.top, left.bottom - inner.bottom);
        const across = overflowX !== "visible" && !scrolls(overflowX) && dx > TOLERANCE;
        const down = overflowY !== "visible" && !scrolls(overflowY) && dy > (kind === "text" ? (left.bottom - left.top) * .3 : TOLERANCE);
        if (across || down) { wrong.add(`cut: ${named(one)} by ${named(at).split(" ")[0]}`); return null; }
        left = shared(left, inner);
        if (isEmpty(left)) return null; // scrolled away
      }
      if (isAbsolute && position !== "static") isAbsolute = position === "absolute";
      if (position === "fixed") isFixed = true;
    }
    return left;
  };

  const things = [];
  const put = (one, rect, kind) => {
    const left = seen(one, rect, kind);
    if (left && !isEmpty(left)) things.push({ one, kind, rect: left });
  };
  const CONTROLS = "button, a[href], input:not([type=hidden]), select, textarea, summary, [role=radio], [role=tab]";
  const DRAWINGS = "pb-card, pb-road, pb-ring, .slot, .roads-panel";
  for (const one of document.querySelectorAll(`${CONTROLS}, ${DRAWINGS}`)) {
    if (!isShown(one) || !one.getClientRects().length) continue;
    put(one, one.getBoundingClientRect(), one.matches(CONTROLS) ? "control" : "drawing");
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = new Range();
  while (walk.nextNode()) {
    const node = walk.currentNode, one = node.parentElement;
    if (!node.nodeValue.trim() || one.closest("svg, script, style, noscript, option, textarea") || !isShown(one)) continue;
    const { textOverflow, overflowX } = styleOf(one);
    if (textOverflow === "ellipsis" && overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1) wrong.add(`cut: ${named(one)} ends in an ellipsis`);
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      if (line.width < 1 || line.height < 1) continue;
      const spare = line.height * .2; // above and below the letters
      put(one, { left: line.left, right: line.right, top: line.top + spare, bottom: line.bottom - spare }, "text");
    }
  }

  // Beyond the edge
  const { scrollWidth } = document.documentElement, isStill = styleOf(document.body).overflowY === "hidden";
  const widest = () => [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right >= scrollWidth - 1).at(-1);
  if (scrollWidth > innerWidth + 1) wrong.add(`the page is ${scrollWidth} wide, by ${named(widest() ?? document.body)}`);
  for (const { one, rect } of things) {
    if (rect.right > innerWidth + TOLERANCE || rect.left < -TOLERANCE) wrong.add(`off the edge: ${named(one)}`);
    if (isStill && rect.bottom > innerHeight + TOLERANCE) wrong.add(`cut: ${named(one)} by the end of a page that does not scroll`);
  }

  // Over each other. What sticks or hangs over the page lies over what is scrolled under it.
  const layer = (one) => { for (const at of parents(one)) if (["sticky", "fixed"].includes(styleOf(at).position)) return at; return null; };
  const layers = new Map(things.map(({ one }) => [one, layer(one)]));
  const isWithin = (a, b) => a.contains(b) || b.contains(a);
  const sorted = things.sort((a, b) => a.rect.top - b.rect.top);
  for (const [i, a] of sorted.entries()) {
    for (let j = i + 1; j < sorted.length && sorted[j].rect.top < a.rect.bottom - TOLERANCE; j += 1) {
      const b = sorted[j];
      const isSame = a.one === b.one && a.kind === b.kind && a.kind !== "text";
      if (isSame || (a.one === b.one ? a.kind !== b.kind : isWithin(a.one, b.one) && !(a.kind === "text" && b.kind === "text"))) continue;
      if (layers.get(a.one) !== layers.get(b.one)) continue;
      if (meets(a.rect, b.rect)) wrong.add(`over each other: ${named(a.one)} and ${named(b.one)}`);
    }
  }

  // Needed without scrolling, whole, and in front
  for (const selector of needed) {
    const every = [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length && isShown(one));
    if (!every.length) wrong.add(`not there: ${selector}`);
    for (const one of every) {
      const whole = box(one.getBoundingClientRect()), left = seen(one, whole, "control");
      const isWhole = left && ["left", "top", "right", "bottom"].every((edge) => Math.abs(left[edge] - whole[edge]) <= TOLERANCE);
      if (!isWhole || whole.bottom > innerHeight + TOLERANCE || whole.top < -TOLERANCE) wrong.add(`below the fold: ${named(one)} at ${Math.round(whole.bottom)}`);
      else {
        const there = document.elementFromPoint((whole.left + whole.right) / 2, (whole.top + whole.bottom) / 2);
        if (there && !isWithin(there, one) && !there.closest("[inert]")) wrong.add(`covered: ${named(one)} by ${named(there)}`);
      }
    }
  }

  // Too pale: against the worst of what a background is made of
  const COLOUR = /rgba?\(([^)]+)\)|color\(srgb ([^)]+)\)/g;
  const coloursIn = (text) => [...text.matchAll(COLOUR)].map(([, rgb, srgb]) => {
    const [r, g, b, a = 1] = (rgb ?? srgb).split(/[\s,/]+/).filter(Boolean).map((x) => (x.endsWith("%") ? parseFloat(x) / 100 : Number(x)));
    return srgb ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  });
  const mix = ([r, g, b, a = 1], under) => [r, g, b].map((x, i) => x * a + under[i] * (1 - a));
  const grounds = new Map();
  const groundsOf = (one) => {
    if (!one) return [[255, 255, 255]];
    if (grounds.has(one)) return grounds.get(one);
    const { backgroundColor, backgroundImage } = styleOf(one), own = coloursIn(backgroundColor)[0] ?? [0, 0, 0, 0];
    let under = own[3] === 1 ? [own.slice(0, 3)] : groundsOf(one.parentElement).map((at) => mix(own, at));
    const painted = backgroundImage.includes("gradient") ? coloursIn(backgroundImage) : [];
    if (painted.length) under = painted.flatMap((ink) => under.map((at) => mix(ink, at)));
    const few = [...new Map(under.map((at) => [at.map(Math.round).join(), at])).values()].slice(0, 24);
    grounds.set(one, few);
    return few;
  };
  const light = (rgb) => rgb.map((x) => x / 255).map((x) => (x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4))
    .reduce((sum, x, i) => sum + x * [.2126, .7152, .0722][i], 0);
  const ratio = (a, b) => { const [low, high] = [light(a), light(b)].sort((x, y) => x - y); return (high + .05) / (low + .05); };
  const judged = new Set();
  for (const { one, kind } of things) {
    if (kind !== "text" || judged.has(one)) continue;
    judged.add(one);
    if (one.closest("[disabled], [aria-disabled=true], .off, .stale, [inert]")) continue; // what cannot be used need not stand out
    const { color, fontSize, fontWeight } = styleOf(one), px = parseFloat(fontSize) * zoomOf(one);
    const isLarge = px >= 24 || (px >= 18.66 && Number(fontWeight) >= 700), [ink] = coloursIn(color);
    let alpha = 1;
    for (const at of parents(one)) alpha *= Number(styleOf(at).opacity);
    const worst = Math.min(...groundsOf(one).map((at) => ratio(mix([...ink.slice(0, 3), (ink[3] ?? 1) * alpha], at), at)));
    if (worst < (isLarge ? 3 : 4.5) - .05) wrong.add(`pale: ${named(one)} ${worst.toFixed(2)}`);
  }
  return [...wrong];
}"""
