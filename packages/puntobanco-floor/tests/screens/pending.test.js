// Commands that wait for a decision, against a floor whose answers are lost: one id, sent again until it is decided.
import assert from "node:assert/strict";
import test from "node:test";
import { Refused } from "../../src/puntobanco_floor/web/screens/base/api.js";
import { REPEAT_MS } from "../../src/puntobanco_floor/web/screens/base/doubt.js";
import { isDecision, isInDoubt, outcomePath, pendings } from "../../src/puntobanco_floor/web/screens/base/pending.js";
import { alike } from "../../src/puntobanco_floor/web/screens/base/words.js";

class Storage {
  setItem(key, value) { this[key] = String(value); }
  getItem(key) { return this[key] ?? null; }
  removeItem(key) { delete this[key]; }
}

const answer = (status, body) => ({ status, ok: status < 400, json: async () => body });
const refused = (status, code) => answer(status, { code, reason: alike(code), clause: "" });
const LOST = () => { throw new TypeError("Failed to fetch"); };
const PATH = "/api/tables/3/cash-out", OUTCOME = /^\/api\/tables\/3\/commands\//;

/** A floor that answers `replies` one after the other, the last one for ever; time passes only while a page waits. */
function floor(t, ...replies) {
  const asked = [];
  let at = 1_000_000;
  globalThis.localStorage = new Storage();
  t.mock.method(globalThis, "fetch", async (path, { method = "GET", body = "null" } = {}) => {
    asked.push({ method, path, id: JSON.parse(body)?.id, at });
    const next = replies.length > 1 ? replies.shift() : replies[0];
    return typeof next === "function" ? next() : next;
  });
  t.mock.method(Date, "now", () => at);
  t.mock.method(globalThis, "setTimeout", (run, ms) => { at += ms; queueMicrotask(run); });
  const doubts = [];
  const page = () => pendings({ place: () => "cage 1 carl", onDoubt: (_, error) => doubts.push(error) });
  return { asked, doubts, page, left: () => Object.keys(globalThis.localStorage) };
}

for (const [said, lost] of [
  ["a cut line", LOST], ["in doubt", refused(503, "in-doubt")], ["not stored", refused(503, "not-stored")],
  ["a gateway without a server", refused(502, "")], ["a fault", refused(500, "fault")],
  ["half an answer", { status: 200, ok: true, json: async () => { throw new SyntaxError("cut"); } }],
]) {
  test(`after ${said} the same id is sent again, until the floor decides`, async (t) => {
    const { asked, doubts, page, left } = floor(t, lost, lost, answer(200, { number: "1" }));
    assert.deepEqual(await page().send("cash-out", PATH), { number: "1" });
    assert.deepEqual([asked.length, new Set(asked.map(({ id }) => id)).size, doubts.length], [3, 1, 2]);
    assert.deepEqual(left(), []);
  });
}

test("a refusal that is the first answer is a decision, and the next tap is another command", async (t) => {
  const { asked, page, left } = floor(t, refused(409, "not-now"), answer(200, {}));
  const commands = page();
  await assert.rejects(commands.send("cash-out", PATH), { code: "not-now" });
  assert.deepEqual(left(), []);
  await commands.send("cash-out", PATH);
  assert.equal(new Set(asked.map(({ id }) => id)).size, 2);
});

test("a refusal of a repeat is held against the journal, which knows the try before it", async (t) => {
  const { asked, page } = floor(t, LOST, refused(409, "not-seated"), answer(200, { number: "7" }));
  assert.deepEqual(await page().send("cash-out", PATH), { number: "7" });
  assert.deepEqual(asked.map(({ method }) => method), ["POST", "POST", "GET"]);
  assert.match(asked[2].path, OUTCOME);
});

test("where the journal has no such command, the refusal of the repeat counts", async (t) => {
  const { page, left } = floor(t, LOST, refused(409, "not-seated"), refused(404, "unknown"));
  await assert.rejects(page().send("cash-out", PATH), { code: "not-seated" });
  assert.deepEqual(left(), []);
});

test("too many requests and a login that is over say nothing about a command in doubt", async (t) => {
  const busy = floor(t, LOST, refused(429, ""), answer(200, { ok: true }));
  assert.deepEqual(await busy.page().send("pay", PATH), { ok: true });
  t.mock.restoreAll();
  const over = floor(t, LOST, refused(401, ""), answer(200, { ok: true }));
  await assert.rejects(over.page().send("pay", PATH), { status: 401 });
  assert.equal(over.left().length, 1); // for the next login
  const found = [];
  over.page().resume((one, sent) => found.push([one.key, sent]));
  assert.deepEqual([found[0][0], await found[0][1]], ["pay", { ok: true }]);
  assert.equal(new Set(over.asked.map(({ id }) => id)).size, 1);
});

test("without a doubt too many requests and a login that is over end it: nothing was looked at", async (t) => {
  for (const status of [401, 429]) {
    const { page, left } = floor(t, refused(status, ""));
    await assert.rejects(page().send("pay", PATH), { status });
    assert.deepEqual(left(), []);
    t.mock.restoreAll();
  }
});

