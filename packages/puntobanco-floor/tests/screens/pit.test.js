// The pit: what its state becomes with each message, and what its views say and leave out.
import assert from "node:assert/strict";
import { test } from "node:test";

import { changes, closedBy, tickedFor } from "../../src/puntobanco_floor/web/screens/pit/closing.js";
import {
  first, reduce, totals, unread, waitingOf, toDecide,
} from "../../src/puntobanco_floor/web/screens/pit/reduce.js";
import { bar, columns } from "../../src/puntobanco_floor/web/screens/pit/protection.js";
import { view } from "../../src/puntobanco_floor/web/screens/pit/view.js";
import {
  alertKey, gamingDay, percent, points, rulesOf, shortTitle, stateOf,
} from "../../src/puntobanco_floor/web/screens/pit/words.js";
import { may } from "../../src/puntobanco_floor/web/screens/base/staffbar.js";
import { staff } from "./staff.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const figures = (drop, win) => ({
  drop_cents: drop, win_cents: win, hold: drop ? win / drop : null,
  rounds: 3, voids: 1, voided_cents: 0, staked_cents: 0,
});
const EDGES = [
  { bet: "player", title: alike("Player"), stake_cents: null, fresh: 0.0124, now: 0.0119, grade: "" },
  { bet: "tie", title: alike("Tie"), stake_cents: 1000, fresh: 0.1176, now: 0.0976, grade: "fell" },
  { bet: "six", title: alike("Fortune Six"), stake_cents: null, fresh: 0.16, now: -0.012, grade: "favourable" },
];
const BETS = EDGES.map(({ bet, title }) => ({ bet, title, closed: false, closable: bet !== "player" }));
const closed = (...ids) => BETS.map((one) => ({ ...one, closed: ids.includes(one.bet) }));
const SUITS = [["s", "Spades"], ["h", "Hearts"], ["d", "Diamonds"], ["c", "Clubs"]];
const PROTECTION = {
  round: 11, shoe: 2, decks: 8, burned: 1, unseen: 328,
  points: [98, 27, 21, 20, 31, 26, 21, 30, 27, 27], expected: [100.9, ...Array(9).fill(25.2)],
  suits: SUITS.map(([suit, name]) => ({ suit, name: alike(name), count: 82 })), edges: EDGES,
};
const WAITS = {
  proposal: 4, by: "dora", at: 1000, command: "void-round", title: alike("void the round"), round: 12, clause: "5.1.1",
  facts: [
    { name: "Wagers returned", text: alike("3"), cents: 12000, cards: "", clause: "" },
    { name: "Cards on the table", text: null, cents: null, cards: "9s 2h", clause: "" },
  ],
  refused: null,
};
const table = (number, more = {}) => ({
  table: `table:${number}`, number, game: "fortune-six", title: alike("Fortune Six No Commission Baccarat"),
  rules: "mbs-fortune-six-2017-02-17 4", deck: "standard", decks: 8, dealt_by: "server",
  phase: "betting", is_in_play: true, halted: null, scheduled: [], stop: null, silent: false, last_seen: 5000,
  shoe: 2, round: 12, cards: 0, closes_at: 20000, betting_ms: 15000, sessions: 2, connected: 2, seats: 3,
  in_play_cents: 0, waiting: [], decided: [], reviews: [], awards: [], cards_left: 300, big: [[0, 0, "B0"]],
  figures: figures(100000, -5000),
  returns: [], bets: BETS, protection: null, worst: [], exposure_cents: 0, exposure_max_cents: 500000000, ...more,
});
const alert = (number, on = 1) => ({
  number, at: 1000 + number, kind: "large-win", table: `table:${on}`, round: 9, session: "T-07:ab",
  text: alike(`T-07 won $${number}`), facts: [{ name: "Stake", text: null, cents: 30000, cards: "", clause: "4.1" }],
});
const board = (tables, alerts = [], more = {}) => ({
  house: "House", demo: true, stopped: null, day: "2026-11-15", tables, payments: [],
  alerts, alerts_in_all: alerts.length, ...more,
});
const SAM = { ...staff("sam", "supervisor"), demo: true };
const seen = (tables, alerts, more = {}, me = SAM) => {
  const viewed = { t: "view", view: board(tables, alerts, more), at: 10000 };
  return [{ t: "me", me }, { t: "link", state: "open" }, viewed].reduce(reduce, first());
};
const drawn = (state) => String(view(state));

