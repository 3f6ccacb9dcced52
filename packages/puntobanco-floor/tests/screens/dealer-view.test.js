// The console's page as text: every state in both languages, every word there, nothing enabled that cannot be done.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cardName, DECKS } from "../../src/puntobanco_floor/web/screens/kit/cards.js";
import { page } from "../../src/puntobanco_floor/web/screens/dealer/view.js";
import { reduce, start } from "../../src/puntobanco_floor/web/screens/dealer/reduce.js";
import { shoeAsked } from "../../src/puntobanco_floor/web/screens/dealer/shoe.js";
import { staff } from "./staff.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const ME = { ...staff("dora", "dealer"), demo: true };
const BETS = [["player", "player"], ["banker", "banker"], ["tie", "tie"], ["fortune-six", ""]]
  .map(([bet, hand]) => ({ bet, hand, main: Boolean(hand), title: alike(bet), limits: { closed: false } }));
const ground = (name, en, zh, clause, more = {}) => ({
  ground: name, title: { en, zh }, clause,
  reconstructable: false, refused: null, command: "declare-irregularity", follows: "stop", ...more,
});
const TOO_FEW = { refused: alike("only when a card is missing"), follows: "" };
const GROUNDS = [
  ground("foreign-card", "a foreign card", "外來牌", "5.1"),
  ground("insufficient-cards", "too few cards", "餘牌不足", "5.5", TOO_FEW),
  ground("malfunction", "a malfunction", "設備故障", "reading 31", { of_the_house: true }),
];
const COUNTED = ground("insufficient-cards", "too few cards", "餘牌不足", "5.5", { needs_count: true });
const MISREAD = ground("misread-card", "a card was misread", "牌張誤讀", "reading 45", { of_the_house: true });
const action = (command, more = {}) => ({
  command, why: { en: "a reason", zh: "原因" }, clause: "3.1", slot: "", say: null, say_clause: "", ...more,
});
const TABLE = {
  table: "table:6", number: 6, seq: 5, round: 3, shoe: 1, title: { en: "Fortune Six", zh: "幸運六" }, deck: "standard",
  cards: {}, keyed: [], player: null, banker: null, stop: null, next: null,
  bets: BETS, closes_at: null, betting_ms: 0, late_clause: "5.6",
};
const SHOE = {
  number: 1, dealing: "physical", decks: 8, cut: 14, cards: 416, cards_left: 400, burn: 1, spoiled: "",
  source: "shoe", set_id: "", first_card: "", counted: null,
};
const CARDS = {
  source: "shoe", dealing: "physical", decks: 0, cut: 20, burn: 2, count_shoes: false, road_rounds: 100,
};
const view = (phase, next, more = {}, table = {}) => ({
  table: { ...TABLE, phase, ...table },
  next, grounds: GROUNDS, proposals: [], decided: [], questioned: "", questioned_why: null, shoe: SHOE,
  deck: DECKS.standard, decks: { least: 4, most: 10, usual: 8, cards_each: 52, shuffler: false }, cards: CARDS,
  dealt: [], surplus: [], complete: false, winner: "",
  stakes: BETS.map(({ bet }) => ({ bet, wagers: 1, largest_cents: 1000, total_cents: 1000 })),
  seated: 2, betting: 1, differential_cents: null, detail: null, ...more,
});
function at(seen, ...messages) {
  const before = [{ t: "me", me: ME }, { t: "link", state: "open" }, { t: "view", view: seen }];
  return [...before, ...messages].reduce(reduce, start(6, "en"));
}
const dealt = { dealt: ["9s", "2h"] }, cards = { cards: { p1: "9s", b1: "2h" } };
const toP2 = [action("enter-card", { slot: "p2" })];
const dealing = view("dealing", toP2, dealt, cards);
const ended = [action("settle", { say: { en: "Banker wins, 6 over 4", zh: "莊贏，6點對4點" } })];
const ways = ["reconstruct", "void-round", "resume"].map((command) => action(command));
const corrections = ["correct-card", "reconstruct", "resume"].map((command) => action(command));
const toBurn = { by: "dora", command: "burn-cards", cards: "8c 9h", unseen: 2 };
const burns = [{ proposal: 1, by: "dora", at: 5, about: "round", command: toBurn }];
const stopped = { ...cards, stop: GROUNDS[0] };
const toVoidIt = { by: "dora", command: "void-round" };
const proposal = [{ proposal: 1, by: "dora", at: 5, about: "round", command: toVoidIt }];
const decided = (outcome, more = {}) => ({
  proposal: 1, asked_by: "dora", command: "void-round", about: "round", outcome, by: "", reason: "", ...more,
});
const rejected = decided("rejected", { by: "sue", reason: "the cards were all right" });
const toVoid = (more) => view("stopped", [action("void-round")], { ...dealt, ...more }, stopped);
const byServer = { ...cards, dealt_by: "server" }, VIRTUAL = { ...SHOE, dealing: "virtual" };
const byStop = { ...byServer, stop: GROUNDS[2] };
const serverStopped = view("stopped", [action("resume")], { ...dealt, shoe: VIRTUAL }, byStop);
const SERVERS = { refused: alike("the server deals here"), follows: "" };
const NO_CARD_GROUND = GROUNDS.map((g) => (g.of_the_house ? g : { ...g, ...SERVERS }));
const asks = (more) => ({ t: "second", second: { proposal: 1, error: "", busy: false, ...more } });
const OPEN = { say: { en: "Place your bets, please", zh: "Place your bets, please" } };
const CLOSE = { say: { en: "No more bets", zh: "No more bets" } };
const LISTED = { number: 6, title: { en: "Fortune Six", zh: "幸運六" }, phase: "waiting", round: 0, dealt_by: "dealer" };

