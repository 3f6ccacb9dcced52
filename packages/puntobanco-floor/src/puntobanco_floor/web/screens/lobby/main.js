// The lobby: the floor's view as it comes, drawn anew; a click changes the language.
import "../kit/elements.js";
import { get, guest, me, Refused } from "../base/api.js";
import { now } from "../base/clock.js";
import { acts, byId, listen } from "../base/dom.js";
import { views } from "../base/link.js";
import { doubtOf, pendings } from "../base/pending.js";
import { run } from "../base/screen.js";
import { isSight, keepSight, keptSight, showSight } from "../base/sight.js";
import { isLanguage, language, setLanguage } from "../base/words.js";
import { numberOf, seatOf } from "./mine.js";
import { reduce, start } from "./reduce.js";
import { page } from "./view.js";
import { t } from "./words.js";

/** @import { SessionView } from "server" */
/** @import { Pending } from "../base/pending.js" */
/** @import { Order } from "./sorting.js" */

const root = byId("lobby");
const first = start({ lang: language(), ...keptSight() });
const loop = run({ root, first, reduce, view: (state) => page(state, now()) });
const { tell } = loop;
setLanguage(loop.state.lang);
showSight(first);

acts(root, {
  language({ dataset: { lang } }) {
    if (!isLanguage(lang)) return;
    setLanguage(lang);
    tell({ t: "language", lang });
  },
  sight({ dataset: { sight } }) {
    if (!isSight(sight)) return;
    tell({ t: "sight", name: sight });
    keepSight(loop.state);
    showSight(loop.state);
  },
  order: ({ dataset: { order } }) => tell({ t: "order", order: /** @type {Order} */ (order) }),
  move: ({ dataset }) => attempt(() => move(Number(dataset.table))),
  leave: () => (seatOf(loop.state)?.balance_cents ? tell({ t: "leaving", leaving: true }) : attempt(leave)),
  stay: () => tell({ t: "leaving", leaving: false }),
});
listen(root, "change", (target) => { if (target.matches("[data-only]")) tell({ t: "only", only: target.value }); });

// Where this patron sits

const commands = pendings({
  place: () => `lobby ${loop.state.me?.session ?? ""}`,
  onDoubt: (_, error) => tell({ t: "refused", refused: doubtOf(error) }),
});

/** @param {() => Promise<unknown>} work */
async function attempt(work) {
  tell({ t: "busy", busy: true });
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused || error instanceof TypeError)) throw error; // ours
    tell({ t: "refused", refused: toldOf(error) });
  }
  await look();
  tell({ t: "busy", busy: false });
}

const NO_ANSWER = { reason: { en: t("en", "no_answer"), zh: t("zh", "no_answer") } };
/** @param {Error} error */
const toldOf = (error) => (error instanceof Refused ? error : NO_ANSWER);

// With credits they come along; without, the seat is left and another taken there.
/** @param {number} to */
async function move(to) {
  const seat = seatOf(loop.state);
  if (!seat) return;
  if (!seat.balance_cents) {
    await leave();
    location.assign(`/tables/${to}#sit`);
    return;
  }
  await arrive(await commands.send("move", `/api/tables/${numberOf(seat)}/move`, { to }), to);
}

// A move that was looked up tells of the table that was left: what became of it shows when the page looks again.
/** @param {SessionView} found @param {number} to */
function arrive(found, to) {
  if (numberOf(found) === to) location.assign(`/tables/${to}`);
}

async function leave() {
  const seat = seatOf(loop.state);
  if (!seat) return;
  await commands.send("leave", `/api/tables/${numberOf(seat)}/leave`);
  await guest(); // the session is over; the next patron has another
}

/** What an earlier page has left. @param {Pending} one @param {Promise<any>} answer */
async function finish({ key, body }, answer) {
  const found = await answer;
  if (key === "move") arrive(found, /** @type {{ to: number }} */ (body).to);
  else await guest();
}

async function look() {
  try {
    const device = await get("/api/floor");
    tell({ t: "device", device });
    tell({ t: "me", me: device.session ? await me() : null });
    if (device.session) commands.resume((one, answer) => attempt(() => finish(one, answer)));
  } catch { /* nobody answers: the link says so */ }
}

// Credits change with the rounds of one's own table, and while they are on the way.
let seen = "";
function follow() {
  const seat = seatOf(loop.state), { view } = loop.state;
  const table = view?.tables.find((one) => one.table === seat?.table);
  const now = seat && table ? `${seat.table} ${table.round} ${table.phase} ${seat.moving_to}` : "";
  if (now && (now !== seen || seat?.moving_to)) look();
  seen = now;
}

// Whether this device is enrolled, and who sits here, may change while the floor is away.
views(
  {
    lobby(view, at) {
      tell({ t: "view", view, at });
      follow();
    },
  },
  {
    onState(link) {
      tell({ t: "link", state: link });
      if (link === "open") look();
    },
  },
);
addEventListener("pageshow", (event) => { if (event.persisted) look(); }); // back from a table
setInterval(loop.draw, 1000); // the clock
loop.draw();
