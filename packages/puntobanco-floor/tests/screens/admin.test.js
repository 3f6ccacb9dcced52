// The administration: forms are checked as the server checks them, secrets are shown once, changes wait in the table.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cardsForm, cardValues, readCards } from "../../src/puntobanco_floor/web/screens/forms/cards.js";
import {
  causeWrong, nameWrong, patronWrong, reasonWrong, whyOf, wholeWrong, wrongs,
} from "../../src/puntobanco_floor/web/screens/forms/fields.js";
import {
  clockForm, clockValues, limitsForm, limitValues, readClock, readLimits, wrongBy,
} from "../../src/puntobanco_floor/web/screens/forms/limits.js";
import { changedText, waiting } from "../../src/puntobanco_floor/web/screens/forms/scheduled.js";
import { first, found, placed, reduce } from "../../src/puntobanco_floor/web/screens/admin/reduce.js";
import { freeNumber, openValues, readOpening } from "../../src/puntobanco_floor/web/screens/forms/tables.js";
import { Refused } from "../../src/puntobanco_floor/web/screens/base/api.js";
import { may } from "../../src/puntobanco_floor/web/screens/base/staffbar.js";
import { alike, pageLanguage, setLanguage } from "../../src/puntobanco_floor/web/screens/base/words.js";
import { view } from "../../src/puntobanco_floor/web/screens/admin/view.js";
import { clockOf, stateOf } from "../../src/puntobanco_floor/web/screens/admin/words.js";
import { staff } from "./staff.js";

const bet = (min, max, step) => ({ min_cents: min, max_cents: max, step_cents: step });
const LIMITS = {
  bets: { player: bet(1000, 500000, 100), banker: bet(1000, 500000, 100) },
  patron_max_cents: 2000000, exposure_max_cents: 500000000, differential_cents: null,
  staff_load_cents: 0, hand_pay_cents: 1000000, large_buy_in_cents: 2500000, seats: 11,
};
const GAME = {
  game: "rapid", title: alike("Rapid"), rules: "mbs-rapid 5", deck_cards: 52, fewest_decks: 4, most_decks: 10,
  default_decks: 8, shuffler: false, dealt_by: "terminal",
  bets: [
    { bet: "player", title: alike("Player"), step_cents: 1 }, { bet: "banker", title: alike("Banker"), step_cents: 2 },
  ],
  limits: LIMITS,
};
const CLOCK = {
  betting_ms: 15000, guard_ms: 1000, card_ms: 900, pause_ms: 4000, squeeze_ms: 0,
  automatic: true, new_shoes: true, closes_by_clock: false,
};
const CARDS = {
  source: "shoe", dealing: "virtual", decks: 0, cut: 14, burn: 0, count_shoes: false, road_rounds: 100,
};
const ROW = {
  table: "table:1", game: "rapid", phase: "betting", halted: null, round: 3, sessions: 2, limits: LIMITS, clock: CLOCK,
  cards: CARDS, scheduled: [],
};
const HOUSE = {
  house: "House", demo: false, stopped: null, tables: [ROW],
  staff: [
    { name: "ada", role: "administrator", locked: false, disabled: "", unconfirmed: false, enrolled: true },
    { name: "dora", role: "dealer", locked: true, disabled: "", unconfirmed: false, enrolled: true },
  ],
  terminals: [{ name: "T-01", table: "table:1", enrolled: true, code_waits: false, disabled: "" }],
  exclusions: [],
};
const ADA = staff("ada", "administrator");
const BEGIN = [
  { t: "me", me: ADA }, { t: "link", state: "open" }, { t: "games", games: [GAME] }, { t: "view", view: HOUSE },
];
const shown = (...messages) => [...BEGIN, ...messages].reduce(reduce, first());
const drawn = (state) => String(view(state));

test("limits that hold come back as they were", () => {
  assert.deepEqual(readLimits(GAME, limitValues(GAME, LIMITS)), { limits: LIMITS });
});

test("a bet is closed by its tick, where it can be", () => {
  const bets = GAME.bets.map((one) => ({ ...one, closable: one.bet === "banker" }));
  const game = { ...GAME, bets }, values = { ...limitValues(game, LIMITS), "closed.banker": true };
  const { limits } = readLimits(game, values);
  assert.deepEqual([limits.bets.banker.closed, limits.bets.player.closed], [true, undefined]);
  assert.equal(limitValues(game, limits)["closed.banker"], true);
  const form = String(limitsForm(game, { values, wrong: null }));
  assert.match(form, /name="closed\.banker"\s+aria-label="Banker, closed" checked/);
  assert.doesNotMatch(form, /name="closed\.player"/);
});