test("a second tap joins the command that waits", async (t) => {
  const { asked, page } = floor(t, LOST, answer(200, { seq: 4 }));
  const commands = page();
  const taps = [commands.send("buy s1", PATH), commands.send("buy s1", PATH)];
  assert.ok(commands.has("buy s1"));
  assert.deepEqual(await Promise.all(taps), [{ seq: 4 }, { seq: 4 }]);
  assert.equal(new Set(asked.map(({ id }) => id)).size, 1);
  assert.ok(!commands.has("buy s1"));
});

test("after a reload the same id goes on, with its body and what the screen needs", async (t) => {
  const { asked, page, left } = floor(t, () => new Promise(() => {}), answer(200, { seq: 9 }));
  page().send("buy s1", PATH, { cents: 500 }, { about: { what: "buy" } });
  assert.equal(left().length, 1);
  const found = [];
  page().resume(({ about, body }, sent) => found.push({ about, body, sent }));
  assert.deepEqual([found[0].about, found[0].body], [{ what: "buy" }, { cents: 500 }]);
  assert.deepEqual(await found[0].sent, { seq: 9 });
  assert.equal(new Set(asked.map(({ id }) => id)).size, 1);
  assert.deepEqual(left(), []);
});

test("another person at the same screen does not take it over", (t) => {
  const { page } = floor(t, () => new Promise(() => {}));
  page().send("buy s1", PATH);
  const taken = [];
  pendings({ place: () => "cage 1 carla" }).resume((one) => taken.push(one));
  assert.deepEqual(taken, []);
});

test("once the screen belongs to somebody else, what is in doubt is not sent as theirs", async (t) => {
  const { asked, left } = floor(t, refused(503, "in-doubt"));
  let patron = "ann";
  const mine = pendings({ place: () => `terminal 1 ${patron}`, onDoubt: () => { patron = "ben"; } });
  mine.send("redeem", "/api/tables/3/redeem", { number: "1" });
  await new Promise(setImmediate);
  assert.equal(asked.length, 1);
  assert.equal(mine.has("redeem"), false, "ben's tap is a command of his own");
  assert.match(left()[0], /ann/, "ann's next page goes on with it");
});

test("a body with a PIN is not kept", (t) => {
  const { page, left } = floor(t, () => new Promise(() => {}));
  page().send("second", PATH, { pin: "1234" }, { isKept: false });
  assert.deepEqual(left(), []);
});

test("after ten minutes it is only looked up", async (t) => {
  let isUp = false;
  const { asked, page } = floor(t, () => (isUp ? answer(200, { seq: 3 }) : LOST()));
  const sent = page().send("pay", PATH);
  const first = asked[0].at;
  while (!asked.some(({ method }) => method === "GET")) await Promise.resolve();
  isUp = true;
  assert.deepEqual(await sent, { seq: 3 });
  const posts = asked.filter(({ method }) => method === "POST"), gets = asked.filter(({ method }) => method === "GET");
  assert.ok(posts.every(({ at }) => at - first < REPEAT_MS));
  assert.ok(gets.every(({ at, path }) => at - first >= REPEAT_MS && OUTCOME.test(path)));
  assert.ok(posts.length > 10, `${posts.length} tries in ten minutes`);
});

test("looked up and not in the journal, it was not recorded, and its id goes", async (t) => {
  const { page, left } = floor(t, refused(404, "unknown"));
  await assert.rejects(page().send("cash-out", PATH, {}, { id: "x", at: 0 }), { code: "unknown" });
  assert.deepEqual(left(), []);
});

test("which errors are decisions", () => {
  const of = (status, code = "") => new Refused({ reason: alike(""), code }, status);
  for (const status of [400, 403, 404, 409, 501]) assert.ok(isDecision(of(status)), String(status));
  for (const status of [401, 429, 500, 502, 503, 504]) assert.ok(!isDecision(of(status)), String(status));
  for (const status of [500, 502, 503, 504]) assert.ok(isInDoubt(of(status)), String(status));
  for (const status of [400, 401, 403, 404, 409, 429, 501]) assert.ok(!isInDoubt(of(status)), String(status));
  assert.ok(isInDoubt(new TypeError("Failed to fetch")));
  assert.ok(!isInDoubt(new RangeError("ours")));
});

test("an outcome is looked up where the command was sent", () => {
  const at = (path, body = {}) => outcomePath({ id: "a b", path, body });
  assert.equal(at("/api/tables/3/redeem"), "/api/tables/3/commands/a%20b");
  assert.equal(at("/api/me/limits"), "/api/me/commands/a%20b");
  assert.equal(at("/api/staff/tables/3/commands"), "/api/staff/tables/3/commands/a%20b");
  assert.equal(at("/api/staff/cage/2/pay"), "/api/staff/cage/2/commands/a%20b");
  assert.equal(at("/api/admin/tables/3/stop"), "/api/staff/tables/3/commands/a%20b");
  assert.equal(at("/api/admin/tables", { number: 8 }), "/api/staff/tables/8/commands/a%20b");
  assert.equal(at("/api/admin/floor/stop"), "/api/staff/house/commands/a%20b");
});
