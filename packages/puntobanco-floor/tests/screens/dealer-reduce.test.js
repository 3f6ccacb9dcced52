// The console's state: a card counts once, waits for the server, and is never entered behind the dealer's back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mustTell } from "../../src/puntobanco_floor/web/screens/dealer/idle.js";
import {
  HOLD_MS, MAX_WAITING, isReady, isTrying, mayApprove, moved, outgoing, proposalsOf, reduce, start,
} from "../../src/puntobanco_floor/web/screens/dealer/reduce.js";
import { canTakeOut } from "../../src/puntobanco_floor/web/screens/dealer/wizard.js";
import { may } from "../../src/puntobanco_floor/web/screens/base/staffbar.js";
import { staff } from "./staff.js";

const view = (more = {}, table = {}) => ({
  table: { seq: 10, phase: "dealing", round: 4, cards: {}, stop: null, ...table },
  next: [{ command: "enter-card", slot: "p1" }], grounds: [], proposals: [], decided: [],
  questioned: "", dealt: [], surplus: [], stakes: [], ...more,
});
const run = (state, ...messages) => messages.reduce(reduce, state);
const linked = run(start(6, "en"), { t: "link", state: "open" });
const ready = (more, table) => reduce(linked, { t: "view", view: view(more, table) });
// As main.js does: the first card that may go out is sent.
function sent(state, id) {
  const command = { command: "enter-card", ...outgoing(state) };
  return reduce(state, { t: "sending", id, command, waiting: state.waiting.slice(1) });
}

test("a key shows its card and it counts after a while", () => {
  let state = reduce(ready(), { t: "card", card: "9s", at: 1000 });
  assert.deepEqual([state.entry.card, outgoing(state)], ["9s", null]);
  state = reduce(state, { t: "tick", at: 1000 + HOLD_MS - 1 });
  assert.equal(outgoing(state), null);
  state = reduce(state, { t: "tick", at: 1000 + HOLD_MS });
  assert.deepEqual([state.entry, outgoing(state)], [null, { card: "9s", by_hand: true }]);
});

test("undo takes it back, and the time that passes enters nothing", () => {
  const keyed = reduce(ready(), { t: "card", card: "9s", at: 1000 });
  const state = run(keyed, { t: "undo" }, { t: "tick", at: 9000 }, { t: "confirm" });
  assert.deepEqual([state.entry, outgoing(state)], [null, null]);
});

test("Enter counts it at once, and again does nothing", () => {
  const keyed = reduce(ready(), { t: "card", card: "9s", at: 0 });
  const state = run(keyed, { t: "confirm" }, { t: "confirm" }, { t: "tick", at: 5000 });
  assert.deepEqual(state.waiting, [{ card: "9s", by_hand: true }]);
});

test("a second key while a card is shown is not taken", () => {
  const state = run(ready(), { t: "card", card: "9s", at: 0 }, { t: "card", card: "8s", at: 300 });
  assert.equal(state.entry.card, "9s");
});

test("cards read ahead go out one by one, each after the server has shown the one before", () => {
  let state = run(ready(), { t: "scan", card: "9s", at: 0 }, { t: "scan", card: "2h", at: 20 });
  assert.deepEqual(outgoing(state), { card: "9s", by_hand: false });
  state = sent(state, "a");
  assert.equal(outgoing(state), null, "one is on its way");
  state = reduce(state, { t: "answered", id: "a", answer: { ok: true, seq: 11 } });
  assert.equal(outgoing(state), null, "answered, and not yet seen");
  state = reduce(state, { t: "view", view: view({ dealt: ["9s"] }, { seq: 11 }) });
  assert.equal(outgoing(state).card, "2h");
});

test("one card read twice by the scanner is one card; the same card later is another", () => {
  const twice = run(ready(), { t: "scan", card: "9s", at: 0 }, { t: "scan", card: "9s", at: 400 });
  assert.deepEqual([twice.waiting.length, twice.notice.key], [1, "twice"]);
  assert.equal(run(twice, { t: "scan", card: "9s", at: 1200 }).waiting.length, 2);
});

test("a card that was keyed and then read is one card", () => {
  const keyed = reduce(ready(), { t: "card", card: "9s", at: 0 });
  const state = run(keyed, { t: "scan", card: "9s", at: 500 }, { t: "tick", at: 5000 });
  assert.deepEqual(state.waiting, [{ card: "9s", by_hand: false }]);
});

test("another card that is read while one is shown is not taken, and that is said", () => {
  const state = run(ready(), { t: "card", card: "9s", at: 0 }, { t: "scan", card: "8s", at: 500 });
  assert.deepEqual([state.entry.card, state.waiting.length, state.notice.key], ["9s", 0, "one_pending"]);
});

