// The terminal's state: every event, messages twice and out of order, wagers on their way, undo, rebet, double.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clear, clearSpot, double, rebet, tap, undo, wire,
} from "../../src/puntobanco_floor/web/screens/terminal/ask.js";
import {
  initial, isPending, reduce, stakeOn, UNDO_MOST,
} from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import {
  BETS, betsClosed, betsOpened, cards, dealt, happens, ids, line, mine, opened, roundSettled,
  roundVoided, run, session, table, welcome,
} from "./terminal-story.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const FOREIGN = { ground: "foreign-card", title: { en: "a card", zh: "外來牌" }, clause: "5.1" };

const amounts = (sent) => sent.commands.map((command) => [command.t, command.bet, command.by_cents]);

test("a message says what it changes, whatever the events are, and nothing is asked for", () => {
  const before = opened(), s = run(before, happens({ halted: alike("fire drill"), waved: true }));
  const { v, seq } = before.table;
  const after = { ...before.table, halted: alike("fire drill"), waved: true, v: v + 1, seq: seq + 1, at: 1_000_000 };
  assert.deepEqual([s.table, s.sync], [after, false]);
});

test("a gap asks for the whole view, once, and what comes until then is passed over", () => {
  const s = opened(), later = { ...happens({ halted: alike("late") })(s), v: s.table.v + 2 };
  const gap = reduce(s, later);
  assert.deepEqual([gap.sync, gap.behind, gap.table], [true, true, s.table]);
  const asked = run(gap, { t: "asked" });
  assert.equal(asked.sync, false);
  const more = { ...later, v: s.table.v + 3 };
  assert.equal(reduce(asked, more), asked, "the whole is on its way");
  const whole = run(asked, welcome({ v: s.table.v + 3, halted: alike("late") }), happens({ halted: null }));
  assert.deepEqual([whole.sync, whole.behind, whole.table.halted], [false, false, null]);
});

test("a message without events says that something was missed", () => {
  const s = opened(), empty = { ...happens()(s), events: [] };
  assert.equal(reduce(s, empty).sync, true);
  assert.equal(reduce(s, { ...empty, v: s.table.v }), s);
});

test("private entries leave no gap", () => {
  const s = opened(), next = { ...happens({ halted: alike("now") })(s), seq: s.table.seq + 40 };
  assert.deepEqual([reduce(s, next).sync, reduce(s, next).table.halted], [false, alike("now")]);
});

test("events before the first view ask for it", () => {
  assert.equal(reduce(initial(), happens()(opened())).sync, true);
});

test("what was told before is not told again, and an older view of one's own is passed over", () => {
  const s = dealt("3w", "Lg"), old = { ...happens({ halted: alike("old") })(s), v: s.table.v };
  assert.equal(reduce(s, old), s);
  const later = run(s, mine({ seq: 90, balance_cents: 5 }));
  const older = reduce(later, mine({ seq: 89, balance_cents: 7 }));
  assert.equal(older.mine.balance_cents, 5);
});

test("cards that are put otherwise do not move, and are not covered", () => {
  const both = mine({ seq: 51, wagers: { player: 1000, banker: 1000 } });
  const s = run(opened(), { t: "squeeze" }, both, cards([["p1", "3w"], ["b1", "Lg"]]));
  assert.deepEqual([s.still, Object.keys(s.covered)], [false, ["p1", "b1"]]);
  const relaid = run(s, happens({ cards: { p1: "Lg", b1: "3w" } }));
  assert.deepEqual([relaid.still, relaid.covered, relaid.landing, relaid.slid], [true, {}, {}, {}]);
});

test("a settlement sets the roads, and the session's lines follow", () => {
  let s = dealt("3w", "Lg", "2e", "Lf", "9a", "6f");
  const result = { result: "Bb", player: 4, banker: 6 };
  s = run(s, roundSettled(result, {}, { bead: [[0, 0, "Bb"]], big: [[0, 0, "B0b"]] }));
  assert.deepEqual([s.table.phase, s.table.results, s.table.roads.big], ["settled", ["Bb"], [[0, 0, "B0b"]]]);
  const lines = [line("banker", 20000, "wins", 10000), line("tie", 1000, "loses", 0)];
  s = run(s, mine({ seq: 60, wagers: {}, lines }));
  assert.deepEqual([s.lastNet, s.last], [9000, { banker: 20000, tie: 1000 }]);
  const tied = run(s, roundSettled({ result: "T", player: 6, banker: 6 }, {}, { big: [[0, 0, "B1b"]] }));
  assert.deepEqual(tied.table.roads.big, [[0, 0, "B1b"]]); // the same cell, not one more
});

