// The audit: what is listed, where the replay stands, and when the bar may be green.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  beside, first, listed, outcome, postings, record, reduce, verdict,
} from "../../src/puntobanco_floor/web/screens/audit/reduce.js";
import { view } from "../../src/puntobanco_floor/web/screens/audit/view.js";
import {
  accountName, kindName, places, plain, sessionName, told,
} from "../../src/puntobanco_floor/web/screens/audit/words.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const row = (seq, kind, group, says, more = {}) => ({
  seq, at: 1_000 * seq, by: "dora", command: "x", kind, group, round: 38, clause: "3.9", says: alike(says),
  hash: `hash${seq}`, ...more,
});
const at = (seq, kind, group, says, more = {}) => ({
  row: row(seq, kind, group, says), cards: {}, player: null, banker: null, slot: "", why: null, postings: [], ...more,
});
const RETOLD = {
  table: "table:6", round: 38, rounds: 40, game: "six-star", title: "6 Star", rules: "r", shoe: 2, decks: 8,
  dealing: "physical", state: "settled", result: "B", first: 5, last: 8, folded: 0,
  records: [
    at(5, "BetsOpened", "table", '"Place your bets": round 38'),
    at(6, "WagerPlaced", "wagers", "g0123456789abcdef wagers 10.00 on tie", {
      postings: [{ account: "wagers", cents: 1_000 }, { account: "session:g0123456789abcdef", cents: -1_000 }],
    }),
    at(7, "CardDealt", "cards", "p1 2h: Player's first card [3.7.1]", {
      cards: { p1: "2h" }, player: 2, slot: "p1", why: alike("Player's first card"),
    }),
    at(8, "RoundSettled", "table", "settled", {
      cards: { p1: "2h" }, postings: [{ account: "wagers", cents: -1_000 }, { account: "bank", cents: 1_000 }],
    }),
  ],
  checks: [
    { what: alike("Winner"), clause: "3.10", expected: alike("Banker 6 over 4"), recorded: alike("Banker 6 over 4"),
      agrees: true },
  ],
  outcomes: [
    { seq: 8, what: "settled", result: "B", clause: "", lines: [], lines_total: 0, staked_cents: 0, paid_cents: 0 },
  ],
  funds: [], approvals: [], corrections: [],
};
const open = [
  { t: "streams", streams: [{ stream: "table:6", title: "6 Star", seq: 9, hash: "", at: 1, rounds: 40 }] },
  { t: "stream", stream: "table:6" },
];
const state = (...messages) =>
  [...open, { t: "retold", retold: RETOLD, seq: null }, ...messages].reduce(reduce, first());
const VERIFY = {
  running: false, ran: true, by: "otto", began_at: 1, took_ms: 4_100, done: 9, total: 9, fault: "", bad: null,
  streams: 1, entries: 9, rounds: 1, voids: 0, reopened: 0, wagers: 1, shoes: 0, signatures: 1, unproven: [],
  rulings: [],
};

test("a round opens at its last record, and a record that is asked for is chosen", () => {
  assert.deepEqual([state().at, state().seq], [3, 8]);
  const asked = [...open, { t: "retold", retold: RETOLD, seq: 6 }].reduce(reduce, first());
  assert.deepEqual([asked.at, asked.seq], [1, 6]);
});

test("rulings to look at are listed beside a verdict that stays green", () => {
  const text = "table:6 round 38, entry 8: foreign-card [5.1] by sam and sue; void on a ground that cannot exist";
  const found = state({ t: "verify", verify: { ...VERIFY, rulings: [text] } });
  assert.equal(verdict({ ...VERIFY, rulings: [text] }), verdict(VERIFY));
  assert.match(String(view(found)), /1 rulings to look at/);
  assert.ok(String(view(found)).includes(text));
  assert.doesNotMatch(String(view(state({ t: "verify", verify: VERIFY }))), /rulings to look at/);
});

test("the replay goes record by record and stops at its ends", () => {
  assert.equal(state({ t: "at", at: 99 }).at, 3);
  assert.equal(state({ t: "at", at: -5 }).at, 0);
  let playing = state({ t: "at", at: 0 }, { t: "play", playing: true });
  const seen = [];
  while (playing.playing) { playing = reduce(playing, { t: "tick" }); seen.push(playing.seq); }
  assert.deepEqual(seen, [6, 7, 8]);
});

