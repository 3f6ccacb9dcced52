// A second person at the dealer's console: logged in for one command only, beside whoever has the console.
import { newId } from "../base/api.js";

/** @param {{ reason: string, clause?: string }} refusal */
const worded = ({ reason, clause }) => (clause ? `${reason} [${clause}]` : reason);

/** @param {string} path @param {string} token @param {object} body */
async function asked(path, token, body) {
  /** @type {Record<string, string>} */
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  // No cookies either way: the console stays whose it is.
  const answer = await fetch(path, { method: "POST", headers, credentials: "omit", body: JSON.stringify(body) });
  const found = answer.status === 204 ? {} : await answer.json();
  if (!answer.ok) throw new Error(worded(found) || found.detail || `the server answered ${answer.status}`);
  return found;
}

/**
 * What went wrong, in words; empty where it is done.
 * @param {string} name
 * @param {string} password
 * @param {string} path
 * @param {object} command
 * @returns {Promise<string>}
 */
export async function asSecond(name, password, path, command) {
  let token = "";
  try {
    ({ token } = await asked("/api/staff/login", "", { name, password }));
    const answer = await asked(`${path}/commands`, token, { id: newId(), command });
    return answer.ok ? "" : worded(answer);
  } catch (error) {
    return /** @type {Error} */ (error).message;
  } finally {
    if (token) await asked("/api/staff/logout", token, {}).catch(() => {});
  }
}