test("the next round takes lines, cards, reasons and undo away and keeps what to repeat", () => {
  let s = reduce(dealt("3w"), mine({ seq: 60, lines: [line("banker", 20000, "wins", 10000)] }));
  s = run(s, betsOpened(8));
  assert.deepEqual([s.table.phase, s.table.cards, s.table.why], ["betting", {}, null]);
  assert.deepEqual([s.mine.lines, s.undo, s.last, s.sync], [[], [], { banker: 20000 }, false]);
});

test("a void is shown until it is read, also when the next round opens, and not again after that", () => {
  const lines = [line("banker", 20000, "void", 0, 20000)];
  let s = run(dealt("3w"), roundVoided(FOREIGN));
  assert.equal(s.voided, null); // nothing of ours yet
  s = reduce(s, mine({ seq: 61, balance_cents: 100000, lines }));
  assert.deepEqual([s.voided.round, s.voided.clause, s.voided.balance_cents], [7, "5.1", 100000]);
  s = run(s, betsOpened(8));
  assert.equal(s.voided.round, 7);
  s = reduce(s, { t: "read" });
  assert.deepEqual([s.voided, s.read], [null, 7]);
  const again = reduce({ ...s, table: { ...s.table, round: 7, phase: "void" } }, mine({ seq: 99, lines }));
  assert.equal(again.voided, null);
});

// Wagers on their way

test("a tap places, a second raises, and both are shown until the table has answered", () => {
  const newId = ids(), s1 = run(opened(), tap(opened(), "banker", newId)), s2 = run(s1, tap(s1, "banker", newId));
  const [place, raise] = Object.values(s2.pending).map((command) => JSON.parse(JSON.stringify(wire(command))));
  assert.deepEqual(place, { t: "place", id: "id1", round: 7, bet: "banker", stake_cents: 1000 });
  assert.deepEqual(raise, { t: "raise", id: "id2", round: 7, bet: "banker", by_cents: 1000 });
  assert.deepEqual([stakeOn(s2, "banker"), isPending(s2, "banker"), s2.mine.wagers], [2000, true, {}]);
  // The view may come before the answers.
  let s = run(s2, mine({ seq: 60, balance_cents: 98000, wagers: { banker: 2000 } }));
  assert.equal(stakeOn(s, "banker"), 2000);
  s = run(s, { t: "answered", id: "id1", ok: true }, { t: "answered", id: "id2", ok: true });
  assert.deepEqual([stakeOn(s, "banker"), isPending(s, "banker"), s.pending], [2000, false, {}]);
});

test("a refused wager goes back with its reason, and what was sent after it counts without it", () => {
  const newId = ids();
  let s = run(opened(), tap(opened(), "banker", newId));
  s = run(s, tap(s, "banker", newId));
  s = run(s, { t: "answered", id: "id1", ok: false, code: "limit-refused", reason: alike("too small"), clause: "4.4" });
  assert.equal(stakeOn(s, "banker"), 1000);
  assert.deepEqual([s.refused.reason, s.refused.clause, s.refused.bet], [alike("too small"), "4.4", "banker"]);
  assert.equal(s.undo.length, 1);
  s = run(s, { t: "answered", id: "id2", ok: false, code: "limit-refused", reason: alike("no wager"), clause: "" });
  assert.deepEqual([stakeOn(s, "banker"), s.undo], [0, []]);
});

for (const code of ["in-doubt", "not-stored", "database-unavailable"]) {
  test(`a raise that is answered ${code} is kept and sent again with the same id, and no other is added`, () => {
    const newId = ids();
    let s = run(opened(), tap(opened(), "banker", newId), { t: "answered", id: "id1", ok: true });
    s = run(s, mine({ seq: 60, wagers: { banker: 1000 } }));
    s = run(s, tap(s, "banker", newId), { t: "answered", id: "id2", ok: false, code, reason: alike("?"), clause: "" });
    assert.deepEqual([Object.keys(s.pending), stakeOn(s, "banker"), s.undo.length], [["id2"], 2000, 2]);
    assert.match(s.refused.reason.en, /^It is not yet known whether this was recorded/);
    const asked = [tap(s, "banker", newId), tap(s, "tie", newId), undo(s, newId), clear(s, newId), double(s, newId)];
    assert.deepEqual(asked.map(({ t, refused }) => [t, refused.code]), Array(5).fill(["refused", "in-doubt"]));
    assert.deepEqual(reduce(s, { t: "tick", now: s.now + 100 }).outbox, []); // not at once
    s = reduce(s, { t: "tick", now: s.now + 10_000 });
    assert.deepEqual(s.outbox.map(wire).map(({ id, by_cents }) => [id, by_cents]), [["id2", 1000]]);
    s = run(s, { t: "asked" }, { t: "answered", id: "id2", ok: true }, mine({ seq: 61, wagers: { banker: 2000 } }));
    assert.deepEqual([s.pending, stakeOn(s, "banker"), s.outbox], [{}, 2000, []]);
    assert.equal(tap(s, "banker", newId).t, "sent");
  });
}

