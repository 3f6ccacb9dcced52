// Cards of the strip moved by finger or mouse: a card follows the pointer and falls into the place under it.
import { listen } from "../base/dom.js";

/** @param {Element} element */
function middleOf(element) {
  const box = element.getBoundingClientRect();
  return box.left + box.width / 2;
}

/**
 * `onMove(from, to)` when a card was dropped at another place.
 * @param {HTMLElement} root
 * @param {{ isOn: () => boolean, onMove: (from: number, to: number) => void }} strip
 */
export function dragging(root, { isOn, onMove }) {
  /** @type {{ item: HTMLElement, from: number, x: number, id: number, moved: boolean } | null} */
  let held = null;

  listen(root, "pointerdown", (target, event) => {
    const item = target.closest(".ord:not(.still) li");
    if (!item || !isOn() || event.button) return;
    held = { item, from: Number(item.dataset.at), x: event.clientX, id: event.pointerId, moved: false };
  });
  root.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.id) return;
    const by = event.clientX - held.x;
    if (!held.moved && Math.abs(by) < 8) return;
    held.moved = true;
    held.item.classList.add("dragged");
    held.item.style.setProperty("--by", `${by}px`);
  });
  const drop = (/** @type {PointerEvent} */ event) => {
    if (!held || event.pointerId !== held.id) return;
    const { item, from, moved } = held;
    held = null;
    item.classList.remove("dragged");
    item.style.removeProperty("--by");
    if (!moved || event.type === "pointercancel") return;
    const others = [...(item.parentElement?.children ?? [])].filter((other) => other !== item);
    const to = others.filter((other) => middleOf(other) < event.clientX).length;
    if (to !== from) onMove(from, to);
    // The click that ends a drag chooses nothing.
    root.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    setTimeout(() => root.dispatchEvent(new Event("click")), 0);
  };
  root.addEventListener("pointerup", drop);
  root.addEventListener("pointercancel", drop);
}
