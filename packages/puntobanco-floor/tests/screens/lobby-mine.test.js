// My table in the lobby: where I sit, with how much, and the ways from there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { isFull, seatOf, seatsSaid } from "../../src/puntobanco_floor/web/screens/lobby/mine.js";
import { reduce, start } from "../../src/puntobanco_floor/web/screens/lobby/reduce.js";
import { page } from "../../src/puntobanco_floor/web/screens/lobby/view.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const TABLE = {
  table: "table:1", number: 1, game: "six-star", title: { en: "6 Star No Commission Baccarat", zh: "六星免佣百家樂" },
  rules: "mbs-six-star-2017-03-17", deck: "five-elements", decks: 8, phase: "betting", round: 38, shoe: 2,
  closes_at: null, betting_ms: 25000, halted: null, closing: false, closed: [],
  announce_open: "Place your bets, please", announce_close: "No more bets",
  counts: { rounds: 38, banker: 19, player: 15, tie: 4, banker_pair: 3, player_pair: 2 }, big: [[0, 0, "B0"]],
  min_cents: 2500, max_cents: 500000, seated: 3, seats: 0, dealt_by: "server", last: null,
};
const other = (changes) => ({ ...TABLE, table: "table:2", number: 2, title: { en: "Rapid", zh: "快速" }, ...changes });
const SEAT = {
  table: "table:1", seated: true, balance_cents: 125_050, wagers: {}, net_cents: -20_000, held_cents: 0, moving_to: "",
  moving_cents: 0,
};
const LIMITS = { loss_cents: null, minutes: null, lost_cents: 0, played_ms: 0, wider: null, wider_at: null };
const heard = (seats, { lang = "en", second = other(), limits = LIMITS } = {}) => [
  { t: "view", view: { house: "Marina", demo: true, stopped: null, odds: false, tables: [TABLE, second] }, at: 1 },
  { t: "me", me: seats && { tables: seats, limits } },
].reduce(reduce, start({ lang }));
const markup = (state) => String(page(state, 20_000)).replace(/\s+/g, " ");
const text = (state) => markup(state).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test("who sits nowhere is asked to sit down, in one tap, and has no table of his own", () => {
  for (const seats of [null, [], [{ ...SEAT, seated: false, balance_cents: 0 }]]) {
    const state = heard(seats);
    assert.equal(seatOf(state), null);
    assert.doesNotMatch(text(state), /Your table|Move here|Leave/);
    assert.match(markup(state), /href="\/tables\/2#sit" aria-label="Sit down, table 2: Rapid"/);
  }
});

test("who sits somewhere sees the table, the credits, and a way to every other table", () => {
  const state = heard([SEAT]), shown = text(state);
  assert.match(shown, /Your table: 1 6 Star No Commission Baccarat .*\$1,250\.50 credits .*Back to it .*Leave/);
  assert.match(markup(state), /<button[^>]*data-act="move" data-table="2" aria-label="Move here, table 2: Rapid" >/);
  assert.match(markup(state), /<a class="btn go primary" href="\/tables\/1" aria-label="Back to it, table 1/);
  assert.doesNotMatch(shown, /Sit down/);
  assert.match(text(heard([SEAT], { lang: "zh" })), /你的賭枱：1 .*\$1,250\.50 餘額 .*離座 .*轉到此賭枱/);
});

test("nobody moves or leaves while a wager is in play, on the way, set apart, or asked for", () => {
  const moves = (state) => markup(state).match(/<button[^>]*data-act="(?:move|leave)"[^>]*>/g);
  assert.ok(moves(heard([SEAT])).every((one) => !one.includes("disabled")));
  for (const changed of [{ wagers: { banker: 100 } }, { moving_to: "table:2", moving_cents: 5 }, { held_cents: 1 }]) {
    const off = moves(heard([{ ...SEAT, ...changed }]));
    assert.ok(off.every((one) => one.includes("disabled")), JSON.stringify(changed));
  }
  assert.ok(moves(reduce(heard([SEAT]), { t: "busy", busy: true })).every((one) => one.includes("disabled")));
  assert.match(text(heard([{ ...SEAT, wagers: { banker: 100 } }])), /Leave after this round/);
  const gone = heard([{ ...SEAT, balance_cents: 0, moving_to: "table:2", moving_cents: 5_000 }]);
  assert.match(text(gone), /\$50\.00 is on the way to table 2/);
});

test("seats: how many are free where the house counts them, and a full table is looked at", () => {
  assert.equal(seatsSaid("en", other({ seats: 11, seated: 9 })), "2 of 11 seats free");
  assert.equal(seatsSaid("zh", other({ seats: 11, seated: 9 })), "11 個座位，尚餘 2 個");
  assert.equal(seatsSaid("en", other({ seats: 3, seated: 4 })), "All 3 seats taken");
  assert.equal(seatsSaid("en", other()), "3 seated");
  assert.deepEqual([0, 3, 4].map((seats) => isFull(other({ seats }))), [false, true, false]);
  assert.match(text(heard([SEAT], { second: other({ seats: 3 }) })), /All 3 seats taken .*Look/);
  assert.doesNotMatch(text(heard([SEAT], { second: other({ seats: 3 }) })), /Move here/);
});

test("a table that is stopped or closed takes nobody", () => {
  const halted = markup(heard([SEAT], { second: other({ halted: alike("a drill"), phase: "settled" }) }));
  assert.match(halted, /data-act="move"[^>]*disabled/);
  assert.doesNotMatch(text(heard([SEAT], { second: other({ phase: "down" }) })), /Move here/);
});

test("with credits it is asked how they leave; without, there is nothing to ask", () => {
  const leaving = reduce(heard([SEAT]), { t: "leaving", leaving: true });
  assert.match(text(leaving), /cash out, or tap “Move here” .*Cash out .*Stay/);
  assert.match(markup(leaving), /href="\/tables\/1#cash"/);
  assert.doesNotMatch(text(reduce(leaving, { t: "leaving", leaving: false })), /Cash out/);
  assert.equal(reduce(leaving, { t: "me", me: null }).leaving, false);
});

test("what is left of a loss limit counts what this visit has lost, and never what it has won", () => {
  const limits = { ...LIMITS, loss_cents: 50_000, lost_cents: 10_000 };
  assert.match(text(heard([SEAT], { limits })), /\$200 left of your loss limit of \$500/);
  assert.match(text(heard([{ ...SEAT, net_cents: 9_000 }], { limits })), /\$400 left of/);
  assert.match(text(heard([{ ...SEAT, net_cents: -90_000 }], { limits })), /\$0 left of/);
});

test("why a move was refused is said in both languages, until something else is asked", () => {
  const told = { reason: { en: "You stay at table 1: no seat is free there", zh: "你留在賭枱 1：沒有空位" } };
  const state = reduce(reduce(heard([SEAT]), { t: "busy", busy: true }), { t: "refused", refused: told });
  assert.match(text(state), /no seat is free there/);
  assert.match(text({ ...state, lang: "zh" }), /沒有空位/);
  assert.doesNotMatch(text(reduce(state, { t: "busy", busy: true })), /no seat is free/);
  assert.match(text(reduce(state, { t: "busy", busy: false })), /no seat is free/);
});
