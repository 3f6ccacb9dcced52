// A second person at the dealer's console: logged in for one command only, beside whoever has the console.
import { newId, post, Refused } from "../base/api.js";
import { repeated } from "../base/pending.js";
import { cited } from "../base/rules.js";
import { alike, said } from "../base/words.js";

/** @import { Words as Bilingual } from "server" */
/** @import { Language } from "../base/words.js" */
/** @typedef {{ name: string, password: string, one_time: string }} ByPassword */
/** @typedef {ByPassword | { name: string, pin: string }} Credentials */

/** @param {Language} lang @param {{ reason: Bilingual | null, clause?: string }} refusal */
function worded(lang, refusal) {
  const reason = said(lang, refusal.reason);
  return refusal.clause ? `${reason} [${cited(lang, refusal.clause)}]` : reason;
}

/** @param {string} path @param {string} token @param {object} body */
async function asked(path, token, body) {
  /** @type {Record<string, string>} */
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  // No cookies either way: the console stays whose it is.
  const answer = await fetch(path, { method: "POST", headers, credentials: "omit", body: JSON.stringify(body) });
  const found = answer.status === 204 ? {} : await answer.json().catch((error) => {
    if (answer.ok) throw new TypeError("the answer was cut off", { cause: error });
    return {};
  });
  if (!answer.ok) throw new Refused({ reason: alike(`the server answered ${answer.status}`), ...found }, answer.status);
  return found;
}

/**
 * What went wrong, in words; empty where it is done. The commands go one after the other, with one confirmation; the
 * first that is refused ends it. With a PIN the server does all of it; with a password somebody is logged in for it.
 * @param {Language} lang
 * @param {Credentials} who
 * @param {string} path
 * @param {object[]} commands
 * @returns {Promise<string>}
 */
export async function asSecond(lang, who, path, commands) {
  try {
    const answer = "pin" in who ? await byPin({ id: newId(), ...who, commands }, path)
      : await byPassword(who, path, commands);
    return answer.ok ? "" : worded(lang, answer);
  } catch (error) {
    return error instanceof Refused ? worded(lang, error) : /** @type {Error} */ (error).message;
  }
}

// A PIN is kept nowhere: its command is sent again as long as the page lasts.
/** @param {object} body @param {string} path */
const byPin = (body, path) => repeated(() => post(`${path}/second`, body));

/** @param {ByPassword} who @param {string} path @param {object[]} commands */
async function byPassword(who, path, commands) {
  const { token } = await asked("/api/staff/login", "", who);
  let answer = { ok: true, reason: null };
  try {
    for (const command of commands) {
      const body = { id: newId(), command };
      answer = await repeated(() => asked(`${path}/commands`, token, body));
      if (!answer.ok) break;
    }
    return answer;
  } finally {
    await asked("/api/staff/logout", token, {}).catch(() => {});
  }
}