const STATES = {
  "connecting": start(6, "en"),
  "choose a table": { ...start(0, "en"), me: ME, tables: [LISTED] },
  "open": at(view("settled", [action("open-bets", OPEN)])),
  "betting": at(view("betting", [action("close-bets", CLOSE)])),
  "dealing": at(dealing),
  "held": at(dealing, { t: "card", card: "Td", at: 0 }),
  "in question": at(view("dealing", toP2, { ...dealt, questioned: "9f", questioned_why: alike("of the other deck") },
    cards)),
  "settle": at(view("dealing", ended, { complete: true }, { next: { text: { en: "done", zh: "完" }, clause: "3.9" } })),
  "refused": at(
    dealing,
    { t: "sending", id: "a", command: { command: "enter-card", card: "Td" } },
    { t: "refused", id: "a", reason: alike("the round is complete"), clause: "3.9" },
  ),
  "grounds": at(dealing, { t: "sheet", sheet: { name: "irregularity", ground: "foreign-card" } }),
  "stopped": at(
    view("stopped", ways, dealt, stopped),
    { t: "change", name: "stopped", fields: { choice: "reconstruct", picked: 1, adding: true } },
  ),
  "server's grounds": at(
    view("dealing", [action("deal-card")], { ...dealt, shoe: VIRTUAL, grounds: NO_CARD_GROUND }, byServer),
    { t: "sheet", sheet: { name: "irregularity", ground: "malfunction" } },
  ),
  "server's round stopped": at(serverStopped, { t: "change", name: "stopped", fields: { choice: "resume" } }),
  "count": at(
    { ...dealing, grounds: [COUNTED, MISREAD] },
    { t: "sheet", sheet: { name: "irregularity", ground: "insufficient-cards" } },
  ),
  "misread": at(
    view("stopped", corrections, { ...dealt, detail: alike("a six upside down") }, { ...cards, stop: MISREAD }),
    { t: "change", name: "stopped", fields: { choice: "correct-card", slot: "p1", card: "6s" } },
  ),
  "burn": at(dealing, { t: "sheet", sheet: { name: "burn", cards: ["8c", "8c"] } }),
  "joker": at(view("dealing", toP2, { ...dealt, questioned: "joker", questioned_why: alike("of no deck") }, cards)),
  "burn waits": at(view("settled", [action("open-bets", OPEN)], { proposals: burns })),
  "waits": at(view("stopped", [action("void-round")], { ...dealt, proposals: proposal }, stopped)),
  "correct": at(dealing, { t: "sheet", sheet: { name: "correct", slot: "p1", card: "8s" } }),
  "new shoe": at(view("waiting", [action("new-shoe")], { shoe: null }), { t: "sheet", sheet: { name: "shoe" } }),
  "first card": at(
    view("waiting", [action("new-shoe")], { shoe: null, cards: { ...CARDS, burn: "first-card", count_shoes: true } }),
    { t: "sheet", sheet: { name: "shoe" } },
  ),
  "count the shoe": at(dealing, { t: "sheet", sheet: { name: "count" } }),
  "known set": at(view("waiting", [action("open-bets", OPEN)], {
    shoe: { ...SHOE, set_id: "B-7", first_card: "9s", counted: 416 },
  })),
  "second person": at(dealing, asks({ error: "wrong name or password" })),
  "second person rejects": at(dealing, asks({ rejecting: true })),
  "own rejection": at(dealing, asks({ rejecting: true, self: true, wrong: "reason_needed" })),
  "was rejected": at(toVoid({ proposals: proposal }), { t: "view", view: toVoid({ decided: [rejected] }) }),
  "was rejected without a reason": at(dealing, { t: "view", view: { ...dealing, decided: [decided("rejected")] } }),
  "lapsed": at(dealing, { t: "view", view: { ...dealing, decided: [decided("lapsed", { reason: "settled" })] } }),
  "closed": at(view("down", [action("open-table")], { shoe: null })),
  "lost": at(dealing, { t: "link", state: "lost" }),
  "not seen": { ...start(99, "en"), me: ME, unseen: "there is no table" },
};

