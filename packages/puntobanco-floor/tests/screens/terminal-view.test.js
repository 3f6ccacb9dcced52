// What the terminal shows of its state: every phase and sheet in both languages and shapes, and nothing that is not so.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { tap } from "../../src/puntobanco_floor/web/screens/terminal/ask.js";
import { canBet, initial, reduce } from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import { statusOf } from "../../src/puntobanco_floor/web/screens/terminal/status.js";
import { toneOf } from "../../src/puntobanco_floor/web/screens/terminal/sound.js";
import { view } from "../../src/puntobanco_floor/web/screens/terminal/view.js";
import { clauseId } from "../../src/puntobanco_floor/web/screens/base/rules.js";
import { t } from "../../src/puntobanco_floor/web/screens/terminal/words.js";
import {
  BETS, betsOpened, card, dealt, happens, ids, laid, line, mine, opened, roundSettled, roundStopped, roundVoided, run,
  table, welcome,
} from "./terminal-story.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

const FOLDER = new URL("../../src/puntobanco_floor/web/screens/terminal/", import.meta.url);
const CARDS = ["3w", "Lg", "2e", "Lf", "9a", "6f"];
const LINES = [
  line("banker", 20000, "wins", 10000), line("tie", 1000, "loses", 0, 0, 0, "3.10.1"),
  line("player", 1000, "pushes", 0, 1000),
];
const SETTLED = { result: "Bb", player: 4, banker: 6 };
const VOID = {
  ground: "foreign-card", title: { en: "a card that does not belong", zh: "外來牌" }, clause: "5.1",
};
const FAULT = { ground: "x", title: { en: "a fault", zh: "故障" }, clause: "5.1" };
const TIED = { result: "T", player: 6, banker: 6 };

const told = (s, message, own) => run(s, message, mine({ seq: 60, ...own }));
const settled = (lines = LINES, more = {}) =>
  told(dealt(...CARDS), roundSettled(SETTLED, more), { balance_cents: 284500, lines });
const voided = () => told(dealt("3w"), roundVoided(VOID), { lines: [line("banker", 20000, "void", 0, 20000)] });
const tied = () => {
  const lines = [line("tie", 1000, "wins", 8000, 1000, 300000)];
  return told(dealt("4e", "Ta", "2w", "6g"), roundSettled(TIED), { lines });
};
const lost = () => {
  const s = run(opened(), mine({ seq: 60, wagers: { banker: 20000 } }));
  return run(s, tap(s, "tie", ids()), { t: "link", state: "lost", tries: 3 });
};

const RULES = {
  title: { en: "6 Star", zh: "六星" }, heading: { en: "Rules as of", zh: "規則" },
  voucher_days: 30,
  sections: [{
    title: { en: "Draws", zh: "補牌" }, columns: [{ en: "When", zh: "情況" }],
    rows: [
      { cells: [{ en: "Player has 0-5", zh: "閒 0-5" }], clause: "3.9.2" },
      { cells: [{ en: "again", zh: "又" }], clause: "3.9.2" },
    ],
  }],
};
const COMPLAINTS = [
  { code: "wrong-payment", text: { en: "The payment is wrong", zh: "派彩有誤" } },
  { code: "other", text: { en: "Something else", zh: "其他" } },
];
const WAITS = {
  review: 3, round: 6, at: 5, complaint: { en: "The payment is wrong", zh: "派彩有誤" }, decision: null,
  clause: "", note: "",
};
const ANSWERED = {
  ...WAITS, decision: { en: "The round stands as it was played", zh: "該局維持原有結果" },
  clause: "3.10", note: "six over four",
};
const SLOTS = ["p1", "b1", "p2", "b2", "p3", "b3"];
const REPLAY = {
  replay: true, table: "table:1", round: 6, game: "six-star", rules: "mbs", at: 5, result: "Bb", clause: "",
  player: 4, banker: 6,
  cards: CARDS.map((code, i) => ({ slot: SLOTS[i], card: code, why: alike("why"), clause: "3.9.2" })),
  lines: [LINES[0]], wagered_cents: 20000, paid_cents: 30000, before_cents: 245000, after_cents: 255000, demo: true,
  complaints: [],
};
const PAPER = {
  number: "001847220566194073", shown: "001847 220566 194073", cents: 284500, expires_at: 9e11,
  qr: ["101", "010", "111"], house: "Marina", demo: false, at: 5,
};
const OWN = {
  loss_cents: 1500, minutes: null, lost_cents: 0, played_ms: 0, wider: { loss_cents: null, minutes: 30 },
  wider_at: 9e11,
};

