// The reports: which one is asked for, what stands in it, and charts that say what the figures say.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setZone } from "../../src/puntobanco_floor/web/screens/base/money.js";
import {
  byPeriod, dropChart, keptChart, keptOf, percentText,
} from "../../src/puntobanco_floor/web/screens/reports/charts.js";
import {
  dayBeside, dayOf, first, kindsOf, pathOf, reduce,
} from "../../src/puntobanco_floor/web/screens/reports/reduce.js";
import { SECTIONS } from "../../src/puntobanco_floor/web/screens/reports/sections.js";
import { view } from "../../src/puntobanco_floor/web/screens/reports/view.js";
import { kindName } from "../../src/puntobanco_floor/web/screens/reports/words.js";
import { staff } from "./staff.js";

const GAME = {
  table: "table:1", game: "six-star", definition: "a3", decks: 8, rounds: 12, voids: 1, reopened: 0,
  wagered_cents: 100_000, won_cents: 98_000, winnings_cents: 0, bonus_cents: 0, win_cents: 2_000, voided_cents: 500,
  in_play_cents: 0,
  unrecovered_cents: 0, theory: "98.94", actual: "98.00",
};
const DROP = {
  period: "2026-11-16", table: "table:1", game: "six-star", decks: 8, bought_cents: 40_000, loaded_cents: 0,
  redeemed_cents: 0, drop_cents: 40_000, out_cents: 0, win_cents: 2_000, hold: "5.00",
};
const voided = (ground, en, zh, people) =>
  ({ ground, title: { en, zh }, people, rounds: 2, returned_cents: 7_000 });
const REPORT = {
  title: "Daily report", house: "House", demo: false, kind: "daily",
  start: Date.UTC(2026, 10, 15, 22), at: Date.UTC(2026, 10, 16, 5), end: Date.UTC(2026, 10, 16, 22),
  day_starts: "06:00 Asia/Singapore", program: "puntobanco 1", note: "", games: [GAME],
  bets: [{ table: "table:1", game: "six-star", decks: 8, bet: "tie", wagers: 3, wagered_cents: 3_000, won_cents: 0,
    theory: "85.64", actual: "0.00" }],
  drop: [DROP], meters: [], vouchers: [], interrupted: [{ table: "table:1", round: 4, cents: 0 }], shoes: [],
  voided: [
    voided("malfunction", "a malfunction of the equipment", "設備故障", ["dora", "sue"]),
    voided("insufficient-cards", "too few cards", "餘牌不足", []),
  ],
  drawers: [{ window: "cage:2", shift: 7, cashier: "carl", second: "sue", since: 1, at: Date.UTC(2026, 10, 16, 1),
    float_cents: 5_000, in_cents: 0, out_cents: 0, expected_cents: 5_000, counted_cents: 4_000,
    difference_cents: -1_000 }],
  events: [{ at: Date.UTC(2026, 10, 15, 23, 30), stream: "table:1", entry: 9, by: "dora", kind: "void",
    what: "round 3 void" }],
  kinds: {}, exceptions: ["a <b>thing</b>"], ties: [], compared: 140, faults: [], ties_out: true,
};
const TABLES = [{ table: "table:1", game: "six-star", title: { en: "6 Star", zh: "六星" },
  bets: [{ bet: "tie", title: { en: "Tie", zh: "和" } }] }];
const OWED = {
  title: "Voucher liability", house: "House", demo: false, at: 0, open_cents: 700, expired_cents: 300,
  ledger_cents: 1_000, ties_out: true, note: "", rows: [{ table: "table:1", open: 2, open_cents: 700, expired: 1,
  expired_cents: 300 }],
};
const seen = (...messages) => [
  { t: "me", me: { ...staff("otto", "auditor"), zone: "Asia/Singapore" } }, { t: "tables", tables: TABLES },
  { t: "today", today: "2026-11-16" }, { t: "report", report: REPORT }, ...messages,
].reduce(reduce, first());
const text = (state) => String(view(state)).replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
setZone("Asia/Singapore");

test("an address names a report, and what it does not know is the present day's", () => {
  const asked = first({ kind: "month", day: "2026-03-01" });
  assert.deepEqual([asked.kind, asked.day], ["month", "2026-03-01"]);
  assert.deepEqual([first({ kind: "x", day: "tomorrow" }).kind, first({ day: "tomorrow" }).day], ["daily", ""]);
});

test("a report is had by its kind and day, and what is owed is now", () => {
  assert.equal(pathOf({ kind: "month", day: "2026-03-01" }), "/api/staff/reports/month?day=2026-03-01");
  assert.equal(pathOf({ kind: "daily", day: "" }, "pdf"), "/api/staff/reports/daily/pdf");
  assert.equal(pathOf({ kind: "liability", day: "2026-03-01" }, "csv"), "/api/staff/reports/liability.csv");
});

test("days go one by one over the ends of months, and not beyond the present one", () => {
  assert.deepEqual([dayBeside("2026-03-01", -1), dayBeside("2026-12-31", 1)], ["2026-02-28", "2027-01-01"]);
  const before = reduce(seen(), { t: "ask", day: "2026-11-15" });
  const again = reduce(before, { t: "ask", day: "2026-11-16" });
  assert.deepEqual([dayOf(before), dayOf(again)], ["2026-11-15", "2026-11-16"]);
  assert.equal(again.day, "", "the present day is the one that goes on");
  const forward = (state) => /data-by="1"[^>]*>/.exec(String(view(state)))?.[0] ?? "";
  assert.match(forward(seen()), /disabled/);
  assert.doesNotMatch(forward(before), /disabled/);
});

