// A session: what the staff did is told, a refusal stands at its spot, and its end leaves nothing behind.
import assert from "node:assert/strict";
import { test } from "node:test";
import { guest } from "../../src/puntobanco_floor/web/screens/base/api.js";
import { double, tap } from "../../src/puntobanco_floor/web/screens/terminal/ask.js";
import { initial, reduce } from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import { FRESH_MS } from "../../src/puntobanco_floor/web/screens/terminal/session.js";
import { view } from "../../src/puntobanco_floor/web/screens/terminal/view.js";
import { ids, mine, opened, run, welcome } from "./terminal-story.js";

const shown = (s, lang = s.lang, shape = "wide") => String(view({ ...s, lang, shape }));
const strip = (s, lang) => /data-key="strip"[^]*?<span>([^<]*)/.exec(shown(s, lang))?.[1];
const own = (more) => mine({ seq: 60, ...more });

test("credits that the staff load are told until that is read", () => {
  const s = run(opened(), own({ balance_cents: 105_000, net_cents: 5_000 }));
  assert.equal(strip(s), undefined);
  const loaded = run(s, mine({ seq: 61, balance_cents: 155_000, net_cents: 5_000 }));
  assert.equal(strip(loaded, "en"), "The staff have loaded $500.00. It is in your credits.");
  assert.equal(strip(loaded, "zh"), "職員已存入 $500.00，並已加入餘額。");
  assert.equal(strip(reduce(loaded, { t: "handed-read" })), undefined);
});

test("what a ruling awards is told with its round, and is no load of the staff", () => {
  const s = run(opened(), own({ balance_cents: 105_000, net_cents: 5_000 }));
  const adjustments = [{ round: 9, cents: 5_000, note: "as ruled", review: 1, clause: "4.1", direction: "" }];
  const paid = run(s, mine({ seq: 61, balance_cents: 110_000, net_cents: 10_000, adjustments }));
  assert.match(strip(paid, "en"), /The house has paid you \$50\.00 for round 9\. It is in your credits/);
  assert.match(strip(paid, "zh"), /就第 9 局補付 \$50\.00/);
  assert.match(strip(run(paid, mine({ seq: 62, balance_cents: 110_000, net_cents: 10_000, adjustments }))), /round 9/);
  assert.equal(strip(reduce(paid, { t: "handed-read" })), undefined);
});

test("what a patron wins, wagers, or brings in at the terminal is nobody else's doing", () => {
  const s = run(opened(), own({ balance_cents: 100_000, net_cents: 0 }));
  const quiet = [
    { balance_cents: 90_000, wagers: { banker: 10_000 }, net_cents: 0 }, // wagered
    { balance_cents: 130_000, net_cents: 30_000 }, // won
    { balance_cents: 60_000, net_cents: -40_000 }, // lost
  ];
  for (const more of quiet) assert.equal(strip(run(s, mine({ seq: 61, ...more }))), undefined);
  const redeemed = run(s, { t: "expects" }, mine({ seq: 61, balance_cents: 150_000, net_cents: 0 }));
  assert.equal(strip(redeemed), undefined);
  const after = run(redeemed, mine({ seq: 62, balance_cents: 151_000, net_cents: 0 }));
  assert.match(strip(after), /loaded \$10\.00/);
});

const chosen = () => run(
  reduce(initial({ lang: "zh", home: "en", sound: true, squeeze: true }), welcome()), { t: "tick", now: 2_000_000 },
);
const LEFT = { seq: 61, seated: false, balance_cents: 0, since: null };

test("when a session is over language, sound and squeezing are the device's own again, soon and not at once", () => {
  const left = run(chosen(), mine(LEFT));
  assert.equal(left.lang, "zh", "who leaves still reads");
  const soon = run(left, { t: "tick", now: 2_000_000 + FRESH_MS });
  assert.equal(soon.lang, "zh");
  const later = run(left, { t: "tick", now: 2_000_001 + FRESH_MS });
  assert.deepEqual([later.lang, later.sound, later.squeeze, later.handed], ["en", false, false, null]);
  assert.deepEqual([later.last, later.undo, later.leftAt], [{}, [], null]);
});

test("a voucher that is not put away keeps its language; whoever chooses one meanwhile keeps it", () => {
  const paper = run(chosen(), mine(LEFT), { t: "sheet", sheet: { name: "paper" } });
  assert.equal(run(paper, { t: "tick", now: 9_000_000 }).lang, "zh");
  assert.equal(run(paper, { t: "fresh" }).lang, "en", "I have it");
  const next = run(chosen(), mine(LEFT), { t: "language", lang: "zh" }, { t: "tick", now: 9_000_000 });
  assert.equal(next.lang, "zh");
  const seated = run(chosen(), mine(LEFT), mine({ seq: 62, session: "T-07:bb" }), { t: "tick", now: 9_000_000 });
  assert.equal(seated.lang, "zh", "somebody plays");
});