test("a wager in doubt is sent when the line is open, and an older round's holds up no new one", () => {
  const newId = ids(), lost = { t: "answered", id: "id1", ok: false, code: "in-doubt", reason: null, clause: "" };
  let s = run(opened(), tap(opened(), "tie", newId), lost, { t: "link", state: "lost", tries: 1 });
  assert.deepEqual(reduce(s, { t: "tick", now: s.now + 60_000 }).outbox, []);
  s = run(s, { t: "link", state: "open" }, betsOpened(8));
  assert.equal(tap(s, "tie", newId).t, "sent");
});

test("what a page leaves in doubt outlives it, for the same session alone", () => {
  const left = run(opened(), tap(opened(), "tie", ids())).pending;
  const again = run(initial({ pending: left }), welcome());
  assert.deepEqual(Object.keys(again.pending), ["id1"]);
  const other = { ...welcome(), session: session({ session: "somebody else" }) };
  assert.deepEqual(run(initial({ pending: left }), other).pending, {});
});

test("an answer that comes twice, or to nothing, changes nothing", () => {
  const s = opened();
  assert.equal(reduce(s, { t: "answered", id: "who", ok: false, reason: alike("?") }), s);
});

test("what is pending outlives a break and a new view, with the same ids, and is off when it is answered", () => {
  const newId = ids();
  let s = run(opened(), tap(opened(), "tie", newId), { t: "link", state: "lost", tries: 2 });
  assert.equal(tap(s, "tie", newId), null); // nothing new while there is no table
  s = run(s, welcome({ seq: 70 }));
  assert.deepEqual([Object.keys(s.pending), stakeOn(s, "tie"), s.still], [["id1"], 1000, true]);
  s = run(s, { t: "answered", id: "id1", ok: true }, mine({ seq: 71, wagers: { tie: 1000 } }));
  assert.deepEqual([s.pending, stakeOn(s, "tie")], [{}, 1000]);
});

test("pending wagers of a round that is over are not shown in the next", () => {
  let s = run(opened(), tap(opened(), "tie", ids()));
  s = run(s, betsOpened(8));
  assert.deepEqual([stakeOn(s, "tie"), Object.keys(s.pending)], [0, ["id1"]]);
});

test("undo takes back the last placements one by one, at most ten, and whole where nothing would stay", () => {
  const newId = ids();
  let s = opened();
  for (let n = 0; n < 12; n += 1) s = run(s, tap(s, "banker", newId));
  assert.equal(s.undo.length, UNDO_MOST);
  let last = null;
  for (let n = 0; n < UNDO_MOST; n += 1) { last = undo(s, newId); s = run(s, last); }
  assert.deepEqual([stakeOn(s, "banker"), undo(s, newId)], [2000, null]);
  assert.equal(last.commands[0].by_cents, 1000);
  let t = run(opened(), tap(opened(), "tie", newId));
  const whole = undo(t, newId);
  assert.deepEqual([whole.commands[0].t, whole.commands[0].by_cents], ["withdraw", undefined]);
  t = run(t, whole);
  assert.equal(stakeOn(t, "tie"), 0);
  assert.equal(tap(t, "tie", newId).commands[0].t, "place"); // after a withdrawal it is placed anew
});

test("clear takes everything, a held spot only its own, and undo forgets what is gone", () => {
  const newId = ids();
  let s = opened();
  for (const bet of ["tie", "banker", "tie"]) s = run(s, tap(s, bet, newId));
  const one = run(s, clearSpot(s, "tie", newId));
  assert.deepEqual([stakeOn(one, "tie"), stakeOn(one, "banker")], [0, 1000]);
  assert.deepEqual(one.undo.flat().map((part) => part.bet), ["banker"]);
  const all = clear(s, newId);
  assert.deepEqual(amounts(all), [["withdraw", "banker", undefined], ["withdraw", "tie", undefined]]);
  s = run(s, all);
  assert.deepEqual([stakeOn(s, "tie"), stakeOn(s, "banker"), s.undo], [0, 0, []]);
  assert.deepEqual([clear(s, newId), clearSpot(s, "tie", newId)], [null, null]);
});