test("a card in question stops those behind it", () => {
  let state = sent(run(ready(), { t: "scan", card: "9f", at: 0 }, { t: "scan", card: "2h", at: 20 }), "a");
  state = reduce(state, { t: "answered", id: "a", answer: { ok: true, seq: 11 } });
  state = reduce(state, { t: "view", view: view({ questioned: "9f" }, { seq: 11 }) });
  assert.deepEqual([state.waiting, state.notice.key, state.notice.args], [[], "not_entered", ["2h"]]);
});

test("a refusal says why, offers the irregularity and enters nothing more", () => {
  let state = sent(run(ready(), { t: "scan", card: "9s", at: 0 }, { t: "scan", card: "2h", at: 20 }), "a");
  state = reduce(state, { t: "refused", id: "a", reason: { en: "the round is complete", zh: "牌已派齊" },
    clause: "3.9.4" });
  const notice = { text: { en: "the round is complete", zh: "牌已派齊" }, clause: "3.9.4", offer: "irregularity",
    rest: "2h" };
  assert.deepEqual([state.waiting, state.sent, state.notice], [[], null, notice]);
});

test("an answer to another command changes nothing", () => {
  const state = sent(reduce(ready(), { t: "scan", card: "9s", at: 0 }), "a");
  assert.equal(reduce(state, { t: "refused", id: "b", reason: { en: "no", zh: "no" } }), state);
});

test("without the server nothing is ready and what waited is dropped", () => {
  const lost = run(ready(), { t: "card", card: "9s", at: 0 }, { t: "link", state: "lost" });
  const read = run(lost, { t: "scan", card: "2h", at: 10 }, { t: "card", card: "3h", at: 20 });
  const state = reduce(read, { t: "tick", at: 9000 });
  assert.deepEqual([isReady(state), state.entry, state.waiting, outgoing(state)], [false, null, [], null]);
});

test("between rounds a card is not taken, and that is said", () => {
  for (const phase of ["waiting", "betting", "settled"]) {
    const state = run(ready({}, { phase }), { t: "scan", card: "9s", at: 0 });
    assert.deepEqual([state.waiting, state.notice.key], [[], "none_due"], phase);
  }
});

test("no more cards than a round has wait", () => {
  let state = ready();
  for (let i = 0; i <= MAX_WAITING; i += 1) {
    state = reduce(state, { t: "scan", card: `${"A23456789"[i]}s`, at: i * 10 });
  }
  assert.deepEqual([state.waiting.length, state.notice.key], [MAX_WAITING, "too_many"]);
});

test("a stopped round opens the wizard with its cards, and closes it when it is over", () => {
  let state = ready({ dealt: ["9s", "2h"], surplus: ["4c"] }, { phase: "stopped" });
  assert.deepEqual([state.sheet.name, state.sheet.order], ["stopped", ["9s", "2h", "4c"]]);
  state = reduce(state, { t: "change", name: "stopped", fields: { choice: "reconstruct" } });
  state = reduce(state, { t: "scan", card: "Td", at: 0 });
  assert.deepEqual([state.sheet.order, state.waiting, isTrying(state)], [["9s", "2h", "4c", "Td"], [], true]);
  assert.equal(run(state, { t: "view", view: view({}, { phase: "void", seq: 12 }) }).sheet, null);
});

test("whoever looks at a proposed order sees that order", () => {
  const proposals = [{ proposal: 1, by: "dora", about: "round", command: { command: "reconstruct", order: "2h 9s" } }];
  const state = ready({ dealt: ["9s", "2h"], proposals }, { phase: "stopped" });
  assert.deepEqual([state.sheet.order, isTrying(state)], [["2h", "9s"], true]);
});

test("a card for the correction goes into its sheet", () => {
  const open = reduce(ready(), { t: "sheet", sheet: { name: "correct", slot: "p1", card: "" } });
  const state = reduce(open, { t: "scan", card: "9s", at: 0 });
  assert.deepEqual([state.sheet.card, state.waiting], ["9s", []]);
});

test("who may do what, and who may approve", () => {
  const [dora, sam] = [staff("dora", "dealer"), staff("sam", "supervisor")];
  assert.deepEqual(["open-bets", "new-shoe", "approve"].map((command) => may(dora, command)), [true, false, false]);
  assert.deepEqual(["open-bets", "new-shoe", "approve"].map((command) => may(sam, command)), [true, true, true]);
  assert.equal(may(staff("otto", "auditor"), "open-bets"), false);
  assert.equal(mayApprove(sam, { by: "dora" }), true);
  assert.equal(mayApprove(sam, { by: "sam" }), false);
  assert.equal(mayApprove(dora, { by: "sam" }), false);
});

test("a proposal about money is not the dealer's, whatever its command", () => {
  const proposals = [{ proposal: 1, about: "round", command: {} }, { proposal: 2, about: "money", command: {} }];
  assert.deepEqual(proposalsOf({ proposals }).map((p) => p.proposal), [1]);
});