test("what is no amount is said beside its field, before the server is asked", () => {
  const wrong = (changes) => readLimits(GAME, { ...limitValues(GAME, LIMITS), ...changes }).wrong;
  assert.match(wrong({ "max.banker": "lots" })["max.banker"], /amount in dollars/);
  assert.match(wrong({ large_buy_in: "much" }).large_buy_in, /An amount in dollars/);
  const { limits } = readLimits(GAME, { ...limitValues(GAME, LIMITS), differential: "250" });
  assert.equal(limits.differential_cents, 25000);
  assert.equal(wrong({ staff_load: "0", hand_pay: "0", large_buy_in: "0" }), undefined);
});

test("what the server finds wrong stands beside its field, in its words", () => {
  const fields = {
    "bets.banker.step_cents": "a step of 0.01 on banker is not payable", patron_max_cents: "it is 0.01 to much",
    pause_ms: "it needs a pause",
  };
  const found = {
    "step.banker": "A step of 0.01 on banker is not payable.", patron_max: "It is 0.01 to much.",
    pause: "It needs a pause.",
  };
  assert.deepEqual(wrongBy({ fields }), found);
  assert.deepEqual(placed("limits", { fields, code: "bad-limits", message: "" }), { wrong: found });
  assert.equal(wrongBy({ fields: {} }), null);
  const form = String(limitsForm(GAME, { values: limitValues(GAME, LIMITS), wrong: found }));
  assert.match(form, /name="step\.banker"[^>]*aria-invalid="true"[^>]*><small class="wrong"\s+id="w-step-banker">A step of 0\.01/);
});

test("a clock is read in seconds", () => {
  assert.deepEqual(readClock(clockValues(CLOCK)), { clock: CLOCK });
  assert.match(readClock({ ...clockValues(CLOCK), betting: "soon" }).wrong.betting, /^Seconds/);
  assert.equal(readClock({ ...clockValues(CLOCK), automatic: false, pause: "0" }).clock.pause_ms, 0);
  assert.equal(readClock({ ...clockValues(CLOCK), squeeze: "8.5" }).clock.squeeze_ms, 8_500);
  assert.match(String(clockForm({ values: clockValues(CLOCK) })), /name="squeeze"/);
  assert.equal(readClock({ ...clockValues(CLOCK), closes_by_clock: true }).clock.closes_by_clock, true);
});

test("what a new shoe is holds the server's bounds; a shuffler only where the rules have one", () => {
  assert.deepEqual(readCards(GAME, cardValues(CARDS)), { cards: CARDS });
  const read = (changes, game = GAME) => readCards(game, { ...cardValues(CARDS), ...changes });
  assert.match(read({ decks: "3" }).wrong.decks, /4 to 10 decks/);
  assert.match(read({ cut: "" }).wrong.cut, /whole number/);
  assert.match(read({ burn: "51" }).wrong.burn, /0 to 50, or first-card/);
  assert.match(read({ road_rounds: "0" }).wrong.road_rounds, /1 to 1,000/);
  assert.deepEqual([read({ burn: "first-card" }).cards.burn, read({ burn: "3" }).cards.burn], ["first-card", 3]);
  const shuffler = { ...GAME, shuffler: true };
  assert.deepEqual(
    [read({ source: "continuous" }).cards.source, read({ source: "continuous" }, shuffler).cards.source],
    ["shoe", "continuous"],
  );
  const form = (game) => String(cardsForm(game, { values: cardValues(CARDS), wrong: null }));
  assert.match(form(shuffler), /name="source"/);
  assert.doesNotMatch(form(GAME), /name="source"/);
});

test("the cards of a table have a sheet of their own, with what holds now", () => {
  const sheet = { kind: "cards", name: "table:1", values: cardValues({ ...CARDS, cut: 21 }) };
  const page = drawn(shown({ t: "sheet", sheet }));
  assert.match(page, /Cards of table 1/);
  assert.match(page, /name="cut"[^>]*value="21"/);
  assert.match(page, /holds from the next shoe on/);
});