const own = (more) => run(opened(), mine({ seq: 60, ...more }));
const sheet = (name, more = {}, s = opened()) => run(s, { t: "sheet", sheet: { name, ...more } });

const HELD = { balance_cents: 0, held_cents: 1_600_000, net_cents: 0 };

const STATES = {
  connecting: () => reduce(initial(), { t: "shape", shape: "wide" }),
  betting: opened,
  "no clock": () => opened({ closes_at: null }),
  "a guide": () => opened({ dealer_closes: true }),
  "last hand": () => opened({ last_hand: true }),
  dealing: () => dealt(...CARDS.slice(0, 4)),
  settled,
  tied,
  voided,
  lost,
  closed: () => dealt(),
  stopped: () => run(dealt("3w"), roundStopped(FAULT)),
  down: () => opened({ phase: "down", closes_at: null }),
  waiting: () => opened({ phase: "waiting", closes_at: null, round: 0 }),
  shoe: () => opened({ phase: "settled", shoe: null, closes_at: null }),
  halted: () => opened({ halted: alike("fire drill") }),
  unseated: () => own({ seated: false, balance_cents: 0, since: null }),
  broke: () => own({ balance_cents: 0 }),
  held: () => own(HELD),
  "held, cash": () => sheet("cash", {}, own(HELD)),
  "held, some left": () => sheet("cash", {}, own({ ...HELD, balance_cents: 500 })),
  handed: () => run(own(HELD), mine({ seq: 61, seated: false, balance_cents: 0, since: null })),
  "handed back": () => run(own(HELD), mine({ seq: 61, balance_cents: 1_600_000 })),
  stopped_session: () => own({ stopped: alike("your time is over") }),
  over: () => run(
    opened(), { t: "bye", reason: alike("this terminal is no longer enrolled") }, { t: "link", state: "over" },
  ),
  menu: () => sheet("menu"),
  panel: () => sheet("panel"),
  buy: () => sheet("buy"),
  cash: () => sheet("cash"),
  rules: () => sheet("rules", { clause: "3.9.2" }, run(opened(), { t: "rules", rules: RULES })),
  history: () => sheet("history", { replay: REPLAY }),
  "review asked for": () => sheet("history", { replay: { ...REPLAY, complaints: COMPLAINTS }, asking: true }),
  "review waits": () => sheet("history", { replay: { ...REPLAY, complaints: COMPLAINTS } }, own({ reviews: [WAITS] })),
  "review answered": () => sheet("history", { replay: REPLAY }, own({ reviews: [ANSWERED] })),
  "no history": () => sheet("history", { replay: null }),
  paper: () => sheet("paper", { paper: PAPER }),
  limits: () => sheet("limits", {}, run(opened(), { t: "own", own: OWN })),
  "real money": () => sheet("buy", {}, opened({ demo: false })),
};

const shown = (s, lang = "en", shape = "wide") => String(view({ ...s, lang, shape }));
const text = (markup) => markup.replace(/<[^>]*>/g, " ").replaceAll("&#39;", "'").replace(/\s+/g, " ");
const part = (markup, start) => {
  const at = markup.indexOf(start);
  assert.notEqual(at, -1, start);
  return markup.slice(at, at + 2500);
};

