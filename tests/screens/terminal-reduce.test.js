// The terminal's state: every event, messages twice and out of order, wagers on their way, undo, rebet, double.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clear, clearSpot, double, rebet, tap, undo, wire } from "../../src/puntobanco/web/screens/terminal/ask.js";
import { initial, isPending, reduce, stakeOn, UNDO_MOST } from "../../src/puntobanco/web/screens/terminal/reduce.js";
import {
  BETS, card, dealt, event, events, ids, line, mine, opened, run, session, table, welcome,
} from "./terminal-story.js";

const LIMITS = { bets: { banker: { min_cents: 5000, max_cents: 10000, step_cents: 100 } } };
const FIRST_CARD = { round: 7, slot: "p1", card: "3w", why: "x", why_zh: "y", clause: "3.7.1", next: null };
const FOREIGN = { round: 7, ground: "foreign-card", clause: "5.1" };

const GOLDEN = { // what each event leaves: phase, and whether the whole is asked for
  TableOpened: [{}, null, true],
  LimitsChanged: [{ limits: LIMITS }, "betting", false],
  TableHalted: [{ reason: "fire drill" }, "betting", false],
  TableRestarted: [{}, "betting", false],
  TableClosed: [{ reason: "night" }, "down", true],
  BetsClosed: [{ round: 7, announcement: "No more bets" }, "closed", false],
  TotalsAnnounced: [{ round: 7, player: 5, banker: 0, clause: "3.9" }, "betting", false],
  CardDealt: [FIRST_CARD, "dealing", false],
  RoundResumed: [{ round: 7 }, "betting", true],
  RoundReconstructed: [{ round: 7 }, "betting", true],
  RoundReopened: [{ round: 7 }, "betting", true],
  CardCorrected: [{ round: 7, slot: "p1", before: "3w", after: "4w" }, "betting", true],
  IrregularityDeclared: [{ ...FOREIGN, title: "a card", title_zh: "牌" }, "stopped", false],
  RoundVoided: [FOREIGN, "void", false],
  LastHandCalled: [{ round: 7, shoe: 3, clause: "reading 28" }, "betting", false],
  ShoeEnded: [{ shoe: 3 }, "betting", false],
  ShoeStarted: [{ shoe: 4, decks: 8, commitment: "" }, "betting", false],
};

const betsOpened = (round, announcement = "", closes_at = 99) =>
  events(event("BetsOpened", { round, shoe: 3, announcement, closes_at }));
const roundSettled = (fields) => events(event("RoundSettled", { round: 7, ...fields }));
const amounts = (sent) => sent.commands.map((command) => [command.t, command.bet, command.by_cents]);

test("every public event is known, and leaves what it says", () => {
  for (const [name, [fields, phase, sync]] of Object.entries(GOLDEN)) {
    const s = reduce(opened(), events(event(name, fields)));
    if (phase) assert.equal(s.table.phase, phase, name);
    assert.equal(s.sync, sync, name);
  }
});

test("an event of another kind asks for the whole view, once, and main says when it was asked", () => {
  const s = reduce(opened(), events(event("SomethingNew", {}), event("TableRestarted", {})));
  assert.equal(s.sync, true);
  assert.equal(reduce(s, { t: "asked" }).sync, false);
});

test("events before the first view ask for it", () => {
  assert.equal(reduce(initial(), events(event("ShoeEnded", {}))).sync, true);
});

test("what was told before is not told again, and an older view of one's own is passed over", () => {
  const s = dealt("3w", "Lg");
  assert.equal(reduce(s, { ...events(event("TableHalted", { reason: "old" })), seq: s.seq }), s);
  const later = reduce(s, mine({ seq: 90, balance_cents: 5 }));
  const older = reduce(later, mine({ seq: 89, balance_cents: 7 }));
  assert.equal(older.mine.balance_cents, 5);
});

test("where the dealer closes, nothing says so any longer once bets are not open", () => {
  const s = opened({ dealer_closes: true });
  for (const name of ["BetsClosed", "CardDealt", "IrregularityDeclared", "RoundVoided", "TableClosed"]) {
    const { closes_at, dealer_closes } = reduce(s, events(event(name, GOLDEN[name][0]))).table;
    assert.deepEqual({ closes_at, dealer_closes }, { closes_at: null, dealer_closes: false }, name);
  }
});

