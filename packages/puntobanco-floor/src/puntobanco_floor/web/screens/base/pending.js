// Commands that wait for a decision: each keeps one id, over a reload too, and is sent again until the floor decides.
import { get, newId, post, Refused } from "./api.js";
import { IN_DOUBT, pauseMs, REPEAT_MS } from "./doubt.js";
import { forget, keep, kept } from "./kept.js";

/**
 * @typedef {object} Pending a command that was sent and is not decided
 * @property {string} key the act: while it waits, a second tap joins it
 * @property {string} id
 * @property {string} path
 * @property {object} body without its id
 * @property {any} about what the screen needs to show the outcome after a reload
 * @property {number} at when it was first sent
 * @property {boolean} inDoubt a try had no answer: a refusal may be of a later one alone
 */

export const ANSWER_MS = 30_000; // a connection that says nothing for so long is lost
const PREFIX = "pending ";

const LOST = ["TypeError", "TimeoutError", "AbortError"];
const FAILS = 500, NOT_OFFERED = 501, LOGGED_OUT = 401, TOO_MANY = 429;

/**
 * Whether an error leaves open what became of a command: no answer came, or the server failed. 501 is an answer: the
 * server has no such thing.
 * @param {unknown} error
 */
export function isInDoubt(error) {
  if (error instanceof Refused) return error.status >= FAILS && error.status !== NOT_OFFERED;
  return error instanceof Error && LOST.includes(error.name);
}

/** Whether a refusal is about the command: not that the login is over, nor that too many were sent. */
export const isDecision = (/** @type {unknown} */ error) =>
  error instanceof Refused && !isInDoubt(error) && ![LOGGED_OUT, TOO_MANY].includes(error.status);

/** What to say of an error that leaves a command in doubt. @param {unknown} error */
export const doubtOf = (error) => (error instanceof Refused && error.code === "in-doubt" ? error : IN_DOUBT);

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/**
 * Where the outcome of a command is looked up: with the stream that it was sent to.
 * @param {Pick<Pending, "id" | "path" | "body">} one
 */
export function outcomePath({ id, path, body }) {
  const [, at] = /^\/api\/(tables\/\d+|me|staff\/tables\/\d+|staff\/cage\/\d+)\//.exec(path) ?? [];
  const [, table] = /^\/api\/admin\/tables\/(\d+)/.exec(path) ?? [];
  const opened = path === "/api/admin/tables" ? /** @type {{ number?: number }} */ (body).number : undefined;
  const number = table ?? opened, place = at ?? (number ? `staff/tables/${number}` : "staff/house");
  return `/api/${place}/commands/${encodeURIComponent(id)}`;
}

/** @param {Pending} one */
const lookUp = (one) => get(outcomePath(one));
/** @param {unknown} error @param {number} status */
const has = (error, status) => error instanceof Refused && error.status === status;
/** Whether the journal has no such command. @param {unknown} error */
const isUnknown = (error) => has(error, 404) && /** @type {Refused} */ (error).code === "unknown";

/**
 * The answer to a command. Repeats it while its outcome is in doubt, for REPEAT_MS at most; from then on it is only
 * looked up. Once the screen belongs to somebody else it stops: the next page of its own person goes on with it.
 * @param {Pending} one
 * @param {(one: Pending, error: unknown) => void} [onDoubt]
 * @param {() => boolean} [isOurs]
 */
export async function decide(one, onDoubt = () => {}, isOurs = () => true) {
  /** @type {Record<string, string>} */
  const headers = {}; // with a PIN that was typed: it is not asked for again
  for (let tries = 0; ; tries += 1) {
    if (!isOurs()) return new Promise(() => {});
    try {
      if (Date.now() - one.at >= REPEAT_MS) return await lookUp(one);
      return await post(one.path, { ...one.body, id: one.id }, { headers, timeoutMs: ANSWER_MS });
    } catch (error) {
      const found = one.inDoubt ? await confirmed(one, error) : { error };
      if ("answer" in found) return found.answer;
      const mayCome = isInDoubt(found.error) || (one.inDoubt && has(found.error, TOO_MANY));
      if (!mayCome) throw found.error;
      one.inDoubt = true;
      onDoubt(one, found.error);
    }
    await wait(pauseMs(tries) * (0.75 + Math.random() / 2)); // not all screens at once
  }
}

