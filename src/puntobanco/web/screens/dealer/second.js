// A second person at the dealer's console: logged in for one command only, beside whoever has the console.
import { newId } from "../base/api.js";
import { cited } from "../base/rules.js";
import { said } from "../base/words.js";

/** @import { Language } from "../base/words.js" */

/** @param {Language} lang @param {{ reason: string, reason_zh?: string, clause?: string }} refusal */
function worded(lang, refusal) {
  const reason = said(lang, refusal, "reason");
  return refusal.clause ? `${reason} [${cited(lang, refusal.clause)}]` : reason;
}

/** @param {Language} lang @param {string} path @param {string} token @param {object} body */
async function asked(lang, path, token, body) {
  /** @type {Record<string, string>} */
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  // No cookies either way: the console stays whose it is.
  const answer = await fetch(path, { method: "POST", headers, credentials: "omit", body: JSON.stringify(body) });
  const found = answer.status === 204 ? {} : await answer.json();
  if (!answer.ok) throw new Error(worded(lang, found) || found.detail || `the server answered ${answer.status}`);
  return found;
}

/**
 * What went wrong, in words; empty where it is done.
 * @param {Language} lang
 * @param {{ name: string, password: string, one_time: string }} credentials
 * @param {string} path
 * @param {object} command
 * @returns {Promise<string>}
 */
export async function asSecond(lang, credentials, path, command) {
  let token = "";
  try {
    ({ token } = await asked(lang, "/api/staff/login", "", credentials));
    const answer = await asked(lang, `${path}/commands`, token, { id: newId(), command });
    return answer.ok ? "" : worded(lang, answer);
  } catch (error) {
    return /** @type {Error} */ (error).message;
  } finally {
    if (token) await asked(lang, "/api/staff/logout", token, {}).catch(() => {});
  }
}
