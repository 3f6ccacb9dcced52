// The HTTP side: a session, and requests with its token against forged ones.
let csrf = "";
let asked = null;

export const session = () => (asked ??= ask());

async function ask() {
  // A guest, or an enrolled terminal, has the session of before again, or a new one.
  const tables = await get("/api/tables");
  const demo = tables.some((table) => table.demo);
  const found = demo ? await send("/api/guest") : await send("/api/session", {});
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

export const money = (cents) => (cents / 100).toFixed(2);
