// The HTTP side: a session, and requests with its token against forged ones.
let csrf = "";
let asked = null;

export const session = () => (asked ??= ask());

async function ask() {
  // A guest has the session of before again, or a new one: no need to ask first, and to be refused.
  const [{ demo }] = await (await fetch("/api/tables")).json();
  const answer = demo ? await fetch("/api/guest", { method: "POST" }) : await fetch("/api/me");
  if (!answer.ok) throw new Error(demo ? (await answer.json()).reason : "This terminal must be enrolled.");
  const found = await answer.json();
  csrf = found.csrf;
  return found.session;
}

export async function post(path, body) {
  await session(); // a button may be quicker than the first answer
  const headers = { "x-csrf-token": csrf };
  if (body) headers["content-type"] = "application/json";
  const answer = await fetch(path, { method: "POST", headers, body: body && JSON.stringify(body) });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.clause ? `${found.reason} [${found.clause}]` : found.reason);
  return found;
}

export const money = (cents) => (cents / 100).toFixed(2);
