// Keystrokes to cards: by hand, by scanner, with prefixes, with Enter held down.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BURST_MS, codeIn, fresh, pause, press } from "../../src/puntobanco_floor/web/screens/dealer/keys.js";

const SLOW = 120, FAST = 5;

// Keys with the time between them; what came of it, also after a pause at the end.
function typed(keys, gap, deck = "standard", state = fresh(), from = 1000) {
  const events = [];
  let at = from;
  for (const key of keys) {
    const [paused, before] = pause(state, at, deck);
    const [next, after] = press(paused, key, at, deck);
    events.push(...before, ...after);
    state = next;
    at += gap;
  }
  const [last, rest] = pause(state, at + BURST_MS + 1, deck);
  return { events: [...events, ...rest].filter((event) => event.t !== "rank"), state: last };
}
const scan = (text, deck) => typed([...text, "Enter"], FAST, deck).events;

test("rank then suit by hand is a card to be confirmed", () => {
  assert.deepEqual(typed(["9", "s"], SLOW).events, [{ t: "card", card: "9s" }]);
  assert.deepEqual(typed(["a", "H"], SLOW).events, [{ t: "card", card: "Ah" }]);
  assert.deepEqual(typed(["9", "s", "Enter"], SLOW).events, [{ t: "card", card: "9s" }, { t: "confirm" }]);
});

test("ten is T, 1, 0, or 1 and 0", () => {
  for (const keys of [["t", "c"], ["1", "c"], ["0", "c"], ["1", "0", "c"]])
    assert.deepEqual(typed(keys, SLOW).events, [{ t: "card", card: "Tc" }], keys.join(""));
});

test("the letters of the five elements: S, L and F are ranks first and F and A suits after", () => {
  const five = (keys) => typed(keys, SLOW, "five-elements").events;
  assert.deepEqual(five(["f", "f"]), [{ t: "card", card: "Ff" }]);
  assert.deepEqual(five(["a", "a"]), [{ t: "card", card: "Aa" }]);
  assert.deepEqual(five(["L", "g"]), [{ t: "card", card: "Lg" }]);
  assert.deepEqual(five(["9", "s"]), [], "spades are not of this deck, and S begins another card");
  assert.deepEqual(five(["9", "s", "w"]), [{ t: "card", card: "Sw" }]);
});

test("a wrong rank is typed over", () => {
  assert.deepEqual(typed(["8", "9", "d"], SLOW).events, [{ t: "card", card: "9d" }]);
});

test("a burst that ends in Enter is a scan, with or without a prefix", () => {
  assert.deepEqual(scan("9f"), [{ t: "scan", card: "9f" }]);
  assert.deepEqual(scan("]C19f"), [{ t: "scan", card: "9f" }]);
  assert.deepEqual(scan("]C1Ta", "five-elements"), [{ t: "scan", card: "Ta" }]);
  assert.deepEqual(scan("]C1As", "standard"), [{ t: "scan", card: "As" }]);
  assert.deepEqual(scan("10H"), [{ t: "scan", card: "Th" }]);
  assert.deepEqual(scan("KD"), [{ t: "scan", card: "Kd" }]);
});

test("a burst without a card says what was read", () => {
  assert.deepEqual(scan("4006381333931"), [{ t: "unread", text: "4006381333931" }]);
  assert.deepEqual(scan("Kf"), [{ t: "unread", text: "Kf" }], "a king of Fire is in neither deck");
});

test("several scans with no time between them are several cards, each once", () => {
  const keys = ["9s", "2h", "Td", "4c"].flatMap((code) => [...code, "Enter"]);
  assert.deepEqual(typed(keys, 0).events.map((event) => event.card), ["9s", "2h", "Td", "4c"]);
});

test("Enter held down confirms and never scans again", () => {
  assert.deepEqual(typed([..."9s", "Enter", "Enter", "Enter"], FAST).events,
    [{ t: "scan", card: "9s" }, { t: "confirm" }, { t: "confirm" }]);
});

test("a rank typed before a scan does not become part of it", () => {
  const { state } = typed(["8"], SLOW);
  assert.equal(state.rank, "8");
  const { events } = typed([..."9d", "Enter"], FAST, "standard", state, 5000);
  assert.deepEqual(events, [{ t: "scan", card: "9d" }]);
});

test("Backspace and Escape undo, and forget a rank", () => {
  const { state, events } = typed(["8", "Escape"], SLOW);
  assert.deepEqual([state.rank, events], ["", [{ t: "undo" }]]);
});

test("a fast hand without Enter is a hand after all", () => {
  assert.deepEqual(typed(["9", "s"], FAST).events, [{ t: "card", card: "9s" }]);
});

test("other keys mean nothing", () => {
  assert.deepEqual(typed(["Shift", "F5", "Tab", "ArrowLeft", "?"], SLOW).events, []);
});

test("codeIn finds the last card of a text", () => {
  assert.equal(codeIn("shoe 4: 9s"), "9s");
  assert.equal(codeIn(""), "");
  assert.equal(codeIn("]e0"), "");
  assert.equal(codeIn("]C110s"), "Ts");
});
