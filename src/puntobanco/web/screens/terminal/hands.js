// Fingers and keys: a spot held is cleared, keys stand for spots and buttons, a sheet has the focus while it is open.

const HOLD_MS = 600, DRIFT_PX = 12;
const KEYS = { z: "undo", x: "clear", r: "rebet", d: "double" };
const ARROWS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export function hands(root, { hold, chip, language, escape, busy }) {
  let timer = 0, held = false, from = null;
  const stop = () => { clearTimeout(timer); timer = 0; };
  const drift = ({ clientX, clientY }) => Math.hypot(clientX - from[0], clientY - from[1]);
  root.addEventListener("pointerdown", (event) => {
    const spot = event.target.closest("[data-bet]");
    held = false;
    stop();
    if (!spot || event.button) return;
    from = [event.clientX, event.clientY];
    timer = setTimeout(() => { held = true; hold(spot.dataset.bet); }, HOLD_MS);
  });
  root.addEventListener("pointermove", (event) => { if (timer && drift(event) > DRIFT_PX) stop(); });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) root.addEventListener(end, stop);
  root.addEventListener("click", (event) => {
    if (held && event.target.closest("[data-bet]")) event.stopPropagation(); // the finger that held it down is lifted
    held = false;
  }, { capture: true });
  root.addEventListener("contextmenu", (event) => { if (event.target.closest("[data-bet]")) event.preventDefault(); });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return escape();
    if (busy() || event.target.closest("input, select, textarea")) return;
    const radio = event.target.closest('[role="radio"]'), step = ARROWS[event.key];
    const spot = event.target.closest("[data-bet]"), act = KEYS[event.key.toLowerCase()];
    if (radio && step) {
      const next = neighbour(radio, step);
      event.preventDefault();
      chip(Number(next.dataset.cents));
      next.focus();
    } else if (spot && (event.key === "Delete" || event.key === "Backspace")) hold(spot.dataset.bet);
    else if (/^[1-9]$/.test(event.key)) root.querySelector(`[data-bet][aria-keyshortcuts="${event.key}"]`)?.click();
    else if (act) root.querySelector(`.acts [data-act="${act}"]:not([disabled])`)?.click();
    else if (event.key.toLowerCase() === "l") language();
  });
}

// The next one in its row, round and round.
function neighbour(radio, step) {
  const all = [...radio.parentElement.children];
  return all[(all.indexOf(radio) + step + all.length) % all.length];
}

// A sheet that opens takes the focus, one that closes gives it back to where it was.
let shown = "", before = null;
export function focusSheets(root) {
  const sheets = [...root.querySelectorAll("[data-sheet]")];
  const top = sheets[sheets.length - 1], name = top?.dataset.sheet ?? "";
  if (name === shown) return;
  if (!shown) before = document.activeElement;
  shown = name;
  const first = top && (top.querySelector("[data-focus]:not([disabled])") ?? top.querySelector("h2"));
  if (top) first?.focus({ preventScroll: true });
  else if (before?.isConnected) before.focus({ preventScroll: true });
}