test("the list is filtered by kind and by words, clauses and hashes", () => {
  const seqs = (...m) => listed(state(...m)).map((one) => one.row.seq);
  assert.deepEqual(seqs({ t: "filter", group: "cards" }), [7]);
  assert.deepEqual(seqs({ t: "filter", text: "TIE" }), [6]);
  assert.deepEqual(seqs({ t: "filter", text: "hash5" }), [5]);
  assert.deepEqual(seqs({ t: "filter", text: "3.9" }), [5, 6, 7, 8]);
  const cards = state({ t: "filter", group: "cards" });
  assert.deepEqual([beside(state(), -1), beside(state(), 1), beside(cards, 1)], [7, 8, 7]);
});

test("what a record moved, or else what the round's end moved", () => {
  assert.equal(postings(state({ t: "choose", seq: 6 })).row.seq, 6);
  assert.equal(postings(state({ t: "choose", seq: 7 })).row.seq, 8);
  assert.equal(outcome(state({ t: "choose", seq: 5 })).seq, 8);
  assert.equal(record(state({ t: "choose", seq: 7 })).slot, "p1");
});

test("an answer for another record or another stream is not shown", () => {
  const raw = {
    row: row(6, "WagerPlaced", "wagers", ""), raw: "{}", prev: "", before_hash: "", hash: "", next_prev: "",
    agrees: true, withheld: false, postings: [],
  };
  assert.equal(state({ t: "raw", raw }).raw, null);
  assert.equal(state({ t: "choose", seq: 6 }, { t: "raw", raw }).raw, raw);
  assert.deepEqual(state({ t: "page", page: { stream: "table:1", rows: [1], before: null, last: 1 } }).rows, []);
});

test("the bar is green only after a full recomputation without a fault", () => {
  const verdicts = {
    unknown: null, never: { ...VERIFY, ran: false }, running: { ...VERIFY, running: true },
    sound: VERIFY, broken: { ...VERIFY, fault: "x" },
  };
  for (const [word, found] of Object.entries(verdicts)) assert.equal(verdict(found), word);
  const sound = String(view(state({ t: "verify", verify: VERIFY })));
  assert.match(sound, /class="ver sound"[\s\S]*Journal verified, no breaks/);
  const bad = { stream: "table:6", seq: 7, expected: "a".repeat(64), found: "b".repeat(64) };
  const text = String(view(state({ t: "verify", verify: { ...VERIFY, fault: "table:6 entry 7: wrong", bad } })));
  assert.match(text, /Broken at Table 6, record 7/);
  assert.match(text, /aaaaaaaa…aaaa[\s\S]*bbbbbbbb…bbbb/);
  assert.doesNotMatch(text, /no breaks/);
});

test("words", () => {
  assert.equal(kindName("RoundSettled"), "ROUND SETTLED");
  assert.equal(told(RETOLD.records[2]), "1 Player, 2 of Hearts");
  assert.equal(plain("g0123456789abcdef wagers 10.00 on tie"), "Guest 0123 wagers 10.00 on tie");
  assert.equal(plain("p1 2h: Player's first card [3.7.1]"), "Player 1, 2 of Hearts: Player's first card");
  assert.equal(plain("Banker's second card was 9c, is Tc"), "Banker's second card was 9 of Clubs, is 10 of Clubs");
  assert.deepEqual(places({ p1: "", b1: "", p2: "", b2: "", b3: "" }), { p1: 1, b1: 2, p2: 3, b2: 4, b3: 5 });
  assert.deepEqual([accountName("session:T-07:0a1b2c3d4e5f"), accountName("bank")], ["Credits, T-07", "House"]);
  assert.equal(sessionName("ann"), "ann");
});

test("the replay shows the cards of the record, and its postings sum to nothing", () => {
  const text = String(view(state({ t: "choose", seq: 7 })));
  assert.match(text, /class="n now"[\s\S]*<pb-card code="2h"/);
  assert.match(text, /sum \$0\.00/);
  assert.match(text, /Credits, Guest 0123|Wagers in play/);
});