test("a round that was missed asks for the whole view and changes nothing else", () => {
  const s = opened(), all = [
    event("CardDealt", { round: 9, slot: "p1", card: "3w" }),
    event("BetsClosed", { round: 6 }),
    event("RoundSettled", { round: 8, result: "B", player: 1, banker: 2, cards: "a b c d" }),
  ];
  for (const missed of all) {
    const after = reduce(s, events(missed));
    assert.equal(after.sync, true);
    assert.deepEqual(after.table, s.table);
  }
});

test("cards that do not follow each other ask for the whole view", () => {
  for (const slot of ["b1", "p2", "p3", "p1"]) {
    const s = slot === "p1" ? dealt("3w") : opened();
    const after = reduce(s, events(event("CardDealt", { round: 7, slot, card: "2e", why: "", clause: "" })));
    assert.equal(after.sync, true, slot);
  }
  const three = dealt("3w", "Lg", "2e");
  const short = reduce(three, roundSettled({ result: "B", player: 5, banker: 0, cards: "3w Lg 2e Lf" }));
  assert.equal(short.sync, true);
  assert.notEqual(short.table.phase, "settled");
});

test("points are counted as the cards fall, and the reason comes with each", () => {
  const s = dealt("3w", "Lg", "2e", "Lf");
  assert.deepEqual([s.table.player, s.table.banker, s.table.phase], [5, 0, "dealing"]);
  assert.equal(s.table.why.clause, "3.7.2");
  assert.equal(dealt("Ah", "Td", "9c").table.player, 0);
});

test("a settlement sets the roads, counts and last result, and the session's lines follow", () => {
  let s = dealt("3w", "Lg", "2e", "Lf", "9a", "6f");
  const marks = { bead: [[0, 0, "Bb"]], big: [[0, 0, "B0b"]], eye: [], small: [], pig: [] };
  const counts = { ...s.table.counts, rounds: 1, banker: 1 };
  const result = { result: "Bb", player: 4, banker: 6 };
  s = reduce(s, roundSettled({ ...result, cards: "3w Lg 2e Lf 9a 6f", marks, counts }));
  assert.deepEqual([s.table.phase, s.table.last], ["settled", { round: 7, ...result }]);
  assert.deepEqual([s.table.roads.big, s.table.counts.banker], [[[0, 0, "B0b"]], 1]);
  const lines = [line("banker", 20000, "wins", 10000), line("tie", 1000, "loses", 0)];
  s = reduce(s, mine({ seq: 60, wagers: {}, lines }));
  assert.deepEqual([s.win, s.last], [10000, { banker: 20000, tie: 1000 }]);
  const again = { ...s, table: { ...s.table, phase: "dealing" } }, moved = { bead: [], big: [[0, 0, "B1b"]] };
  const tie = { result: "T", player: 6, banker: 6, cards: "1 2 3 4 5 6", marks: moved, counts: s.table.counts };
  const tied = reduce(again, roundSettled(tie));
  assert.deepEqual(tied.table.roads.big, [[0, 0, "B1b"]]); // the same cell, not one more
});

test("the next round takes lines, cards, reasons and undo away and keeps what to repeat", () => {
  let s = reduce(dealt("3w"), mine({ seq: 60, lines: [line("banker", 20000, "wins", 10000)] }));
  s = reduce(s, betsOpened(8, "Place your bets, please"));
  assert.deepEqual([s.table.phase, s.table.cards, s.table.why], ["betting", {}, null]);
  assert.deepEqual([s.mine.lines, s.undo, s.last, s.sync], [[], [], { banker: 20000 }, false]);
  assert.equal(reduce(s, betsOpened(11, "", 1)).sync, true); // rounds between were missed
});