test("every state is shown whole in both languages and shapes: nothing undefined, no button within a button", () => {
  for (const [name, make] of Object.entries(STATES)) {
    for (const lang of ["en", "zh"]) {
      for (const shape of ["wide", "phone"]) {
        const markup = shown(make(), lang, shape);
        assert.doesNotMatch(markup, /undefined|NaN|\[object|null|\{\d\}|="true false/, `${name} ${lang} ${shape}`);
        assert.doesNotMatch(markup, /\sstyle=|<script|\son\w+=/, name);
        let open = 0;
        for (const [, end] of markup.matchAll(/<(\/?)button\b/g)) {
          open += end ? -1 : 1;
          assert.ok(open === 0 || open === 1, `${name}: a button within a button`);
        }
        const found = [...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
        assert.equal(new Set(found).size, found.length, `${name}: an id twice`);
      }
    }
  }
});

test("there is one live status, and the visible clock is not read out", () => {
  const markup = shown(opened());
  assert.equal(markup.match(/role="status"/g).length, 1);
  assert.match(part(markup, 'class="said"'), /^class="said" aria-hidden="true"/);
  assert.doesNotMatch(statusOf(opened()).say, /\d/);
});

test("announcements are the rulebook's own words, beside the Chinese too", () => {
  const table_ = { announce_open: "Place Your Bets", announce_close: "No More Bets" };
  assert.equal(statusOf(opened(table_)).title, "Place Your Bets");
  const zh = statusOf({ ...opened(table_), lang: "zh" });
  assert.deepEqual([zh.title, zh.aside, zh.say], ["請投注", "Place Your Bets", "請投注"]);
  const markup = shown(opened(table_), "zh");
  assert.match(markup, /<span lang="en">Place Your Bets<\/span>/);
  const closed = shown(opened({ ...table_, phase: "closed" }), "zh");
  assert.match(part(closed, 'class="callout"'), /截止投注<\/b> <span class="other" lang="en">No More Bets</);
});

test("the result is said once, with what it means for this patron, and not before that is known", () => {
  const say = (lines) => statusOf(settled(lines)).say;
  assert.equal(say(LINES), "Banker wins, 6 over 4. You are 90 dollars ahead.");
  assert.equal(say([line("tie", 1050, "loses", 0)]), "Banker wins, 6 over 4. You are 10 dollars and 50 cents behind.");
  assert.equal(say([line("player", 1000, "pushes", 0, 1000)]), "Banker wins, 6 over 4. Your wagers are returned.");
  assert.equal(say([]), "Banker wins, 6 over 4.");
  const staked = run(dealt(...CARDS), mine({ seq: 55, wagers: { tie: 1000 } }));
  const waits = run(staked, roundSettled({ ...SETTLED, result: "B" }));
  assert.equal(statusOf(waits).say, "");
  assert.equal(statusOf({ ...settled(), lang: "zh" }).say, "莊贏，6 比 4。你淨贏 90 元。");
});

test("a spot says its bet, amount, odds, limits; pending is dashed; a result has its sign and amount", () => {
  let s = run(opened(), tap(opened(), "banker", ids()));
  const label = /aria-label="Banker, \$10 sent, not yet accepted, 1 to 1; wins on six 1 to 2, \$10 to \$5,000"/;
  const sent = part(shown(s), 'data-bet="banker"');
  assert.match(sent, label);
  assert.match(sent.slice(sent.search(label)), /class="amt pending/);
  s = run(s, mine({ seq: 61, wagers: { banker: 1000 } }), { t: "answered", id: "id1", ok: true });
  assert.match(part(shown(s), 'data-bet="banker"'), /Banker, \$10 placed/);
  assert.doesNotMatch(shown(s), /amt pending/);
  const over = shown(settled());
  assert.match(text(part(over, 'data-bet="banker"')), /✓ Win \+\$100 /);
  assert.match(part(over, 'data-bet="banker"'), /Banker, wins \$100, clause 4\.1/);
  assert.match(text(part(over, 'data-bet="tie"')), /✕ Lose \$10 /);
  assert.match(text(part(over, 'data-bet="player"')), /= Push, returned/);
  assert.match(text(shown(tied())), /\+ \$3,000 Tie Bonus 4\.3/);
});

test("a closed spot is readable and off, and the limits say closed; a wager that lay there keeps its result", () => {
  const close = (one) => (one.bet === "fortune-six" ? { ...one, limits: { ...one.limits, closed: true } } : one);
  for (const [lang, said] of [["en", "Closed"], ["zh", "已關閉"]]) {
    const text = String(view({ ...opened({ bets: BETS.map(close) }), lang }));
    const [spot] = /<button[^>]*data-bet="fortune-six"[^]*?<\/button>/.exec(text);
    assert.match(spot, /locked shut"/);
    assert.match(spot, /aria-disabled="true"/);
    assert.match(spot, new RegExp(`aria-label="[^"]*${said}"`));
    assert.match(spot, new RegExp(`class="tag shut"[^]*${said}`));
    assert.match(text, new RegExp(`<tr><th scope="row">[^<]*</th><td>${said}</td></tr></tbody>`));
    const [other] = /<button[^>]*data-bet="tie"[^>]*>/.exec(text);
    assert.match(other, /aria-disabled="false"/);
  }
  const s = settled([line("fortune-six", 1000, "loses", 0, 0)]);
  const after = String(view({ ...s, table: { ...s.table, bets: s.table.bets.map(close) } }));
  assert.doesNotMatch(after, /tag shut/);
});

test("a table that closes says so while its round is played, and when it is over", () => {
  const halted = happens({ halted: { en: "end of shift", zh: "end of shift" }, closing: true });
  const s = run(opened(), halted), strip = (one) => /data-key="strip"[^]*?<span>([^<]*)/.exec(view(one))?.[1];
  assert.equal(strip(s), "This table closes after this round: end of shift.");
  assert.equal(strip({ ...s, lang: "zh" }), "本局結束後關閉賭枱：end of shift。");
  const last = { round: 7, result: "B", player: 4, banker: 6 };
  const over = { ...s, table: { ...s.table, phase: "settled", results: ["B"], last } };
  assert.match(String(view(over)), /no new round opens[^]*No new round opens for now\./);
  assert.equal(strip(over), "This table closes now: end of shift. Credits can be cashed out.");
  assert.equal(strip(run(s, happens({ halted: null, closing: false }))), undefined);
});

test("why no round opens, or no wager is taken, is told in the language that was chosen", () => {
  const halted = opened({ halted: { en: "the dealer changes", zh: "正在更換荷官" } });
  assert.match(text(shown(halted)), /No new round: the dealer changes\./);
  assert.match(text(shown(halted, "zh")), /暫停開局：正在更換荷官。/);
  assert.doesNotMatch(text(shown(halted, "zh")), /the dealer changes/);
  const stopped = own({ stopped: { en: "an identity is being checked", zh: "正在核對身分" } });
  assert.match(text(shown(stopped, "zh")), /不再接受投注：正在核對身分。/);
  assert.doesNotMatch(text(shown(stopped, "zh")), /identity/);
});

test("a hand pay that waits is told in the strip and in the cash-out sheet, in both languages", () => {
  const strip = (one) => /data-key="strip"[^]*?<span>([^<]*)/.exec(view(one))?.[1];
  const waits = "A hand pay of $16,000.00 waits for the staff.";
  assert.equal(strip(STATES.held()), waits);
  assert.equal(strip({ ...STATES.held(), lang: "zh" }), "$16,000.00 的人手支付正等候職員處理。");
  assert.ok(text(part(shown(STATES["held, cash"]()), 'data-sheet="cash"')).includes(waits));
  assert.ok(text(part(shown(STATES["held, some left"]()), 'data-sheet="cash"')).includes(waits));
  assert.doesNotMatch(shown(STATES.held()), /No credits are left/);
  const [door] = /<button[^>]*data-act="cash"[^>]*>/.exec(shown(STATES.held()));
  assert.doesNotMatch(door, /disabled/, "the sheet says what the patron waits for");
  assert.doesNotMatch(part(shown(STATES["held, cash"]()), 'data-sheet="cash"'), /data-act="cash-out"/);
});

test("once it is paid or given back the patron is told, until that is read", () => {
  const strip = (one) => /data-key="strip"[^]*?<span>([^<]*)/.exec(view(one))?.[1];
  const [paid, back] = [STATES.handed(), STATES["handed back"]()];
  assert.equal(strip(paid), "The staff have paid $16,000.00 by hand.");
  assert.equal(strip({ ...paid, lang: "zh" }), "職員已人手支付 $16,000.00。");
  assert.equal(strip(back), "The hand pay of $16,000.00 was not made. It is back in your credits.");
  assert.match(shown(back), /data-act="handed-read"/);
  assert.equal(strip(reduce(back, { t: "handed-read" })), undefined);
});

test("the meters hold the server's figures", () => {
  const figure = (s, key) => new RegExp(`data-meter="${key}">([^<]*)<`).exec(shown(s))?.[1];
  const figures = (s, ...keys) => keys.map((key) => figure(s, key));
  const s = own({ balance_cents: 221500, wagers: { banker: 20000, tie: 3500 }, net_cents: -45000 });
  assert.deepEqual(figures(s, "credits", "bet", "win", "net"), ["$2,215.00", "$235.00", "$0.00", "−$450.00"]);
  const sent = run(s, tap(s, "tie", ids()));
  assert.equal(figure(sent, "bet"), "$235.00"); // what is on its way is no fact yet
  const paid = figures(settled(), "credits", "bet", "win", "paid");
  assert.deepEqual(paid, ["$2,845.00", "$220.00", "+$90.00", "$310.00"]);
  assert.match(text(shown(voided())), /Returned \$200\.00/);
  assert.equal(figure(STATES.unseated(), "credits"), "–");
});

test("each draw has its reason and its clause", () => {
  const next = { slot: "p3", text: { en: "Player has 5 and draws", zh: "閒5點，補牌" }, clause: "3.9.2" };
  const s = laid(run(dealt(...CARDS.slice(0, 3)), card("b2", "Lf", { next })));
  const why = /Player draws a third card Player has 5 and draws\. Clause 3\.9\.2/;
  assert.match(text(part(shown(s), 'class="callout"')), why);
  assert.match(text(part(shown(s, "zh"), 'class="callout"')), /閒補第三張牌 閒5點，補牌。 條款 3\.9\.2/);
  const natural = run(s, happens({ player: 9, banker: 0 }));
  assert.match(shown(natural), /data-clause="3\.9\.2"/);
});

test("a refusal has its reason and clause in the server's words, in the language that was chosen", () => {
  const why = { reason: { en: "Max $50 here", zh: "此處上限 $50" }, clause: "5.6", bet: "banker" };
  const said = (code, lang) => {
    const s = run(opened(), { t: "refused", refused: { code, ...why } });
    return text(part(shown(s, lang), 'role="alert"'));
  };
  assert.match(said("limit-refused", "en"), /^[^<]*Banker : Max \$50 here 5\.6/);
  assert.match(said("limit-refused", "zh"), /莊 ：此處上限 \$50 5\.6/);
  const double = run(opened(), { t: "refused", refused: { key: "doubleOver", bet: "tie", cents: 50000 } });
  assert.match(text(shown(double)), /Nothing was doubled: Tie takes at most \$500\./);
});

test("who got nothing is not told of being paid; a pause has a capital; a Tie Bonus its name", () => {
  const tip = (lines, lang) => text(part(shown(settled(lines), lang), 'class="hint"'));
  assert.match(tip(LINES), />Paid\. Betting opens/);
  assert.match(tip([line("tie", 1000, "loses", 0)]), />Betting opens with the next round/);
  assert.match(tip([line("tie", 1000, "loses", 0)], "zh"), />下一局開始後可投注/);
  const stop = { ground: "foreign-card", title: { en: "a card that does not belong", zh: "外來牌" }, clause: "5.1" };
  assert.match(text(part(shown(opened({ phase: "stopped", stop })), 'class="callout warned"')), /A card that does not/);
  const bonus = [line("tie", 1000, "wins", 8000, 1000, 300_000)];
  assert.match(shown(settled(bonus), "zh"), /\+ \$3,000 和局獎金/);
});

test("sheets: a void needs Continue, a break says what is accepted and pending, cashing out waits for wagers", () => {
  const void_ = part(shown(voided()), 'data-sheet="void"');
  const why = /Round 7 is void .*a card that does not belong.* Clause 5\.1 All wagers returned \$200\.00 /;
  assert.match(text(void_), why);
  assert.match(text(void_), /All wagers returned \$200\.00 Banker \$200\. .*Continue/);
  assert.doesNotMatch(void_.slice(0, void_.indexOf("Continue")), /data-act="close"/);
  const lost_ = text(part(shown(lost()), 'data-sheet="lost"'));
  assert.match(lost_, /Accepted before the break \$200\.00 Sent and not answered: Tie \+\$10\. .*attempt 3.*T-07/);
  const cash = (s) => part(shown(s), 'data-act="cash"');
  assert.match(cash(own({ wagers: { tie: 1000 } })), /^data-act="cash" disabled/);
  assert.doesNotMatch(cash(opened()), /^data-act="cash" disabled/);
});

test("rules open at the clause, with the table's own terms; a replay says so, with funds before and after", () => {
  const rules = shown(STATES.rules());
  assert.match(rules, new RegExp(`id="${clauseId("3.9.2")}" class="here"`));
  for (const said of [
    "Element Bonus $10 $50 $1", "One patron's wagers in a round: at most $20,000.",
    "can win at most $5,000,000 in a round", "Until bets close a wager may be taken back",
    "More than $10,000 is paid out by hand", "A voucher is good for 30 days.",
  ]) assert.ok(text(rules).includes(said), said);
  assert.match(shown(opened()), /data-act="rules" data-clause="reading 31"/);
  assert.equal(clauseId("1:super-six-plus"), "clause-1-super-six-plus");
  const replay = text(shown(STATES.history()));
  assert.match(replay, /REPLAY Round 6 .*Banker wins, 6 over 4 .*Credits before \$2,450\.00 Wagered \$200\.00 /);
  assert.match(replay, /Wagered \$200\.00 Paid \$300\.00 Credits after \$2,550\.00/);
});

test("what people wrote is text and never markup", () => {
  const evil = "<img src=x onerror=alert(1)>", bets = [{ ...BETS[0], title: alike(evil), bet: "a\"b" }];
  const s = opened({ halted: alike(evil), title: alike(evil), bets });
  const markup = shown(run(s, { t: "refused", refused: { code: "", reason: alike(evil), clause: evil, bet: "" } }));
  assert.doesNotMatch(markup, /<img/);
  assert.match(markup, /data-bet="a&quot;b"/);
});

test("a terminal that the floor does not want says why, before and after it has seen a table", () => {
  const refused = { code: "", reason: alike("this device is not enrolled"), clause: "" };
  for (const s of [initial(), opened()]) {
    const over = run(s, { t: "refused", refused }, { t: "link", state: "over" });
    const markup = shown(run(over, { t: "tick", now: 1 }, { t: "tick", now: 9e9 }));
    assert.match(text(markup), /this device is not enrolled/);
  }
  assert.match(shown(run(initial(), { t: "link", state: "over" })), /href="\/enrol"/);
});

test("no seat and no credits put one button in the tray's place; the spots stay", () => {
  for (const [name, act] of [["unseated", "seat"], ["broke", "buy"]]) {
    const markup = shown(STATES[name]());
    assert.match(part(markup, "tray inviting"), new RegExp(`data-act="${act}"`));
    assert.equal(markup.match(/data-bet=/g).length, BETS.length);
  }
});

test("every word that is used is there in both languages", () => {
  const used = new Set(), call = /\bt\((?:s\.lang|lang|"en"|other), "([a-z_A-Z0-9]+)"/g;
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".js"))) {
    for (const [, key] of readFileSync(new URL(name, FOLDER), "utf8").matchAll(call)) used.add(key);
  }
  assert.ok(used.size > 90, String(used.size));
  for (const key of used) for (const lang of ["en", "zh"]) assert.notEqual(t(lang, key), key, `${lang} ${key}`);
});

test("sound is off unless it is turned on, and silent for what was not seen to happen", () => {
  const [before, after] = [opened(), dealt("3w")];
  assert.equal(toneOf(before, after), null);
  assert.equal(toneOf({ ...before, sound: true }, { ...after, sound: true }), "slide");
  assert.equal(toneOf({ ...before, sound: true }, { ...after, sound: true, still: true }), null);
  assert.equal(toneOf({ ...dealt(...CARDS), sound: true }, { ...settled(), sound: true }), "win");
});

test("a view says where it stands after a break without moving anything", () => {
  assert.equal(run(dealt("3w"), welcome({ seq: 90 })).still, true);
  assert.equal(dealt("3w").still, false);
  assert.equal(table().phase, "betting");
});

test("a corrected card and a reconstruction are told in the strip until the next round, in both languages", () => {
  const corrected = (before, after) => card("p1", after, { corrected: [{ slot: "p1", before, after }] });
  const strip = (one, lang) => /role="alert" data-key="strip"[^]*?<span>([^<]*)/.exec(view({ ...one, lang }))?.[1];
  const once = run(dealt("3w", "Lg"), corrected("3w", "4w"));
  assert.equal(strip(once, "en"),
    "Corrected: Player’s first card is the 4 of Wood; it had been entered as the 3 of Wood.");
  assert.equal(strip(once, "zh"), "更正：閒第一張牌為木4，先前輸入為木3。");
  assert.match(strip(run(once, corrected("3w", "5w")), "en"), /is the 5 of Wood; it had been entered as the 3 of Wood/);
  const back = opened({ phase: "dealing", corrected: [{ slot: "b2", before: "Lf", after: "9f" }] }); // after a break
  assert.match(strip(back, "en"), /Banker’s second card is the 9 of Fire/);
  const ground = { ground: "wrong-card-count", title: { en: "a wrong number", zh: "張數錯誤" }, clause: "5.2" };
  const again = opened({ phase: "dealing", reconstructed: ground });
  assert.equal(strip(again, "en"), "The cards were put in their true order: a wrong number.");
  assert.equal(strip(again, "zh"), "牌張已按原定次序還原：張數錯誤。");
  assert.equal(strip(run(once, betsOpened(8)), "en"), undefined);
});

test("a past round says what was put right in it", () => {
  const reopened = { ground: "misread-card", title: { en: "a card was misread", zh: "牌張誤讀" }, clause: "reading 45" };
  const round = { ...REPLAY, corrected: [{ slot: "p1", before: "9w", after: "3w" }], reopened };
  const shown = (lang, r) => String(view({ ...opened(), lang, sheet: { name: "history", replay: r } }));
  assert.match(shown("en", round), /Reopened and settled anew: a card was misread\. Corrected: Player’s first card/);
  assert.match(shown("zh", round), /重開並重新結算：牌張誤讀。/);
  assert.doesNotMatch(shown("en", REPLAY), /data-told="corrections"/);
});

test("a review is asked for in a past round, waits, and is answered with its clause, in both languages", () => {
  const past = { ...REPLAY, complaints: COMPLAINTS };
  const before = shown(sheet("history", { replay: past }));
  assert.match(before, /data-act="review"/);
  assert.doesNotMatch(shown(sheet("history", { replay: past }, own({ seated: false }))), /data-act="review"/);
  assert.doesNotMatch(shown(sheet("history", { replay: REPLAY })), /data-act="review"/);
  const form = shown(STATES["review asked for"](), "zh");
  assert.match(form, /name="complaint" value="wrong-payment" ><span>派彩有誤/);
  const waits = text(shown(STATES["review waits"]()));
  assert.match(waits, /Review 3 asked, waiting The payment is wrong/);
  assert.doesNotMatch(shown(STATES["review waits"]()), /data-act="review"/);
  const answered = STATES["review answered"]();
  assert.match(text(shown(answered)), /Review 3: The round stands as it was played Clause 3\.10 .*“six over four”/);
  assert.match(text(shown(answered, "zh")), /覆核 3：該局維持原有結果 條款 3\.10 .*「six over four」/);
});

test("an answer to a review is told quietly until it is read, and no louder word hides it", () => {
  const told_ = own({ reviews: [ANSWERED] });
  assert.match(shown(told_), /class="strip quiet" role="status"/);
  assert.match(text(shown(told_)), /Review 3, of round 6, is answered\. Read it/);
  assert.match(text(shown(told_, "zh")), /第 6 局的覆核 3 已有答覆。 閱讀/);
  assert.doesNotMatch(shown(run(told_, { t: "heard", review: 3 })), /class="strip/);
  const both = run(opened({ halted: alike("fire drill") }), mine({ seq: 60, reviews: [ANSWERED] }));
  assert.match(shown(both), /class="strip " role="alert"/);
  assert.match(text(shown(both)), /Review 3, of round 6, is answered\. Read it/);
});

test("where a dealer closes, the time is a guide: when it is up the felt is open and nothing says 0 seconds", () => {
  const guided = { ...opened({ dealer_closes: true, closes_at: 15_000 }), now: 5_000 };
  assert.match(text(shown(guided)), /about 10 s, the dealer closes betting/);
  assert.match(text(shown(guided, "zh")), /約 10 秒，由荷官截止投注/);
  const after = { ...guided, now: 16_000 };
  assert.match(text(shown(after)), /the dealer closes betting/);
  assert.doesNotMatch(text(shown(after)), /about 0|closes in 0/);
  assert.ok(canBet(after));
});

test("the last hand of a shoe is told, in both languages, until the next bets", () => {
  const called = run(opened(), happens({ last_hand: true }));
  assert.match(text(shown(called)), /Last hand of this shoe\. The shoe is changed after this round/);
  assert.match(text(shown(called, "zh")), /本靴最後一局，本局後更換牌靴/);
  assert.equal(run(called, betsOpened(8)).table.last_hand, false);
});

test("that a card was entered by hand is told to who sees it come, and to who comes anew", () => {
  const came = run(dealt(), card("p1", "3w", { keyed: ["p1"] }));
  const anew = opened({ phase: "dealing", cards: { p1: "3w" }, keyed: ["p1"] });
  for (const state of [came, anew]) assert.ok(String(view(state)).includes(t("en", "by_hand")));
  const more = run(came, card("b1", "Lg"));
  assert.ok(String(view(more)).includes(t("en", "by_hand")), "while it lies there");
  const next = run(more, betsOpened(8));
  assert.ok(!String(view(next)).includes(t("en", "by_hand")));
});

const BY_TWO = { mix: ["ann", "ben"], commitment: "ab", log: "log", signatures: {}, seed: "", order: "", nonce: "" };
const shoeOf = (en, zh, more) => ({ ...BY_TWO, text: { en, zh }, abandoned_at: null, ...more });

test("by the shoe's number stands who shuffled it, in both languages", () => {
  const shuffle = shoeOf("shuffled by the house alone", "由娛樂場自行洗牌");
  for (const [lang, words] of Object.entries(shuffle.text)) {
    for (const shape of ["wide", "phone"]) {
      const markup = shown(run(initial(), welcome({ shuffle })), lang, shape);
      assert.match(part(markup, 'data-key="shuffled"'), new RegExp(words));
    }
  }
  assert.doesNotMatch(shown(run(initial(), welcome({ shuffle: null }))), /data-key="shuffled"/);
});

test("a table that waits for a mix says so, for whom, and for how long at most", () => {
  const waits = shoeOf("waits to be mixed by ann, ben", "正等候 ann、ben 混洗", { abandoned_at: 1_700_000_010_000 });
  const s = { ...run(initial(), welcome({ shuffle: waits, phase: "settled" })), now: 1_700_000_004_000 };
  assert.equal(statusOf(s).title, "Witnesses mix the new shoe");
  assert.deepEqual(statusOf(s).sub, ["waits to be mixed by ann, ben", "at most 6 s"]);
  const mixed = run(initial(), welcome({ shuffle: { ...waits, abandoned_at: null }, phase: "waiting" }));
  assert.notEqual(statusOf(mixed).title, statusOf(s).title);
});

test("the clock is written from the first tick on: the first drawing does not wait for it", () => {
  const clock = (s) => /class="clock"><b>([^<]*)</.exec(String(view(s)))?.[1];
  const first = opened();
  assert.equal(clock(first), "");
  assert.match(clock(run(first, { t: "tick", now: 1_700_000_000_000 })) ?? "", /^\d\d:\d\d:\d\d$/);
});