test("the table that waits for a decision is selected first, and a choice holds while the table is there", () => {
  let state = seen([table(1), table(2, { waiting: [WAITS] }), table(3)], [alert(1, 3)]);
  assert.equal(state.selected, 2);
  state = reduce(state, { t: "select", table: 3 });
  state = reduce(state, { t: "view", view: board([table(1), table(3)]), at: 11000 });
  assert.equal(state.selected, 3);
  state = reduce(state, { t: "view", view: board([table(1)]), at: 12000 });
  assert.equal(state.selected, 1);
});

test("an alert is new until it is opened here; opening it again closes it", () => {
  let state = seen([table(1)], [alert(2), alert(1)]);
  assert.equal(unread(state).length, 2);
  assert.match(drawn(state), /class="panel c sel al /);
  const key = alertKey(alert(2));
  state = reduce(state, { t: "alert", key });
  assert.deepEqual([state.open, unread(state).length], [key, 1]);
  assert.match(drawn(state), /Edges of that round/);
  assert.equal(reduce(state, { t: "alert", key }).open, null);
  assert.equal(unread(reduce(state, { t: "all-seen" })).length, 0);
});

test("what comes new is said once in the status line", () => {
  let state = seen([table(1)], [alert(1)]);
  assert.equal(state.said, "");
  state = reduce(state, { t: "view", view: board([table(1)], [alert(2), alert(1)]), at: 11000 });
  assert.equal(state.said, "Alert: T-07 won $2");
  state = reduce(state, { t: "view", view: board([table(1, { waiting: [WAITS] })], [alert(2), alert(1)]), at: 12000 });
  assert.equal(state.said, "A new proposal waits for approval");
});

test("who may not see the pit is told why, and a board that comes puts that away", () => {
  const refused = reduce(first(), { t: "refused-view", refused: { en: "not your role", zh: "無權查看" } });
  assert.match(view(refused).text, /cannot be shown: not your role\.|無權查看/);
  assert.equal(reduce(refused, { t: "view", view: board([]), at: 1 }).refused, null);
});

const LOOK = { t: "sheet", sheet: { kind: "look", table: 1, proposal: 4 } };

test("the proposer is told that somebody else approves, and has no button to do it", () => {
  const other = drawn(seen([table(1, { waiting: [WAITS] })]));
  assert.match(other, /Approve …/);
  const state = seen([table(1, { waiting: [{ ...WAITS, by: "sam" }] })]), own = drawn(state);
  assert.match(own, /You proposed this: somebody else must approve it/);
  assert.doesNotMatch(own, /Approve …/);
  assert.doesNotMatch(drawn(reduce(state, LOOK)), /Approve as/);
});

test("who may not decide sees what waits, and no buttons", () => {
  const text = drawn(seen([table(1, { waiting: [WAITS] })], [], {}, { ...staff("otto", "auditor"), demo: true }));
  assert.match(text, /A supervisor decides on it/);
  assert.doesNotMatch(text, /data-sheet=/);
});

test("a second look shows the facts; one that was decided meanwhile says so", () => {
  let state = reduce(seen([table(1, { waiting: [WAITS] })]), LOOK);
  assert.match(drawn(state), /Wagers returned<\/dt><dd>3 <b>\$120\.00<\/b>/);
  assert.match(drawn(state), /Approve as sam/);
  state = reduce(state, { t: "view", view: board([table(1)]), at: 11000 });
  assert.match(drawn(state), /Somebody has decided on this meanwhile/);
  assert.doesNotMatch(drawn(state), /Approve as/);
});

const REVIEW = {
  review: 3, round: 9, at: 800, who: "T-07", complaint: alike("The payment is wrong"), note: "I had <b>more</b>",
  barred: ["dora"],
};
const CASE = {
  table: "table:1", review: 3, round: 9,
  decisions: [{ code: "upheld", text: alike("The round stands as it was played") }],
  facts: [{ name: "Computed anew", text: alike("all 8 checks agree"), cents: null, cards: "", clause: "" }],
  records: [{ at: 700, by: "dora", says: alike("bets closed") }], clauses: [{ code: "4.1", text: alike("Banker 1:1") }],
};

test("a supervisor asks for a review at the desk, for who may have left", () => {
  let state = seen([table(1)]);
  assert.match(drawn(state), /data-sheet="ask-review" data-table="1"/);
  state = reduce(state, { t: "sheet", sheet: { kind: "ask-review", table: 1 } });
  assert.doesNotMatch(drawn(state), /type="submit"/);
  const complaints = [{ code: "other", text: alike("Something else") }];
  state = reduce(state, { t: "values", values: {}, more: { complaints } });
  const sheet = drawn(state);
  for (const said of [/name="round"/, /name="session"/, /value="other" >Something else/, /Ask for the review/]) {
    assert.match(sheet, said);
  }
});

test("a review that a patron asked for is listed, opened with its round and its evidence, and answered", () => {
  const asked = [table(1), table(2, { reviews: [REVIEW] })];
  let state = reduce(seen([table(1), table(2)]), { t: "view", view: board(asked), at: 11000 });
  assert.equal(state.said, "A patron asks for a review");
  const listed = drawn(state);
  assert.match(listed, /Table 2, round 9: review 3, the payment is wrong/);
  assert.match(listed, /“I had &lt;b&gt;more&lt;\/b&gt;” Asked by T-07/);
  assert.match(listed, /Approvals <span class="pill warn">1<\/span>/);
  state = reduce(state, { t: "sheet", sheet: { kind: "review", table: 2, review: 3 } });
  assert.match(drawn(state), /Reading the journal/);
  state = reduce(state, { t: "values", values: {}, more: { case: CASE } });
  const open = drawn(state);
  assert.match(open, /href="\/api\/staff\/audit\/tables\/2\/rounds\/9\/pack"/);
  for (const said of [/all 8 checks agree/, /bets closed/, /<option value="4.1" >4.1: Banker 1:1/, /Answer as sam/]) {
    assert.match(open, said);
  }
  const dealt = drawn({ ...state, me: { ...SAM, name: "dora" } });
  assert.match(dealt, /You dealt this round, ruled on it or asked: somebody else must answer/);
  assert.doesNotMatch(dealt, /Answer as/);
  assert.match(drawn({ ...state, me: { ...staff("otto", "auditor"), demo: true } }), /A supervisor answers it/);
  state = reduce(state, { t: "view", view: board([table(1), table(2)]), at: 12000 });
  assert.match(drawn(state), /Somebody has decided on this meanwhile/);
});

const AWARD = {
  review: 3, round: 9, session: "T-07:0c4f", who: "T-07", seated: false,
  decision: alike("It is put right, as the note says"),
  clause: "4.1", referred: false,
};

test("an answered review that is not paid is listed, and paid in a sheet; its review is named", () => {
  let state = seen([table(1), table(2, { awards: [AWARD] })]);
  const listed = drawn(state);
  assert.match(listed, /Answered reviews, not paid/);
  assert.match(listed, /Table 2, round 9: review 3, it is put right/);
  assert.match(listed, /To T-07, who has left: a cashier pays cash against the receipt/);
  assert.match(listed, /data-sheet="adjust"\s+data-table="2" data-award="3"/);
  assert.doesNotMatch(drawn({ ...state, me: { ...staff("otto", "auditor"), demo: true } }), /data-award/);
  state = reduce(state, { t: "sheet", sheet: { kind: "adjust", table: 2, award: 3 } });
  const sheet = drawn(state);
  for (const said of [/Pay review 3, round 9/, /name="amount"/, /name="direction"/, /name="note"/]) {
    assert.match(sheet, said);
  }
  assert.doesNotMatch(sheet, /name="(round|session|clause)"/);
  state = reduce(state, { t: "view", view: board([table(1), table(2)]), at: 12000 });
  assert.match(drawn(state), /Somebody has decided on this meanwhile/);
});

test("a round is paid for without a review, by a clause or a direction", () => {
  let state = seen([table(1)]);
  assert.match(drawn(state), /data-sheet="adjust" data-table="1"/);
  state = reduce(state, { t: "sheet", sheet: { kind: "adjust", table: 1 } });
  const sheet = drawn(state);
  for (const name of ["round", "session", "clause", "amount", "direction", "note"]) {
    assert.match(sheet, new RegExp(`name="${name}"`));
  }
  const referred = seen([table(2, { awards: [{ ...AWARD, seated: true, referred: true }] })]);
  assert.match(drawn(referred), /To T-07, as credits/);
  const asked = reduce(referred, { t: "sheet", sheet: { kind: "adjust", table: 2, award: 3 } });
  assert.match(drawn(asked), /The review was referred: give its reference/);
});

const PAYS = {
  window: 1, payment: 2, by: "carl", at: 500, command: "pay-voucher", cents: 1_500_000, why: alike("over $10,000"),
  issued_in: "table:3",
};

test("a refusal needs a reason, at the cage too; a withdrawal by who asked needs none", () => {
  const refusing = (kind, who, more = {}) => {
    const waits = { ...WAITS, by: who }, pays = { ...PAYS, by: who };
    const state = seen([table(1, { waiting: [waits] })], [], { payments: [pays] });
    return drawn(reduce(state, { t: "sheet", sheet: { kind, table: 1, proposal: 4, window: 1, payment: 2, ...more } }));
  };
  assert.match(refusing("refuse", "dora"), /Why it is refused[^]*<textarea/);
  assert.match(refusing("refuse-payment", "carl", { proposal: undefined }), /Why it is refused[^]*<textarea/);
  assert.doesNotMatch(refusing("withdraw", "sam"), /<textarea/);
  assert.match(refusing("withdraw", "sam"), /Withdraw this\?/);
  const own = drawn(seen([table(1, { waiting: [{ ...WAITS, by: "sam" }] })]));
  assert.match(own, /data-sheet="withdraw"/);
  assert.doesNotMatch(own, /data-sheet="refuse"/, "the machine takes a rejection from somebody else only");
});

test("money waits at a closed table too, and a voucher to sell says so", () => {
  const pays = { ...WAITS, about: "money", command: "cash-out", round: 0,
    title: alike("hand pay of $16,000 for T-07") };
  const down = table(2, { phase: "down", is_in_play: false, waiting: [pays] });
  const text = drawn(seen([table(1), down], [], { payments: [{ ...PAYS, command: "sell-voucher", issued_in: "" }] }));
  assert.match(text, /Table 2: hand pay of \$16,000 for T-07[^]*data-sheet="look" data-table="2"/);
  assert.match(text, /Cage window 1: sell a voucher of \$15,000\.00/);
});

test("what became of a proposal is told by whom and why, until it is put away", () => {
  const one = {
    proposal: 4, asked_by: "sam", command: "void-round", about: "round", outcome: "rejected", by: "sue", reason: "no",
  };
  const first = seen([table(1, { decided: [one, { ...one, proposal: 3, asked_by: "dora" }] })]);
  assert.match(drawn(first), /Table 1: sue rejected: void the round\. The reason: no/);
  assert.equal(first.decided.length, 1, "at first only what this person asked for");
  const lapsed = { ...one, proposal: 5, asked_by: "dora", outcome: "lapsed", by: "", reason: "settled" };
  const state = reduce(first, { t: "view", view: board([table(1, { decided: [one, lapsed] })]), at: 11000 });
  assert.match(drawn(state), /Table 1: Lapsed: void the round\. The round was settled/);
  assert.match(state.said, /Table 1: Lapsed/);
  const put = reduce(state, { t: "decided-seen" });
  assert.deepEqual([put.decided, put.read], [[], ["table:1 4", "table:1 5"]]);
});

test("a large payment at the cage waits among the others, and is looked at again before it is approved", () => {
  let state = seen([table(1, { waiting: [WAITS] })], [], { payments: [PAYS] });
  assert.deepEqual(waitingOf(state).map(({ waiting }) => waiting.by), ["carl", "dora"]);
  const text = drawn(state);
  assert.match(text, /Approvals <span class="pill warn">2/);
  assert.match(text, /Cage window 1: pay a voucher of \$15,000\.00[^]*Over \$10,000\. Proposed by carl/);
  state = reduce(state, { t: "sheet", sheet: { kind: "look-payment", window: 1, payment: 2 } });
  assert.match(drawn(state), /Paid in cash[^]*\$15,000\.00[^]*Issued at[^]*Table 3[^]*Approve as sam/);
  const gone = reduce(state, { t: "view", view: board([table(1)]), at: 2 });
  assert.match(drawn(gone), /Somebody has decided on this meanwhile/);
  const otto = seen([table(1)], [], { payments: [PAYS] }, { ...staff("otto", "auditor"), demo: true });
  assert.match(drawn(otto), /A supervisor decides on it/);
  assert.doesNotMatch(drawn(otto), /data-sheet="look-payment"/);
});

test("a refusal of the server stays in the sheet, in its words", () => {
  let state = reduce(seen([table(1)]), { t: "sheet", sheet: { kind: "stop-table", table: 1 } });
  assert.match(drawn(state), /Asking for the causes/);
  const causes = [
    { code: "safety", text: alike("for everybody's safety") }, { code: "another-reason", text: alike("ask") },
  ];
  state = reduce(state, { t: "values", values: {}, more: { causes } });
  state = reduce(state, { t: "asked", values: { cause: "safety", note: "leak" } });
  state = reduce(state, { t: "wrong", error: "the table is stopped already: leak" });
  assert.match(drawn(state), /role="alert"[^]*the table is stopped already: leak/);
  assert.match(drawn(state), />leak<\/textarea>/);
  assert.match(drawn(state), /<option value="safety"\s+selected>/);
  assert.equal(reduce(state, { t: "cancel" }).sheet, null);
});

test("without a connection everything is grey and says of when it is; nothing can be decided", () => {
  const state = reduce(seen([table(1, { waiting: [WAITS] })]), { t: "link", state: "lost" });
  const text = drawn(state);
  assert.match(text, /Not connected/);
  assert.match(text, /class="w stale"/);
  for (const [button] of text.matchAll(/<button[^>]*data-act="ask"[^>]*>/g)) assert.match(button, /disabled/);
  const open = reduce(state, { t: "link", state: "open" });
  assert.equal(open.link, "lost", "a connection alone shows nothing new");
  const current = reduce(open, { t: "view", view: board([table(1)]), at: 1 });
  assert.deepEqual([current.link, current.lostAt], ["open", null]);
});

test("states of a table in words", () => {
  const say = (more, about) => stateOf(table(1, more), about).text;
  assert.equal(say({}), "Betting");
  assert.equal(say({ phase: "dealing", cards: 3 }), "Dealing, 3 cards");
  assert.equal(say({ phase: "settled", is_in_play: false }), "Settled");
  assert.equal(say({ phase: "stopped", stop: { ground: "x", title: alike("x"), clause: "5.2" } }),
    "Paused, clause 5.2");
  assert.equal(say({ phase: "settled", is_in_play: false, halted: alike("leak") }), "Stopped");
  assert.equal(say({ phase: "betting", halted: alike("leak") }), "Betting", "a round in play ends by rule");
  assert.equal(say({ silent: true }), "Not responding");
  assert.match(drawn(seen([table(1, { phase: "down", is_in_play: false })])), /class="panel c sel  grey"[^]*last seen/);
});

test("a table that closes says so to every supervisor, and can be kept open until it is closed", () => {
  const more = { halted: alike("end of shift"), closing: true }, between = { phase: "settled", is_in_play: false };
  const playing = seen([table(1, more)]), over = seen([table(1, { ...more, ...between })]);
  assert.match(drawn(playing), /Table 1 · closes after this round: end of shift/);
  assert.match(drawn(playing), />Keep open</);
  assert.doesNotMatch(drawn(playing), /data-sheet="close-table"/);
  assert.equal(stateOf(table(1, { ...more, ...between })).text, "Closing");
  assert.match(drawn(over), />Close now</);
  const asks = reduce(playing, { t: "sheet", sheet: { kind: "start-table", table: 1 } });
  assert.match(drawn(asks), /Keep Table 1, Fortune Six open[^]*It was to close: end of shift/);
});

test("edges: one that fell is amber, one that favours the player is red, and both are said in words", () => {
  const text = drawn(seen([table(1, { protection: PROTECTION })]));
  assert.match(text, /328 unseen cards before round 11, the last that is over \(1 burned unseen\)/);
  const [fell] = /Tie<span class="muted">, at \$10<\/span>[^]*/.exec(text);
  assert.match(fell, /<td class="r warn">−2\.00<span class="sr">, fell by over one point/);
  assert.match(text, /−1\.20%[^]*<td class="r danger">−17\.20<span class="sr">, favours the player/);
  assert.match(text, /Fortune Six favoured the player before round 11/);
  assert.doesNotMatch(bar(EDGES[2]) + columns(PROTECTION), /NaN|undefined|style=/);
  assert.doesNotMatch(drawn(seen([table(1)])), /No alarm now[^]*unseen cards/);
});

test("side bets: what favoured the player is ticked beforehand, and a choice says what it would close and open", () => {
  const bad = table(1, { protection: PROTECTION }), shut = table(1, { protection: PROTECTION, bets: closed("tie") });
  assert.deepEqual(tickedFor(bad), { "closed.tie": false, "closed.six": true });
  assert.deepEqual(tickedFor(shut), { "closed.tie": true, "closed.six": true });
  assert.deepEqual(closedBy(bad, { "closed.six": true, "closed.player": true }), ["six"]);
  const { closes, opens } = changes(shut, ["six"]);
  assert.deepEqual([closes.map(({ bet }) => bet), opens.map(({ bet }) => bet)], [["six"], ["tie"]]);
  assert.equal(changes(shut, ["tie"]).isSame, true);
});

test("side bets: a choice goes on from what waits for the end of the round, and everybody sees who asked", () => {
  const bets = { player: { closed: false }, tie: { closed: true }, six: { closed: false } };
  const change = { kind: "limits", by: "sue", at: 1000, limits: { bets }, clock: null, cards: null };
  const waits = table(1, { scheduled: [change] });
  assert.deepEqual(tickedFor(waits), { "closed.tie": true, "closed.six": false });
  assert.equal(changes(waits, ["tie"]).isSame, true);
  const text = drawn(seen([waits]));
  assert.match(text, /Table 1 · limits change after this round</);
  assert.match(text, /limits change after this round, asked for by sue/);
  assert.match(text, /data-act="withdraw-change"\s+data-table="1" data-change="limits"/);
  const lost = reduce(seen([waits]), { t: "link", state: "lost" });
  assert.doesNotMatch(drawn(lost), /withdraw-change/);
});

test("side bets: the sheet names table and bets, then asks again; what is closed is marked among the edges", () => {
  const shut = table(3, { protection: PROTECTION, bets: closed("tie") });
  let state = seen([shut]);
  assert.match(drawn(state), /Tie<span class="muted">, at \$10<\/span> <span class="shut" title="closed/);
  assert.match(drawn(state), /Close side bets from the next round, or stop the table/);
  state = reduce(state, { t: "sheet", sheet: { kind: "bets", table: 3, values: tickedFor(shut) } });
  assert.match(drawn(state), /Side bets of Table 3, Fortune Six/);
  assert.match(drawn(state), /name="closed\.six"\s+checked[^]*favoured the player: house edge −1\.20%/);
  assert.doesNotMatch(drawn(state), /name="closed\.player"/);
  state = reduce(state, { t: "sheet", sheet: { kind: "bets-sure", table: 3, closed: ["six"] } });
  const text = drawn(state);
  assert.match(text, /<dt>Close<\/dt><dd><b>Fortune Six<\/b>[^]*<dt>Open again<\/dt><dd><b>Tie<\/b>/);
  assert.match(text, /Close Fortune Six, open Tie<\/button>/);
  assert.match(text, /Round 12 is in play and ends as it began/);
  const gone = drawn(seen([table(3, { protection: PROTECTION, bets: closed("six") })]));
  assert.match(gone, /Fortune Six favoured the player before round 11\.<\/b>\s+It is closed\./);
});

test("empty: no alerts, nothing to decide, no round yet", () => {
  const text = drawn(seen([table(1, { phase: "waiting" })]));
  assert.match(text, /No alerts today/);
  assert.match(text, /Nothing waits for a second person/);
  assert.match(text, /No round has ended since the watch began/);
  assert.match(drawn(seen([table(1, { phase: "betting" })])), /Bets are open: edges and unseen cards/);
  assert.match(drawn(seen([])), /No table was opened yet/);
});

test("up to five tables the total is a card, beyond it a strip; sums are sums", () => {
  const many = [1, 2, 3, 4, 5, 6].map((n) => table(n));
  assert.match(drawn(seen(many.slice(0, 5))), /Pit total, 5 tables/);
  assert.match(drawn(seen(many)), /c total strip/);
  const sums = { tables: 6, drop: 600000, win: -30000, hold: -0.05, voids: 6, connected: 12, seats: 18 };
  assert.deepEqual(totals(many), sums);
  assert.equal(totals([]).hold, null);
});

test("words and figures", () => {
  assert.deepEqual([percent(0.01168), percent(-0.051, 1), percent(-0.00001)], ["1.17%", "−5.1%", "0.00%"]);
  assert.deepEqual([points(0.0676), points(-0.059), points(0)], ["+6.76", "−5.90", "0.00"]);
  const titles = ["6 Star No Commission Baccarat", "Non-Commission Baccarat with Super Six Plus", "Lucky"];
  assert.deepEqual(titles.map((title) => shortTitle({ title: alike(title) })), ["6 Star", "Super Six Plus", "Lucky"]);
  assert.deepEqual(["mbs-rapid 5", "rws-x", "house"].map(rulesOf), ["MBS rules", "RWS rules", "house rules"]);
  assert.equal(gamingDay("2026-11-05"), "5 Nov 2026");
  assert.deepEqual([may(SAM, "approve"), may(null, "halt-table")], [true, false]);
  const ada = staff("ada", "administrator");
  assert.deepEqual(["approve", "halt-table"].map((command) => may(ada, command)), [false, true]);
});

test("what is typed and what others write is escaped", () => {
  const nasty = "<img src=x onerror=alert(1)>";
  const text = drawn(seen([table(1, { halted: alike(nasty) })], [{ ...alert(1), text: alike(nasty) }],
    { stopped: alike(nasty) }));
  assert.doesNotMatch(text, /<img/);
});

test("proposals of all tables stand in the order in which they were made", () => {
  const state = seen([table(1, { waiting: [WAITS] }), table(2, { waiting: [{ ...WAITS, at: 500 }] })]);
  assert.deepEqual(waitingOf(state).map((each) => each.table.number), [2, 1]);
});

test("the pit is told that no new card is taken", () => {
  assert.doesNotMatch(drawn(seen([table(1)])), /No new card is taken/);
  assert.match(drawn(seen([table(1)], [], { unreachable: 2 })), /No new card is taken[^]*more to 2/);
});

test("the pit is told which streams are in doubt, and since when", () => {
  assert.doesNotMatch(drawn(seen([table(1)])), /not yet known/);
  const state = seen([table(1)], [], { in_doubt: { "table:3": 60_000, floor: 1, "cage:2": 2 } });
  assert.match(drawn(state), /data-doubt="table:3">Table 3: it is not yet known whether commands were recorded, since/);
  assert.match(drawn(state), /Cage window 2: it is not yet known/);
  assert.match(drawn(state), /The house: it is not yet known/);
});

test("a sheet whose command is in doubt says so, stays sent, and can be put away", () => {
  const sheet = { t: "sheet", sheet: { kind: "start-floor" } };
  const state = [sheet, { t: "asked" }, { t: "doubt", error: "…" }].reduce(reduce, seen([table(1)]));
  assert.deepEqual([state.sheet.busy, state.sheet.error], [true, "…"]);
  assert.equal(reduce(state, { t: "cancel" }).sheet, null);
  assert.notEqual(reduce({ ...state, sheet: { ...state.sheet, error: "" } }, { t: "cancel" }).sheet, null);
});

test("figures of a shoe that was taken away are not shown as those of the table", () => {
  const settled = (shoe) => drawn(seen([table(1, { phase: "settled", shoe, protection: PROTECTION })]));
  assert.match(settled(2), /Exact house edge for the 328 unseen cards/);
  assert.match(settled(3), /A new shoe is on the table, and no round of it has ended yet/);
  assert.match(settled(0), /The shoe was taken away/);
  for (const shoe of [0, 3]) assert.doesNotMatch(settled(shoe), /328 unseen|class="t edges"/);
});

test("what waits for this person is counted: not what they asked for, but reviews too", () => {
  const review = { review: 1, round: 3, at: 5, who: "T-07", complaint: "Other", note: "" };
  const waits = (by) => ({ ...WAITS, by });
  assert.equal(toDecide(seen([table(1, { waiting: [waits("dora"), waits("sam")], reviews: [review] })])), 2);
  assert.equal(toDecide(seen([table(1)])), 0);
});