test("rebet is of the last round with a wager, off once one is down, and says when credits do not suffice", () => {
  const newId = ids();
  let s = { ...opened(), last: { banker: 20000, tie: 1000, gone: 500 } };
  const placed = rebet(s, newId).commands.map((command) => [command.bet, command.stake_cents]);
  assert.deepEqual(placed, [["banker", 20000], ["tie", 1000]]);
  const short = { ...s, mine: { ...s.mine, balance_cents: 20500 } };
  assert.deepEqual(rebet(short, newId).refused, { key: "noCreditsFor", cents: 21000 });
  s = run(s, tap(s, "tie", newId));
  assert.equal(rebet(s, newId), null);
  assert.equal(rebet({ ...opened(), last: {} }, newId), null);
  assert.equal(rebet({ ...dealt("3w"), last: { banker: 1000 } }, newId), null);
});

const shut = (...which) => BETS.map((one) =>
  (which.includes(one.bet) ? { ...one, limits: { ...one.limits, closed: true } } : one));

test("a closed spot says so and sends nothing; rebet leaves it out and names it", () => {
  const newId = ids(), s = { ...opened({ bets: shut("tie", "fortune-six") }), last: { banker: 20000, tie: 1000 } };
  assert.deepEqual(tap(s, "tie", newId), { t: "refused", refused: { key: "spot_closed", bet: "tie" } });
  assert.equal(tap({ ...s, link: "lost" }, "tie", newId), null);
  assert.equal(tap(s, "banker", newId).commands[0].bet, "banker");
  const again = rebet(s, newId);
  assert.deepEqual(again.commands.map(({ bet }) => bet), ["banker"]);
  assert.deepEqual(run(s, again).refused, { key: "left_out", bet: "tie", bets: ["tie"] });
  assert.equal(rebet({ ...s, last: { tie: 1000 } }, newId), null);
});

test("limits that change close a spot, and open it again", () => {
  const tie = (s) => s.table.bets.find(({ bet }) => bet === "tie").limits.closed ?? false;
  const closed = run(opened(), happens({ bets: shut("tie") }));
  const open = run(closed, happens({ bets: BETS }));
  assert.deepEqual([tie(closed), tie(open)], [true, false]);
});

test("double is all or nothing: at the limit it doubles, one past it names the spot and sends nothing", () => {
  const newId = ids();
  const with_ = (wagers, balance_cents = 10_000_000) => run(opened(), mine({ seq: 60, wagers, balance_cents }));
  const doubled = double(with_({ tie: 25000, banker: 250000 }), newId);
  assert.deepEqual(amounts(doubled), [["raise", "banker", 250000], ["raise", "tie", 25000]]);
  const over = double(with_({ tie: 25100, banker: 1000 }), newId);
  assert.deepEqual(over, { t: "refused", refused: { key: "doubleOver", bet: "tie", cents: 50000 } });
  assert.equal(double(with_({ banker: 1000 }, 1000), newId).t, "sent");
  assert.deepEqual(double(with_({ banker: 1000 }, 999), newId).refused, { key: "noCreditsFor", cents: 1000 });
  assert.equal(double(opened(), newId), null);
});

test("a double that the table refuses in part is taken back whole", () => {
  const newId = ids();
  let s = run(opened(), mine({ seq: 60, wagers: { tie: 1000, banker: 1000 } }));
  s = run(s, double(s, newId));
  const [banker, tie] = Object.keys(s.pending);
  s = run(s, { t: "answered", id: banker, ok: true }, mine({ seq: 61, wagers: { tie: 1000, banker: 2000 } }));
  const reason = "one patron's wagers in a round are at most 30.00";
  s = reduce(s, { t: "answered", id: tie, ok: false, code: "limit-refused", reason, clause: "" });
  assert.deepEqual(amounts({ commands: s.outbox }), [["withdraw", "banker", 1000]]);
  assert.deepEqual([stakeOn(s, "banker"), stakeOn(s, "tie"), s.undo, s.refused.double], [1000, 1000, [], true]);
  assert.deepEqual(reduce(s, { t: "asked" }).outbox, []);
});

test("nothing is sent outside betting, without a seat, or by a session that was stopped", () => {
  const unseated = run(opened(), mine({ seq: 60, seated: false }));
  const stopped = run(opened(), mine({ seq: 60, stopped: alike("your time is over") }));
  for (const s of [dealt("3w"), unseated, stopped]) {
    for (const asked of [tap(s, "tie", ids()), undo(s, ids()), clear(s, ids()), double(s, ids())]) {
      assert.equal(asked, null);
    }
  }
});

