// The HTTP side: requests in JSON, refusals as errors with their reason and clause, a token against forged requests.
import { setZone } from "./money.js";
import { askPin } from "./pin.js";
import { alike, saidHere } from "./words.js";

/** @import { Gets, Me, Posts, Problem, Words as Bilingual } from "server" */

export class Refused extends Error {
  /** @param {Partial<Problem> & { reason: Bilingual }} found @param {number} status */
  constructor(found, status) {
    super(cited(found));
    this.reason = found.reason;
    this.clause = found.clause || "";
    this.code = found.code || "";
    this.fields = found.fields ?? {}; // what is wrong with what was filled in, by field
    this.status = status;
  }

  /** Its message, in the language that the page now has. */
  said() { return cited(this); }
}

/**
 * What an error says, when it is drawn; of one that is no refusal what `lost` says, else its own words.
 * @param {unknown} error @param {() => string} [lost]
 */
export const saidBy = (error, lost = () => /** @type {Error} */ (error).message) => () =>
  (error instanceof Refused ? error.said() : lost());

/** @param {{ reason: Bilingual, clause?: string }} found */
function cited(found) {
  const told = saidHere(found.reason);
  return found.clause ? `${told} [${found.clause}]` : told;
}

let csrf = "";

/** @param {Response} answer */
async function answered(answer) {
  if (answer.status === 204) return null;
  const found = await answer.json().catch(() => {
    if (answer.ok) throw new TypeError("the answer was cut off"); // what was answered is not known
    return {};
  });
  if (!answer.ok) throw new Refused({ reason: alike(`the server answered ${answer.status}`), ...found }, answer.status);
  return found;
}

/**
 * What the server answers at a path, as `server.d.ts` has it; a path that is put together elsewhere answers anything.
 * @template {string} Path
 * @param {Path} path
 * @returns {Promise<Path extends keyof Gets ? Gets[Path] : any>}
 */
export const get = async (path) => answered(await fetch(path, { headers: touched() }));

const TOUCHED_MS = 5_000;
let touchedAt = Date.now();
for (const kind of ["pointerdown", "keydown", "wheel"]) {
  globalThis.addEventListener?.(kind, () => { touchedAt = Date.now(); }, { capture: true, passive: true });
}

// A page asks again by itself; only where somebody has touched it lately is the login in use.
/** @returns {Record<string, string>} */
const touched = () => (Date.now() - touchedAt < TOUCHED_MS ? { "x-touched": "1" } : {});

/**
 * @template {string} Path
 * @param {Path} path
 * @param {object} [body]
 * @param {{ headers?: Record<string, string>, timeoutMs?: number }} [how] headers keep a PIN for the next try
 * @returns {Promise<Path extends keyof Posts ? Posts[Path] : any>}
 */
export async function post(path, body, { headers = {}, timeoutMs = 0 } = {}) {
  headers["x-csrf-token"] = csrf;
  if (body !== undefined) headers["content-type"] = "application/json";
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const limit = () => (timeoutMs ? { signal: AbortSignal.timeout(timeoutMs) } : {});
  const ask = async () => answered(await fetch(path, { method: "POST", headers, body: sent, ...limit() }));
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "pin-needed") throw error;
      const pin = await askPin(error.message);
      if (!pin) throw error;
      headers["x-pin"] = pin;
    }
  }
}

const hex = (byte) => byte.toString(16).padStart(2, "0");
const randomHex = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), hex).join("");
export const newId = () => (crypto.randomUUID ? crypto.randomUUID() : randomHex());

/** A file that the server makes: through a link, so that the browser saves it under its name. @param {string} path */
export function download(path) {
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}

// Who of the staff is logged in here; nobody: to the login, and back.
export async function staff() {
  try {
    const me = await get("/api/staff/me");
    csrf = me.csrf;
    setZone(me.zone);
    return me;
  } catch (error) {
    if (error instanceof Refused && error.status === 401) toLogin();
    throw error;
  }
}

export const toLogin = () => location.replace(`/staff?next=${encodeURIComponent(location.pathname + location.search)}`);

/** @param {string} name @param {string} password @param {string} [oneTime] */
export async function login(name, password, oneTime = "") {
  const found = await post("/api/staff/login", { name, password, one_time: oneTime });
  csrf = found.csrf;
  return found;
}

// The patron's session: a guest, or an enrolled terminal, has the one of before again, or a new one. A voucher that was
// not put away belongs to the session that was: that one is kept until it is.
export async function guest() {
  const { demo, terminal, zone } = await answered(await fetch("/api/floor")); // as a page preloads it: no header
  setZone(zone);
  const found = await ownSession() ?? await (demo && !terminal ? post("/api/guest") : post("/api/session", {}));
  csrf = found.csrf;
  return found;
}

/** Who sits here: only where there is a session already. @returns {Promise<Me>} */
export async function me() {
  const found = await get("/api/me");
  csrf = found.csrf;
  return found;
}

/** The session whose voucher was not put away, if this browser still has it. @returns {Promise<Me | null>} */
async function ownSession() {
  if (!vouchers.waiting()) return null;
  try {
    return await get("/api/me");
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return null;
    throw error;
  }
}

/** Cash-outs whose slip has not been put away, by table; they outlive the page and the browser. */
export const vouchers = {
  get: (/** @type {number} */ table) => localStorage.getItem(`cash-out ${table}`),
  keep: (/** @type {number} */ table, /** @type {string} */ id) => localStorage.setItem(`cash-out ${table}`, id),
  done: (/** @type {number} */ table) => localStorage.removeItem(`cash-out ${table}`),
  waiting: () => Object.keys(localStorage).some((key) => key.startsWith("cash-out ")),
};