/**
 * A refusal of a repeat says nothing about the tries before it: the journal does. A login that is over and too many
 * requests are not about the command at all.
 * @param {Pending} one @param {unknown} error
 * @returns {Promise<{ answer: any } | { error: unknown }>}
 */
async function confirmed(one, error) {
  if (!isDecision(error)) return { error };
  try {
    return { answer: await lookUp(one) };
  } catch (found) {
    return { error: isUnknown(found) ? error : found };
  }
}

/**
 * Work under one id, again while its outcome is in doubt; where nobody else may look it up, the last error at the end.
 * @template Answer
 * @param {() => Promise<Answer>} work
 */
export async function repeated(work) {
  const since = Date.now();
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isInDoubt(error) || Date.now() - since >= REPEAT_MS) throw error;
    }
    await wait(pauseMs(tries));
  }
}

/**
 * The commands of one screen and person. `place` names both; `onDoubt` is told each time that no decision came.
 * @param {{ place: () => string, onDoubt?: (one: Pending, error: unknown) => void }} screen
 */
export function pendings({ place, onDoubt = () => {} }) {
  /** @type {Map<string, Promise<any>>} */
  const going = new Map();
  /** @param {Pending} one */
  const named = ({ id }) => `${PREFIX}${place()} ${id}`;

  /** @param {Pending} one */
  function follow(one) {
    const name = named(one), whose = place(), act = `${whose} ${one.key}`;
    const isNamed = !whose.endsWith(" "); // else nobody had come yet
    const answer = decide(one, onDoubt, () => !isNamed || place() === whose);
    const end = (/** @type {boolean} */ isDecided) => {
      going.delete(act);
      if (isDecided) forget(name);
    };
    going.set(act, answer);
    // After a 401 the next login asks again, unless each try before it was answered.
    answer.then(() => end(true), (error) => end(!(one.inDoubt && has(error, LOGGED_OUT))));
    return answer;
  }

  return {
    /** Whether an act waits for its decision. @param {string} key */
    has: (key) => going.has(`${place()} ${key}`),

    /**
     * Send a command under the id of its act. A second tap while it waits gets the answer to the first. A body with a
     * PIN is not kept: its id lasts as long as the page. First sent at 0, it is only looked up.
     * @param {string} key @param {string} path @param {object} [body]
     * @param {{ id?: string, about?: any, isKept?: boolean, at?: number }} [more]
     */
    send(key, path, body = {}, { id = newId(), about = null, isKept = true, at = Date.now() } = {}) {
      const before = going.get(`${place()} ${key}`);
      if (before) return before;
      /** @type {Pending} */
      const one = { key, id, path, body, about, at, inDoubt: false };
      if (isKept) keep(named(one), one);
      return follow(one);
    },

    /**
     * Send again what an earlier page has left; `take` gets each with its answer.
     * @param {(one: Pending, answer: Promise<any>) => void} take
     */
    resume(take) {
      for (const one of left(`${PREFIX}${place()} `)) {
        if (!going.has(`${place()} ${one.key}`)) take(one, follow({ ...one, inDoubt: true }));
      }
    },
  };
}

/** @param {string} start @returns {Pending[]} */
function left(start) {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(start));
    const found = names.map((name) => kept(name, /** @type {Pending | null} */ (null)));
    return /** @type {Pending[]} */ (found.filter(Boolean)).sort((a, b) => a.at - b.at);
  } catch {
    return []; // not allowed: they lasted as long as the page
  }
}