for (const [name, state] of Object.entries(STATES))
  test(`${name}: whole in both languages`, () => {
    for (const lang of ["en", "zh"]) {
      const text = String(page({ ...state, lang }));
      assert.doesNotMatch(text, /undefined|\[object|NaN|\{\d\}/, lang);
      assert.doesNotMatch(text, /<[^>]+ style=/, "a style attribute is refused by the policy");
      const read = text.replace(/<[^>]*>/g, " ");
      assert.doesNotMatch(read, /\b[a-z]+_[a-z_]+\b/, "the name of a text stands where the text should");
    }
  });

const isOff = (tag) => /\sdisabled\b/.test(tag) || /aria-disabled="true"/.test(tag);
const enabled = (text) => [...text.matchAll(/<button\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => !isOff(tag));

test("without the server nothing on the table is enabled", () => {
  const main = String(page(STATES.lost)).split("<main")[1];
  assert.match(main, /Stop dealing/);
  assert.deepEqual(enabled(main), []);
});

test("who may only look has nothing to press but clauses, to read them", () => {
  const main = String(page({ ...STATES.dealing, me: staff("dora", "auditor") })).split("<main")[1];
  assert.deepEqual(enabled(main).filter((button) => !button.includes('data-act="clause"')), []);
});

test("a ground that cannot apply stays there with its reason", () => {
  const text = String(page(STATES.grounds));
  assert.match(text, /aria-disabled="true"[^>]*>\s*<span class="clause" data-act="clause" data-clause="5\.5">5\.5/);
  assert.match(text, /Not now: only when a card is missing/);
  const chinese = { ...GROUNDS[1], refused: { en: "not now", zh: "須派牌而無牌時方適用" } };
  const zh = at({ ...dealing, grounds: [chinese] }, { t: "sheet", sheet: { name: "irregularity", ground: "" } });
  assert.match(String(page({ ...zh, lang: "zh" })), /現不適用：須派牌而無牌時方適用/);
});

test("where the book has cards left, the dealer counts or says that the shoe is empty", () => {
  const text = String(page(STATES.count));
  assert.match(text, /name="cards_left"/);
  assert.match(text, /data-act="empty"[^>]*>The shoe is empty/);
  assert.doesNotMatch(text, /data-ground="insufficient-cards"[^>]*aria-disabled/);
  assert.match(text, /Say how many cards are left/);
  assert.match(String(page({ ...STATES.count, lang: "zh" })), /牌靴已無牌/);
  assert.doesNotMatch(String(page(STATES.grounds)), /name="cards_left"/);
});

test("where the server deals, a malfunction alone can be declared, and the round goes on", () => {
  const text = String(page(STATES["server's grounds"]));
  assert.match(text, /data-ground="foreign-card"[^>]*aria-disabled="true"/);
  assert.match(text, /Not now: the server deals here/);
  assert.match(text, /The round stops, and goes on when two people say so/);
  assert.doesNotMatch(text, /Void: every wager is returned/);
  const decide = String(page(STATES["server's round stopped"]));
  assert.match(decide, /data-act="choose" data-command="resume"/);
  assert.doesNotMatch(decide, /data-command="void-round"|False alarm/);
  const burns = [...decide.matchAll(/<button[^>]*data-act="burning"[^>]*>/g)].map(([button]) => button);
  assert.ok(burns.length && burns.every(isOff), "no card leaves the server's shoe");
});

test("a misread card is corrected in the wizard: which, what it is, and the account of what happened", () => {
  const text = String(page(STATES.misread)), propose = /data-act="propose"[^>]*>/;
  assert.match(text, /a six upside down/);
  assert.match(text, /data-act="choose" data-command="correct-card"/);
  assert.doesNotMatch(text, /data-command="void-round"/);
  assert.ok(!isOff(propose.exec(text)[0]));
  const same = { ...STATES.misread, sheet: { ...STATES.misread.sheet, card: "9s" } };
  assert.ok(isOff(propose.exec(String(page(same)))[0]), "the card that lies there is no correction");
  const order = { ...STATES.misread, sheet: { ...STATES.misread.sheet, choice: "reconstruct", picked: 0 } };
  assert.ok(!isOff(/data-act="take-out"[^>]*>/.exec(String(page(order)))[0]), "the misread card can be taken out");
});

test("cards are burned from a dealer's shoe, never while bets are open, and a second person sees which", () => {
  const button = (state) => /<button[^>]*data-act="burning"[^>]*>/.exec(String(page(state)))[0];
  assert.ok(!isOff(button(STATES.dealing)));
  assert.ok(isOff(button(STATES.betting)));
  const virtual = { ...dealing, shoe: { ...SHOE, dealing: "virtual" } };
  assert.ok(isOff(button(at(virtual))));
  assert.match(String(page(STATES["burn waits"])), /Count out of the shoe: 8 of Clubs, 9 of Hearts; unseen: 2/);
});

test("a joker in question is called what was read, not the back of a card", () => {
  assert.match(String(page(STATES.joker)), /joker cannot be/);
});

test("a bet that is closed alone is marked among the stakes, until somebody's wager stands there", () => {
  const shut = BETS.map((bet, i) => ({ ...bet, limits: { ...bet.limits, closed: i === 0 } }));
  const none = BETS.map(({ bet }) => ({ bet, wagers: 0, largest_cents: 0, total_cents: 0 }));
  const shown = (stakes) => page(at(view("betting", [action("close-bets", CLOSE)], { stakes }, { bets: shut }))).text;
  assert.equal(shown(none).split("<b>closed</b>").length, 2);
  assert.equal(shown(none.map((row) => ({ ...row, wagers: 1 }))).includes("<b>closed</b>"), false);
});

test("the proposer does not see Approve; another supervisor does", () => {
  assert.doesNotMatch(String(page(STATES.waits)), /data-act="approve"/);
  const other = String(page({ ...STATES.waits, me: staff("sam", "supervisor") }));
  assert.match(other, /data-act="approve"/);
});

const SUBMIT = /<button\b[^>]*type="submit"[^>]*>([^<]*)/g;
const submits = (text) => [...text.matchAll(SUBMIT)].map(([, words]) => words.trim());

test("Enter approves, and never rejects: Approve is the one button that a form is sent by", () => {
  assert.deepEqual(submits(String(page(STATES["second person"]))), ["Approve"]);
  assert.match(String(page(STATES["second person"])), /<button type="button"[^>]*data-act="reject-here"/);
  assert.deepEqual(submits(String(page(STATES["second person rejects"]))), [], "Enter does nothing here");
  assert.match(String(page(STATES["second person rejects"])), /<textarea\s+name="reason"/);
});

test("who rejects at a console of their own gives a reason too, and no password", () => {
  const text = String(page(STATES["own rejection"]));
  assert.match(text, /<textarea\s+name="reason"/);
  assert.doesNotMatch(text, /name="password"/);
  assert.match(text, /Say why it is rejected/);
});

test("who was refused learns by whom and why, in both languages, until that is put away", () => {
  const state = STATES["was rejected"];
  assert.match(String(page(state)), /sue rejected: void the round\. The reason: the cards were all right/);
  assert.match(String(page({ ...state, lang: "zh" })), /sue 否決：該局作廢。原因：the cards were all right/);
  assert.doesNotMatch(String(page(reduce(state, { t: "decided-seen" }))), /sue rejected/);
  assert.match(String(page(STATES.lapsed)), /Lapsed: void the round\. The round was settled/);
  assert.match(String(page({ ...STATES.lapsed, lang: "zh" })), /已失效：該局作廢。該局已結算/);
});

test("who asked can withdraw it; nobody else can", () => {
  assert.match(String(page(STATES.waits)), /data-act="withdraw"/);
  const other = String(page({ ...STATES.waits, me: { ...ME, name: "dan" } }));
  assert.doesNotMatch(other, /data-act="withdraw"/);
});

test("what people wrote is text, never markup", () => {
  const text = String(page(at(view("settled", [action("restart-table", { why: alike("stopped: <img src=x>") })]))));
  assert.doesNotMatch(text, /<img/);
});

test("a new shoe is asked for as the table is set, with its set and its count", () => {
  const usual = String(page(STATES["new shoe"]));
  assert.match(usual, /name="cut"[^>]*value="20"/);
  assert.match(usual, /name="burn"[^>]*value="2"/);
  assert.match(usual, /name="set_id"/);
  assert.match(usual, /name="counted"/);
  assert.doesNotMatch(usual, /name="first_card"/);
  const first = String(page(STATES["first card"]));
  assert.match(first, /name="first_card"/);
  assert.match(first, /name="set_id"[^>]*required/);
  assert.doesNotMatch(first, /name="burn"/);
});

test("the shoe's panel tells its set, its count and the first card; the count has a sheet", () => {
  const panel = String(page(STATES["known set"]));
  for (const told of ["Set B-7", "counted: 416", `first card: ${cardName("9s", "en")}`]) {
    assert.ok(panel.includes(told), told);
  }
  assert.match(String(page(STATES["count the shoe"])), /416 are expected/);
});

test("what is typed for a new shoe, as the server takes it", () => {
  const typed = { dealing: "physical", decks: "8", cut: "14", first_card: " 10h ", set_id: " B-7 ", counted: "416" };
  assert.deepEqual(shoeAsked(typed),
    { dealing: "physical", decks: 8, cut: 14, first_card: "Th", set_id: "B-7", counted: 416 });
  assert.deepEqual(shoeAsked({ ...typed, dealing: "virtual", source: "continuous", burn: "3" }),
    { dealing: "virtual", decks: 8, cut: 14, source: "continuous", burn: 3 }, "the server's own has none of these");
  assert.equal(shoeAsked({ ...typed, first_card: "joker" }).first_card, "joker", "the server refuses it");
  assert.deepEqual(shoeAsked({ dealing: "physical", decks: "8", cut: "0", burn: "0", set_id: "", counted: "" }),
    { dealing: "physical", decks: 8, cut: 0, burn: 0 });
});

test("a PIN confirms where one is set; the password is the other way, and both are asked for with a name", () => {
  const pin = String(page(at(dealing, asks({ byPin: true }))));
  assert.match(pin, /name="pin" type="password"\s+inputmode="numeric"/);
  assert.doesNotMatch(pin, /name="password"|name="one_time"/);
  assert.match(pin, /data-act="second-by">Use the password/);
  const password = String(page(at(dealing, asks({ byPin: false }))));
  assert.match(password, /name="password"[^]*name="one_time"[^]*data-act="second-by">Use the PIN/);
  assert.doesNotMatch(password, /name="pin"/);
});

test("who approves at the console reads what it is and what the dealer wrote, in both languages", () => {
  const told = { proposals: proposal, detail: { en: "the scanner read a nine", zh: "the scanner read a nine" } };
  const state = at(toVoid(told), asks({ byPin: true }));
  const sheet = (markup) => markup.slice(markup.indexOf('data-key="second"'));
  const [en, zh] = ["en", "zh"].map((lang) => sheet(String(page({ ...state, lang }))));
  assert.match(en, /Void the round[^]*In the dealer’s words:<\/span> “the scanner read a nine”/);
  assert.match(zh, /該局作廢[^]*荷官記述：<\/span> “the scanner read a nine”/);
  const own = [{ ...burns[0], command: { ...toBurn, detail: "two fell <b>" } }];
  const burn = at(view("settled", [action("open-bets", OPEN)], { proposals: own }), asks({ byPin: true }));
  assert.match(sheet(String(page(burn))), /“two fell &lt;b&gt;”/);
});

test("one approval ends a shoe and puts on the next; to end it alone is a button of its own", () => {
  const sheet = at(view("settled", [action("end-shoe")]), { t: "sheet", sheet: { name: "shoe" } });
  const markup = String(page(sheet));
  assert.match(markup, /<form data-act="change-shoe">[^]*name="set_id"/);
  assert.match(markup, /<button type="button" class="btn" data-act="end-shoe"/);
  assert.match(markup, /<button type="submit"[^>]*>End it and put on the new one/);
  const both = asks({ proposal: 0, commands: [{ command: "end-shoe" }, { command: "new-shoe", decks: 8 }] });
  assert.match(String(page(at(dealing, both))), /<b>End the shoe, then: New shoe<\/b>/);
});

test("when Player stood, nothing waits for a third card there", () => {
  const at4 = { cards: { p1: "3s", b1: "2h", p2: "4s", b2: "3h" } };
  const lying = (next, more = {}) => String(page(at(view("dealing", [action("enter-card", { slot: next })],
    { dealt: ["3s", "2h", "4s", "3h"], ...more }, at4))));
  const slot = (markup, key) => markup.slice(markup.indexOf(`data-key="at-${key}"`)).split("</span>")[0];
  assert.match(slot(lying("b3"), "p3"), />no third card$/);
  assert.match(slot(lying("p3"), "b3"), />third card, if called for$/);
});