test("what somebody may not see is not offered", () => {
  assert.deepEqual(kindsOf(seen()), ["daily", "month", "year", "life", "liability"]);
  const cashier = reduce(first(), { t: "me", me: staff("carl", "cashier") });
  assert.deepEqual(kindsOf(cashier), ["liability"]);
  assert.doesNotMatch(String(view(cashier)), /data-kind="daily"/);
});

test("times are the house's, and the gaming day is said", () => {
  const shown = text(seen());
  assert.match(shown, /2026-11-16 06:00:00 to 2026-11-17 06:00:00/);
  assert.match(shown, /starts at 06:00 Asia\/Singapore/);
  assert.match(shown, /2026-11-16 07:30:00 Table 1 9 dora void round 3 void/);
  assert.match(shown, /Times are of Asia\/Singapore/);
});

test("every section stands in the page, with its rows or that there are none", () => {
  const shown = String(view(seen()));
  for (const { key } of SECTIONS) assert.match(shown, new RegExp(`id="${key}"`), key);
  assert.match(text(seen()), /Table 1 6 Star 8 12 \$1,000.00 \$980.00 \$0.00 \+\$20.00 98.94 % 98.00 %/);
  assert.match(text(seen()), /Window 2 7 carl sue/);
  assert.match(text(seen()), /−\$10.00/);
  assert.match(text(seen()), /Interrupted games No activity/, "a round without wagers interrupts nothing");
  assert.match(shown, /a &lt;b&gt;thing/);
});

test("it is all in Chinese but for the sentences of the journal", () => {
  const shown = text(seen({ t: "language", lang: "zh" }));
  assert.match(shown, /賭枱 1 六星/);
  assert.match(shown, /作廢 round 3 void/);
  const written = /round 3 void|Asia\/Singapore|puntobanco 1|a &lt;b&gt;thing&lt;\/b&gt;/g;
  const names = /EN|House|CSV|PDF|carl|sue|dora|otto/g;
  const own = shown.replaceAll(written, "").replaceAll(names, "");
  assert.deepEqual(own.match(/[A-Za-z]{2,}/g), null);
  assert.doesNotMatch(shown, /[\u4e00-\u9fff\d], |, [\u4e00-\u9fff]/, "a comma of its own");
  assert.equal(kindName("zh", "a new kind"), "a new kind");
});

test("what does not tie out cannot be overlooked", () => {
  const wrong = { ...REPORT, ties_out: false, faults: ["vouchers 1.00 against 2.00"] };
  assert.match(text(seen({ t: "report", report: wrong })), /DOES NOT TIE OUT vouchers 1.00 against 2.00/);
  assert.doesNotMatch(text(seen()), /NOT TIE/);
});

test("what is owed has its total and the ledger beside it", () => {
  const shown = text(seen({ t: "ask", kind: "liability" }, { t: "owed", owed: OWED }));
  assert.match(shown, /Table 1 2 \$7.00 1 \$3.00 Total \$7.00 \$3.00/);
  assert.match(shown, /ledger \$10.00/);
});

test("what is kept is the rest of what is returned, to the hundredth", () => {
  assert.deepEqual([keptOf("98.94"), keptOf("222.22"), keptOf("0.00")], [106, -12_222, 10_000]);
  assert.deepEqual([percentText(106), percentText(-12_222), percentText(5)], ["1.06 %", "−122.22 %", "0.05 %"]);
});

test("a chart has a pair of bars a row, says them aloud, and is left out where nothing was wagered", () => {
  const drawn = keptChart("en", "Kept", [{ ...GAME, name: "Table <1>" }, { name: "idle", theory: "", actual: "" }]);
  assert.equal(drawn.match(/<rect/g)?.length, 2);
  assert.match(drawn, /aria-label="Kept. Table &lt;1&gt;: 2.00 % actual, 1.06 % in theory."/);
  assert.doesNotMatch(drawn, /idle|NaN/);
  assert.equal(keptChart("en", "Kept", [{ name: "idle", theory: "", actual: "" }]), "");
  const lost = keptChart("en", "Kept", [{ name: "x", theory: "98.94", actual: "120.00" }]);
  assert.match(lost, /class="lost"/);
});

test("drop and win are of all tables together, in order, and one period is no chart", () => {
  const rows = [{ ...DROP, period: "2026-11-17" }, DROP, { ...DROP, table: "table:2", win_cents: -5_000 }];
  assert.deepEqual(byPeriod(rows), [
    { period: "2026-11-16", drop: 80_000, win: -3_000 }, { period: "2026-11-17", drop: 40_000, win: 2_000 },
  ]);
  assert.equal(dropChart("en", "Drop", [DROP]), "");
  assert.match(dropChart("en", "Drop", rows), /2026-11-16: drop \$800.00, win −\$30.00/);
});

test("a refusal is said in the language, and what was shown stays", () => {
  const state = seen({ t: "said", said: { en: "no such day", zh: "沒有這一日" } });
  assert.match(text(state), /no such day/);
  assert.match(text({ ...state, lang: "zh" }), /沒有這一日/);
  assert.ok(state.report);
});
