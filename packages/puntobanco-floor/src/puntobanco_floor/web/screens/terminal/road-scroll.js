// A road longer than its place: the newest stays in sight until somebody scrolls back, by finger, wheel or keys.
import { listen } from "../base/dom.js";

/** @type {Record<string, number>} */
const TABS = { ArrowLeft: -1, ArrowRight: 1 };
const NEAR_PX = 8;

/** Roads that somebody has scrolled back, by their kind. @type {WeakMap<Element, string>} */
const away = new WeakMap();

/** How far it is scrolled where its newest result is the last in sight. @param {HTMLElement} road */
const newest = (road) => Math.max(0, Number(road.dataset.newest) - road.clientWidth);
/** @param {HTMLElement} road */
const atNewest = (road) => road.scrollLeft >= newest(road) - NEAR_PX;

/** @param {HTMLElement} root @param {(kind: string) => void} choose */
export function roadScrolls(root, choose) {
  root.addEventListener("scroll", ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(".road-scroll")) return;
    if (atNewest(target)) away.delete(target);
    else away.set(target, target.dataset.roadKind ?? "");
  }, { capture: true, passive: true });
  root.addEventListener("wheel", (event) => {
    const road = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".road-scroll"));
    if (!road || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return; // sideways it scrolls by itself
    const before = road.scrollLeft;
    road.scrollLeft += event.deltaY;
    if (road.scrollLeft !== before) event.preventDefault();
  }, { passive: false });
  listen(root, "keydown", (target, event) => {
    const tab = target.closest('[role="tab"][data-road]'), step = TABS[event.key];
    if (tab && step) {
      const tabs = [...tab.parentElement.children], next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      event.preventDefault();
      choose(next.dataset.road);
      next.focus();
    } else if (target.matches(".road-scroll") && ["Home", "End"].includes(event.key)) {
      event.preventDefault();
      target.scrollLeft = event.key === "Home" ? 0 : newest(target);
    }
  });
}

/** After the page was drawn. Another road begins at its newest result. @param {HTMLElement} root */
export function showNewest(root) {
  for (const road of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".road-scroll"))) {
    if (away.get(road) === road.dataset.roadKind) continue;
    away.delete(road);
    const wanted = newest(road);
    if (Math.abs(road.scrollLeft - wanted) > NEAR_PX) road.scrollLeft = wanted;
  }
}