test("a void is shown until it is read, also when the next round opens, and not again after that", () => {
  const lines = [line("banker", 20000, "void", 0, 20000)];
  let s = reduce(dealt("3w"), events(event("RoundVoided", { ...FOREIGN, title: "a card", title_zh: "外來牌" })));
  assert.equal(s.voided, null); // nothing of ours yet
  s = reduce(s, mine({ seq: 61, balance_cents: 100000, lines }));
  assert.deepEqual([s.voided.round, s.voided.clause, s.voided.balance_cents], [7, "5.1", 100000]);
  s = reduce(s, betsOpened(8));
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
  s = run(s, { t: "answered", id: "id1", ok: false, code: "limit-refused", reason: "too small", clause: "4.4" });
  assert.equal(stakeOn(s, "banker"), 1000);
  assert.deepEqual([s.refused.reason, s.refused.clause, s.refused.bet], ["too small", "4.4", "banker"]);
  assert.equal(s.undo.length, 1);
  s = run(s, { t: "answered", id: "id2", ok: false, code: "limit-refused", reason: "no wager", clause: "" });
  assert.deepEqual([stakeOn(s, "banker"), s.undo], [0, []]);
});

test("an answer that comes twice, or to nothing, changes nothing", () => {
  const s = opened();
  assert.equal(reduce(s, { t: "answered", id: "who", ok: false, reason: "?" }), s);
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
  const limits = (closed) => ({ bets: { tie: { min_cents: 1000, max_cents: 50_000, step_cents: 100, ...closed } } });
  const tie = (s) => s.table.bets.find(({ bet }) => bet === "tie").limits.closed ?? false;
  const closed = run(opened(), events(event("LimitsChanged", { limits: limits({ closed: true }) })));
  const open = run(closed, events(event("LimitsChanged", { limits: limits({}) })));
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
  const stopped = run(opened(), mine({ seq: 60, stopped: "your time is over" }));
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
    const last = s.seq + 1, told = (seq, ...all) => ({ t: "events", seq, at: 1, events: all });
    s = run(s, told(last, event("BetsOpened", { round, shoe: 3, announcement: "a", closes_at: 99 })));
    const sent = tap(s, "tie", newId);
    s = run(s, sent, { t: "answered", id: sent.commands[0].id, ok: true });
    s = run(s, mine({ seq: last + 1, wagers: { tie: 1000 } }));
    const four = ["3w", "Lg", "2e", "Lf"].map((code, i) => ({ ...card(["p1", "b1", "p2", "b2"][i], code), round }));
    s = run(s, told(last + 2, event("BetsClosed", { round, announcement: "b" }), ...four));
    const result = { round, result: "P", player: 5, banker: 0, cards: "3w Lg 2e Lf" };
    s = run(s, told(last + 3, event("RoundSettled", { ...result, marks: { big: [[0, round, "P0"]] } })));
    s = run(s, mine({ seq: last + 4, wagers: {}, lines: [line("tie", 1000, "loses", 0)] }));
    s = run(s, told(last + 5, event("ShoeEnded", {}), event("ShoeStarted", { shoe: 3, decks: 8 })));
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
  const paid = { session: "T-07:9f", cents: 1_600_000, isPaid: true };
  assert.deepEqual(outcome({ seated: false, balance_cents: 0 }), paid);
  const played = { balance_cents: 5_000, net_cents: 2_000 }; // in: 3,000 bought since; that is not the hand pay
  assert.equal(outcome(played).isPaid, true);
  const back = { balance_cents: 1_590_000, net_cents: -10_000 }; // given back, and some of it lost since
  assert.equal(outcome(back).isPaid, false);
  const other = { session: "T-07:aa", seated: true };
  assert.equal(outcome(other), null, "another patron is told nothing");
});

test("whoever leaves the table leaves no chips, results or wagers to repeat for the next patron", () => {
  const lines = [line("banker", 20_000, "wins", 20_000)];
  const played = run(opened(), mine({ seq: 60, lines }));
  assert.deepEqual([played.last, played.win], [{ banker: 20_000 }, 20_000]);
  const gone = run(played, seen({ seated: false, balance_cents: 0, lines: [] }));
  assert.deepEqual([gone.last, gone.win, gone.undo, gone.mine.lines], [{}, 0, [], []]);
});