test("a table is opened with its game's limits, and a dealer's table with no clock", () => {
  const { body } = readOpening([GAME], openValues([GAME], { number: 7, dealing: "dealer" }), [1]);
  const { number, game, physical, clock, cards, limits } = body;
  assert.deepEqual([number, game, physical, clock.automatic, limits], [7, "rapid", true, false, LIMITS]);
  assert.deepEqual(cards, { ...CARDS, dealing: "physical" });
  assert.match(readOpening([GAME], openValues([GAME], { number: 1 }), [1]).wrong.number, /open already/);
  assert.match(readOpening([GAME], openValues([GAME], { number: 0 }), []).wrong.number, /1 to 1,000,000/);
  assert.deepEqual([freeNumber([]), freeNumber([1, 2, 4])], [1, 3]);
});

test("names, patrons, reasons and numbers", () => {
  assert.deepEqual([nameWrong("T-07"), nameWrong("anna.b_2")], ["", ""]);
  assert.match(nameWrong("ada", ["ada"]), /there already/);
  for (const bad of ["", "-x", "a b", "é", "x".repeat(33)]) assert.notEqual(nameWrong(bad), "", bad);
  assert.deepEqual([patronWrong("card:1@x"), patronWrong("a b") === ""], ["", false]);
  assert.equal(reasonWrong("leak"), "");
  for (const bad of ["  ", "x".repeat(401)]) assert.notEqual(reasonWrong(bad), "", bad);
  assert.equal(causeWrong({ cause: "safety", note: " " }), null);
  assert.equal(causeWrong({ cause: "another-reason", note: "a leak" }), null);
  assert.deepEqual(causeWrong({}), { cause: "Choose." });
  assert.deepEqual(causeWrong({ cause: "another-reason", note: " " }), { note: "Say why." });
  assert.deepEqual(whyOf({ cause: "safety", note: " a leak " }), { cause: "safety", note: "a leak" });
  assert.equal(wholeWrong("5", 1, 5), "");
  for (const bad of ["6", "1.5"]) assert.notEqual(wholeWrong(bad, 1, 5), "", bad);
  assert.equal(wrongs({ a: "", b: "" }), null);
});

test("a secret is shown once, with a warning, and forgotten when it is put away", () => {
  const secret = { what: "code", where: "http://x/enrol", name: "T-02", secret: "ABCD-EFGH-JKMN" };
  let state = shown({ t: "sheet", sheet: { kind: "add-terminal" } }, { t: "done", text: "added", secret });
  assert.match(drawn(state), /ABCD-EFGH-JKMN[^]*shown this once[^]*http:\/\/x\/enrol/);
  state = reduce(state, { t: "put-away" });
  assert.doesNotMatch(drawn(state), /ABCD-EFGH/);
  assert.doesNotMatch(JSON.stringify(state), /ABCD-EFGH/);
});

test("a refusal stands beside its field, or above the buttons", () => {
  const message = "dora is on the staff already";
  assert.deepEqual(placed("add-staff", { code: "already-there", message }), { wrong: { name: message } });
  const refused = new Refused({ reason: { en: "no", zh: "不可" }, code: "bad-limits" }, 409);
  const { error } = placed("limits", refused), before = pageLanguage();
  assert.equal(error(), "no");
  setLanguage("zh"); // in which it is read then
  assert.equal(error(), "不可");
  setLanguage(before);
  const state = shown(
    { t: "sheet", sheet: { kind: "add-staff" } }, { t: "asked", values: { name: "store", role: "dealer" } },
    { t: "wrong", wrong: { name: "store is a name that the house has for itself" } },
  );
  assert.match(drawn(state), /value="store"[^]*id="f-name-wrong"[^]*the house has for itself/);
});

const WAITS = { kind: "clock", by: "sue", at: 1000, limits: null, clock: { ...CLOCK, pause_ms: 9000 }, cards: null };

test("what waits for the end of a round stands at its table, with who asked, and can be withdrawn", () => {
  const view = { ...HOUSE, tables: [{ ...ROW, scheduled: [WAITS] }] };
  const text = drawn(shown({ t: "view", view }));
  assert.match(text, /clock changes after this round, asked for by sue/);
  assert.match(text, /data-act="withdraw-change"\s+data-table="1" data-change="clock"/);
  const auditor = reduce(shown({ t: "view", view }), { t: "me", me: staff("otto", "auditor") });
  assert.match(drawn(auditor), /asked for by sue/);
  assert.doesNotMatch(drawn(auditor), /withdraw-change/);
  assert.doesNotMatch(drawn(shown()), /after this round/);
});