test("who was paid by hand reads so, and then the terminal is the next patron's", () => {
  const held = run(chosen(), own({ held_cents: 5_000, balance_cents: 0 })), paid = run(held, mine(LEFT));
  assert.equal(strip(paid), "職員已人手支付 $50.00。");
  const read = reduce(paid, { t: "handed-read" });
  assert.deepEqual([read.lang, read.sound, strip(read)], ["en", false, undefined]);
});

const spotOf = (markup, bet) => markup.slice(markup.indexOf(`data-bet="${bet}"`)).split("</button>")[0];

test("a refusal stands beside its spot in the patron's words, in both languages, and beside no other", () => {
  const s = run(opened(), tap(opened(), "tie", ids())), reason = { en: "Max $50 here", zh: "此處上限 $50" };
  const refused = run(s, { t: "answered", id: "id1", ok: false, code: "limit-refused", reason, clause: "" });
  for (const [lang, words] of Object.entries(reason)) {
    for (const shape of ["wide", "phone"]) {
      const markup = shown(refused, lang, shape);
      assert.ok(spotOf(markup, "tie").includes(`class="why-not" data-key="why-not" aria-hidden="true">${words}<`));
      assert.ok(!spotOf(markup, "banker").includes("why-not"));
    }
  }
  assert.doesNotMatch(shown(run(refused, { t: "tick", now: 1 }, { t: "tick", now: 9e6 })), /why-not/);
});

test("what the terminal refuses by itself stands there too", () => {
  const s = run(opened(), own({ wagers: { tie: 30_000 } })), twice = reduce(s, double(s, ids()));
  assert.ok(spotOf(shown(twice, "en"), "tie").includes(">Max $500 here<"));
  assert.ok(spotOf(shown(twice, "zh"), "tie").includes(">此處上限 $500<"));
});

test("the sound's button has one name and says whether it is on; its picture in the menu is a loudspeaker", () => {
  const s = opened();
  assert.match(shown(s), /data-act="sound" aria-pressed="false"\s+aria-label="Sound"/);
  assert.match(shown({ ...s, sound: true }, "zh"), /data-act="sound" aria-pressed="true"\s+aria-label="聲音"/);
  const menu = shown(run(s, { t: "sheet", sheet: { name: "menu" } }));
  const door = menu.slice(menu.lastIndexOf('data-act="sound"'));
  assert.match(door.split("</button>")[0], /<svg/);
  assert.doesNotMatch(door.split("</button>")[0], /pb-icon/);
});

test("why cashing out waits is read on its button, on a telephone too", () => {
  const s = run(opened(), own({ wagers: { tie: 1000 } }));
  assert.match(shown(s), /data-act="cash" disabled>[^]*?Cash out<small class="why">after this round</);
  const menu = run(s, { t: "sheet", sheet: { name: "menu" } });
  assert.match(shown(menu, "zh", "phone"), /data-act="cash"\s+disabled>[^]*?<small class="why">本局後</);
  assert.doesNotMatch(shown(opened()), /class="why"/);
});

test("the ring and the sentence beside it say the same second", () => {
  for (const now of [1_000_000, 1_000_400, 1_000_999, 1_014_001]) {
    const s = run(opened(), { t: "tick", now }), markup = shown(s, "en");
    const [, ring] = /seconds="(\d+)"/.exec(markup), [, words] = /closes in (\d+) second/.exec(markup);
    assert.equal(ring, words);
  }
});

test("who sits elsewhere with limits of their own is shown the way there", () => {
  const reason = {
    en: "You have set yourself limits and sit at Table 3; cash out there first", zh: "請先在該處兌現",
  };
  const wrong = { code: "seated-elsewhere", reason, at: 3 };
  const s = run(opened(), { t: "refused", refused: wrong });
  assert.match(shown(s, "en"), /<a class="btn slim" href="\/tables\/3">Go to Table 3<\/a>/);
  assert.match(shown(s, "zh"), /href="\/tables\/3">前往賭枱 3</);
});

test("an enrolled device keeps its name in a demonstration; another one is a guest", async () => {
  const asked = async (terminal) => {
    const paths = [];
    globalThis.localStorage = {};
    globalThis.fetch = async (path) => {
      paths.push(path);
      const found = { demo: true, terminal, zone: "UTC", session: "s", csrf: "c" };
      return { ok: true, status: 200, json: async () => found };
    };
    await guest();
    return paths;
  };
  assert.deepEqual(await asked("T1"), ["/api/floor", "/api/session"]);
  assert.deepEqual(await asked(""), ["/api/floor", "/api/guest"]);
});