test("what was decided is told once: what is new, and at first what this person asked for", () => {
  const of = (proposal, asked_by, outcome, by = "sue") =>
    ({ proposal, asked_by, command: "void-round", about: "round", outcome, by, reason: "no" });
  const old = [of(1, "dan", "rejected"), of(2, "dora", "rejected"), of(3, "dora", "approved"), of(4, "dora", "lapsed")];
  const told = (state) => state.decided.map((one) => one.proposal);
  const me = { t: "me", me: staff("dora", "dealer") };
  let state = run(start(6, "en", [2]), me, { t: "link", state: "open" }, { t: "view", view: view({ decided: old }) });
  assert.deepEqual(told(state), [4], "neither somebody else's, nor what was read before, nor what was approved");
  const next = [...old, of(6, "dan", "rejected"), of(5, "dora", "withdrawn", "dora"), of(7, "dan", "rejected", "dora")];
  state = reduce(state, { t: "view", view: view({ decided: next }) });
  assert.deepEqual(told(state), [4, 6], "not what this person has withdrawn or rejected");
  state = reduce(state, { t: "decided-seen" });
  assert.deepEqual([told(state), state.read], [[], [1, 2, 3, 4, 6, 5, 7]]);
});

test("a card of the strip moves to any place and only an added one can go", () => {
  assert.deepEqual(moved(["a", "b", "c"], 0, 2), ["b", "c", "a"]);
  assert.deepEqual(moved(["a", "b", "c"], 2, 0), ["c", "a", "b"]);
  assert.deepEqual(moved(["a", "b", "c"], 1, 99), ["a", "c", "b"]);
  assert.equal(canTakeOut(["9s", "2h"], 1, ["9s", "2h"]), false);
  assert.equal(canTakeOut(["9s", "2h", "2h"], 2, ["9s", "2h"]), true);
  assert.equal(canTakeOut(["9s"], -1, ["9s"]), false);
});

test("the last half minute before the idle lock is counted down, and a use of the login ends it", () => {
  const from = [{ t: "me", me: staff("dora", "dealer") }, { t: "used", at: 1000 }];
  const at = (seconds, state = from.reduce(reduce, start(6, "en"))) =>
    reduce(state, { t: "idle", at: 1000 + 1000 * seconds });
  assert.deepEqual([0, 269, 270, 276.2, 299.9, 340].map((s) => at(s).locks), [null, null, 30, 24, 1, 0]);
  const near = at(276);
  assert.equal(reduce(near, { t: "idle", at: 277_100 }), near); // the same second: nothing to draw
  assert.equal(mustTell(near, 277_000), true);
  const kept = reduce(near, { t: "used", at: 277_000 });
  assert.deepEqual([kept.locks, mustTell(kept, 278_000), mustTell(kept, 292_000)], [null, false, true]);
  assert.equal(reduce(start(6, "en"), { t: "idle", at: 1e9 }).locks, null, "nobody is logged in");
});

test("the code of no card is entered where one is due, for the table to question; elsewhere it is only said", () => {
  const joker = { t: "unread", text: "]C1-JOKER", at: 5000 };
  assert.deepEqual(outgoing(reduce(ready(), joker)), { card: "C1-JOKER", by_hand: false });
  const between = reduce(ready({}, { phase: "settled" }), joker);
  assert.deepEqual([outgoing(between), between.notice.key], [null, "unread"]);
});

test("cards scanned into the burn sheet are not entered in the round", () => {
  const open = run(ready(), { t: "sheet", sheet: { name: "burn", cards: [] } });
  const state = run(open, { t: "scan", card: "8c", at: 0 }, { t: "card", card: "9h", at: 900 });
  assert.deepEqual([state.sheet.cards, outgoing(state), state.entry], [["8c", "9h"], null, null]);
});

test("the burn sheet lies over a stopped round, and what is to be decided comes back under it", () => {
  const stopped = view({ dealt: ["9s"] }, { phase: "stopped" });
  const over = run(linked, { t: "view", view: stopped }, { t: "sheet", sheet: { name: "burn", cards: [] } });
  assert.equal(reduce(over, { t: "view", view: stopped }).sheet.name, "burn");
  assert.equal(reduce(over, { t: "close" }).sheet.name, "stopped");
  const asked = run(over, { t: "sending", id: "a", command: { command: "burn-cards" } });
  assert.equal(reduce(asked, { t: "answered", id: "a", answer: { seq: 11 } }).sheet.name, "stopped");
});

test("a card for the misread one goes into the wizard, once it is known which", () => {
  const stopped = view({ dealt: ["9s"] }, { phase: "stopped", cards: { p1: "9s" } });
  const choosing = run(
    linked, { t: "view", view: stopped }, { t: "change", name: "stopped", fields: { choice: "correct-card" } },
  );
  assert.equal(reduce(choosing, { t: "scan", card: "6s", at: 0 }).sheet.card, undefined);
  const chosen = reduce(choosing, { t: "change", name: "stopped", fields: { slot: "p1" } });
  assert.equal(reduce(chosen, { t: "scan", card: "6s", at: 0 }).sheet.card, "6s");
});
