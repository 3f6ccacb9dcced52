// The HTTP side: a session, and requests with its token against forged ones.
let csrf = "";

export async function session() {
  let answer = await fetch("/api/me");
  if (answer.status === 401) {
    answer = await fetch("/api/guest", { method: "POST" });
    if (!answer.ok) throw new Error("This floor has no guests: the terminal must be enrolled.");
  }
  const found = await answer.json();
  csrf = found.csrf;
  return found.session;
}

export async function post(path, body) {
  const headers = { "x-csrf-token": csrf };
  if (body) headers["content-type"] = "application/json";
  const answer = await fetch(path, { method: "POST", headers, body: body && JSON.stringify(body) });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.clause ? `${found.reason} [${found.clause}]` : found.reason);
  return found;
}

export const money = (cents) => (cents / 100).toFixed(2);