test("a form goes on from what waits, and says whether the change is made or waits", () => {
  const row = { ...ROW, scheduled: [WAITS] };
  assert.deepEqual([waiting(row, "clock"), waiting(row, "limits")], [WAITS.clock, undefined]);
  assert.equal(changedText(1, row, "clock"), "Table 1: clock changes after this round");
  assert.equal(changedText(1, row, "limits"), "Table 1: limits changed");
});

test("what could not be done without a sheet stands above the page until it is seen", () => {
  const state = shown({ t: "said", text: "Table 1: no change of the clock is scheduled", wrong: true });
  assert.match(drawn(state), /class="note danger"[^]*no change of the clock is scheduled/);
  assert.doesNotMatch(drawn(reduce(state, { t: "trouble-seen" })), /class="note danger"/);
});

test("lists: what the role may not see is not there, what it may not do has no button", () => {
  assert.match(drawn(shown()), /Limits, table 1/);
  const auditor = reduce(shown(), { t: "me", me: staff("ada", "auditor") });
  assert.doesNotMatch(drawn(auditor), /data-sheet=/);
  const other = { t: "me", me: staff("ada", "supervisor") };
  const supervisor = shown(other, { t: "view", view: { ...HOUSE, staff: null } });
  assert.doesNotMatch(drawn(supervisor), /data-tab="staff"/);
  const sam = staff("sam", "supervisor");
  assert.deepEqual(["exclude-patron", "add-staff"].map((command) => may(sam, command)), [true, false]);
  assert.equal(may(staff("otto", "auditor"), "open-table"), false);
});

test("staff and terminals are found by any of their words", () => {
  assert.deepEqual(found({ filter: " DEAL " }, HOUSE.staff).map((person) => person.name), ["dora"]);
  const text = drawn(shown({ t: "tab", tab: "staff" }));
  assert.match(text, /wrong passwords in a row/);
  assert.match(drawn(shown({ t: "tab", tab: "terminals" })), /Enrolled/);
  assert.match(drawn(shown({ t: "tab", tab: "exclusions" })), /Nobody is excluded/);
});

test("states and clocks in words", () => {
  assert.deepEqual(stateOf({ ...ROW, halted: alike("leak") }), { kind: "danger", text: "Stopped: leak" });
  const closing = { ...ROW, halted: alike("the end"), closing: true };
  assert.equal(stateOf(closing).text, "Closes after this round: the end");
  assert.equal(stateOf({ ...closing, phase: "settled" }).text, "Closing: the end");
  assert.equal(clockOf(ROW), "server · bets 15 s · pause 4 s");
  assert.equal(clockOf({ clock: { betting_ms: 0, automatic: false } }), "by hand");
});

test("once lost, the house is current again with the next view, and nothing can be sent before", () => {
  let state = reduce(shown({ t: "sheet", sheet: { kind: "stop-floor" } }), { t: "link", state: "lost" });
  assert.match(drawn(state), /Not connected/);
  assert.match(drawn(state), /<button type="submit"[^>]*disabled/);
  state = reduce(state, { t: "link", state: "open" });
  assert.match(drawn(state), /Not connected/);
  assert.doesNotMatch(drawn(reduce(state, { t: "view", view: HOUSE })), /Not connected/);
});

test("a list that the role may not see, or that is none, gives way to the tables", () => {
  for (const tab of ["staff", "terminals", "nonsense"]) {
    const state = { ...first({ tab }), me: staff("sam", "supervisor"), link: "open" };
    const shown = String(view({ ...state, house: { ...HOUSE, staff: null, terminals: null } }));
    assert.match(shown, /aria-label="Tables"/, tab);
  }
});

test("limits and clock are asked for only where the game's bets are known", () => {
  const state = { ...first(), me: ADA, link: "open", house: HOUSE };
  const button = (from) => /<button[^>]*data-sheet="limits"[^>]*>/.exec(String(view(from)))[0];
  assert.match(button(state), /disabled/);
  assert.doesNotMatch(button({ ...state, games: [GAME] }), /disabled/);
});
