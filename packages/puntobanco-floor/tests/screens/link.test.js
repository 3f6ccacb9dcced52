// The live side against a socket that can fall silent: a screen must not go on showing what was.
import assert from "node:assert/strict";
import test from "node:test";
import { now } from "../../src/puntobanco_floor/web/screens/base/clock.js";
import { link } from "../../src/puntobanco_floor/web/screens/base/link.js";

const QUIET_MS = 15_000;

class Socket {
  static CONNECTING = 0;
  static OPEN = 1;
  static all = [];
  constructor(address) {
    Object.assign(this, { address, readyState: 0, closed: false });
    Socket.all.push(this);
  }
  open() { this.readyState = Socket.OPEN; this.onopen(); }
  say(message) { this.onmessage?.({ data: JSON.stringify(message) }); }
  close() { this.closed = true; this.onclose?.({}); }
}

/** Timers and a clock that only `tick` moves: those of Node's runner differ between its versions. */
function clock(t) {
  let at = 0, last = 0;
  const due = new Map();
  const add = (run, ms, every) => { last += 1; due.set(last, { run, at: at + ms, every }); return last; };
  t.mock.method(globalThis, "setTimeout", (run, ms) => add(run, ms, 0));
  t.mock.method(globalThis, "setInterval", (run, ms) => add(run, ms, ms));
  t.mock.method(globalThis, "clearInterval", (id) => { due.delete(id); });
  t.mock.method(Date, "now", () => at);
  return function tick(ms) {
    const until = at + ms;
    for (;;) {
      const [id, next] = [...due].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (!next || next.at > until) break;
      at = next.at;
      if (next.every) next.at += next.every;
      else due.delete(id);
      next.run();
    }
    at = until;
  };
}

function linked(t) {
  const tick = clock(t);
  Socket.all = [];
  Object.assign(globalThis, { WebSocket: Socket, location: { protocol: "http:", host: "floor" } });
  const heard = [], states = [];
  const found = link("/ws/1", {
    onMessage: (message) => heard.push(message.t), onState: (state, tries) => states.push([state, tries]),
  });
  t.after(() => found.close());
  return { found, heard, states, socket: Socket.all[0], tick };
}

test("a socket that says nothing for too long is lost, closed, and opened anew", (t) => {
  const { heard, states, socket, tick } = linked(t);
  socket.open();
  socket.say({ t: "welcome" });
  tick(QUIET_MS - 1000);
  assert.equal(socket.closed, false);
  tick(1000);
  assert.deepEqual(states, [["connecting", 0], ["open", 0], ["lost", 1]]);
  assert.equal(socket.closed, true);
  tick(1000);
  assert.equal(Socket.all.length, 2);
  Socket.all[1].open();
  Socket.all[1].say({ t: "welcome" });
  assert.deepEqual(heard, ["welcome", "welcome"]);
});

test("a beat keeps it, sets the clock, and is no message", (t) => {
  const { heard, states, socket, tick } = linked(t);
  socket.open();
  for (let n = 0; n < 10; n += 1) {
    tick(10_000);
    socket.say({ t: "beat", at: 5_000_000 });
  }
  assert.equal(now(), 5_000_000);
  assert.deepEqual(heard, []);
  assert.deepEqual(states.at(-1), ["open", 0]);
});

test("a socket that never opens is given up for another, and one that is closed for good is not", (t) => {
  const { found, states, tick } = linked(t);
  tick(QUIET_MS);
  assert.deepEqual(states.at(-1), ["lost", 1]);
  tick(1000);
  assert.equal(Socket.all.length, 2);
  found.close();
  tick(10 * QUIET_MS);
  assert.equal(Socket.all.length, 2);
  assert.deepEqual(states.at(-1), ["lost", 1]);
});

test("one that is still connecting is closed when it is open, and tells nothing", (t) => {
  const { found, heard, states, socket, tick } = linked(t);
  found.close();
  assert.equal(socket.closed, false);
  socket.open();
  assert.equal(socket.closed, true);
  socket.say({ t: "welcome" });
  tick(QUIET_MS);
  assert.deepEqual([heard, states, Socket.all.length], [[], [["connecting", 0]], 1]);
});

test("one that waits for its next try makes none once it is closed", (t) => {
  const { found, socket, tick } = linked(t);
  socket.close();
  found.close();
  tick(QUIET_MS);
  assert.equal(Socket.all.length, 1);
});