test("a language switched in mid-round keeps wagers, what is pending, and the chip", () => {
  const s = run(opened(), { t: "chip", cents: 2500 }, mine({ seq: 60, wagers: { tie: 1000 } }));
  const t = run(s, tap(s, "banker", ids())), zh = run(t, { t: "language", lang: "zh" });
  assert.deepEqual({ ...zh, lang: "en" }, t);
});

test("a refusal is gone after a while, and with the next placement", () => {
  let s = run(opened(), { t: "refused", refused: { key: "doubleOver" } }, { t: "tick", now: 1_000_000 });
  s = run(s, { t: "tick", now: 1_007_000 });
  assert.ok(s.refused);
  assert.equal(run(s, { t: "tick", now: 1_009_000 }).refused, null);
  assert.equal(run(s, tap(s, "tie", ids())).refused, null);
});

test("a thousand rounds leave no more state than one", () => {
  let s = run(opened(), { t: "squeeze" });
  const size = () => JSON.stringify(s).length;
  const newId = ids();
  let first = 0;
  for (let round = 8; round < 1008; round += 1) {
    s = run(s, betsOpened(round));
    const sent = tap(s, "tie", newId), seq = s.mine.seq;
    s = run(s, sent, { t: "answered", id: sent.commands[0].id, ok: true });
    s = run(s, mine({ seq: seq + 1, wagers: { tie: 1000 } }));
    const four = ["3w", "Lg", "2e", "Lf"].map((code, i) => [["p1", "b1", "p2", "b2"][i], code]);
    s = run(s, betsClosed(), cards(four));
    s = run(s, roundSettled({ result: "P", player: 5, banker: 0 }, {}, { big: [[0, 0, "P0"]] }));
    s = run(s, mine({ seq: seq + 2, wagers: {}, lines: [line("tie", 1000, "loses", 0)] }));
    s = run(s, happens({ shoe: null }), happens({ shoe: 3, results: [], roads: table().roads }));
    if (round === 10) first = size();
  }
  assert.ok(size() < first + 40, `${first} became ${size()}`);
});

test("the first view chooses a chip that the table takes, and keeps one that it has", () => {
  const s = run(initial({ chip: 700 }), { t: "welcome", now: 5, table: table(), session: session() });
  assert.deepEqual([s.chip, s.chips], [1000, [1000, 2500, 10000, 50000, 100000]]);
  assert.equal(run({ ...s, chip: 50000 }, { t: "welcome", now: 5, table: table(), session: session() }).chip, 50000);
});

const HELD = { held_cents: 1_600_000, balance_cents: 0, net_cents: 0 };
const seen = (more) => mine({ seq: 70, ...more });

test("a hand pay that waits survives the page, and it is known afterwards what became of it", () => {
  const waits = run(opened(), mine({ seq: 60, ...HELD }));
  assert.deepEqual(waits.held, { session: "T-07:9f", cents: 1_600_000, in_cents: 0 });
  const again = (session) => reduce(initial({ held: waits.held }), { ...welcome(), session: session.session });
  const outcome = (more) => again(seen(more)).handed;
  assert.equal(outcome(HELD), null, "it waits on");
  const paid = { session: "T-07:9f", cents: 1_600_000, what: "paid" };
  assert.deepEqual(outcome({ seated: false, balance_cents: 0 }), paid);
  const played = { balance_cents: 5_000, net_cents: 2_000 }; // in: 3,000 bought since; that is not the hand pay
  assert.equal(outcome(played).what, "paid");
  const back = { balance_cents: 1_590_000, net_cents: -10_000 }; // given back, and some of it lost since
  assert.equal(outcome(back).what, "back");
  const other = { session: "T-07:aa", seated: true };
  assert.equal(outcome(other), null, "another patron is told nothing");
});

test("whoever leaves the table leaves no chips, results or wagers to repeat for the next patron", () => {
  const lines = [line("banker", 20_000, "wins", 20_000)];
  const played = run(opened(), mine({ seq: 60, lines }));
  assert.deepEqual([played.last, played.lastNet], [{ banker: 20_000 }, 20_000]);
  const gone = run(played, seen({ seated: false, balance_cents: 0, lines: [] }));
  assert.deepEqual([gone.last, gone.lastNet, gone.undo, gone.mine.lines], [{}, 0, [], []]);
});
