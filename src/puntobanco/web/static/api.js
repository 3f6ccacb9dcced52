// The HTTP side: a session, and requests with its token against forged ones.
let csrf = "";
let asked = null;

export const session = () => (asked ??= ask());

async function ask() {
  // A guest, or an enrolled terminal, has the session of before again, or a new one. A voucher that was not put away
  // belongs to the session that was: that one is kept until it is.
  const tables = await get("/api/tables");
  const demo = tables.some((table) => table.demo);
  const found = demo ? await send("/api/guest") : vouchers.waiting() ? await get("/api/me") : await send("/api/session", {});
  csrf = found.csrf;
  return found.session;
}

async function answered(answer) {
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.clause ? `${found.reason} [${found.clause}]` : found.reason);
  return found;
}

export const get = async (path) => answered(await fetch(path));

export async function send(path, body, headers = {}) {
  const json = body ? { "content-type": "application/json" } : {};
  return answered(await fetch(path, { method: "POST", headers: { ...headers, ...json }, body: body && JSON.stringify(body) }));
}

export async function post(path, body) {
  await session(); // a button may be quicker than the first answer
  return send(path, body, { "x-csrf-token": csrf });
}

// Cash-outs whose slip has not been put away, by table; they outlive the page and the browser.
export const vouchers = {
  key: (table) => `cash-out ${table}`,
  waiting: () => Object.keys(localStorage).some((key) => key.startsWith("cash-out ")),
  get: (table) => localStorage.getItem(vouchers.key(table)),
  keep: (table, id) => localStorage.setItem(vouchers.key(table), id),
  done: (table) => localStorage.removeItem(vouchers.key(table)),
};

export const money = (cents) => (cents / 100).toFixed(2);
