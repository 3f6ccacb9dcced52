// Game protection: edges against the fresh shoe, the cards unseen, returns of the day, the worst case, and the acts. Pure.
import { html, raw } from "../base/dom.js";
import { dollars, time } from "../base/money.js";
import { suitIcon } from "../kit/suits.js";
import { may, percent, points } from "./words.js";

const SCALE = 0.3; // the bars go from 0 to 30 %
const BAR = { width: 96, height: 18 };
const INKS = { f: "#ff8d78", g: "#e9c766", e: "#d9a27c", w: "#7ddba0", a: "#86b6ff", s: "#dfe7e2", h: "#ff938a", d: "#ff938a", c: "#dfe7e2" };

const STAFF_ONLY = html`<span class="pill gold"><pb-icon name="lock" size="12"></pb-icon>Staff only</span>`;

export function protection(state, table) {
  if (!table) return html`<aside class="panel gp" aria-label="Game protection"><p class="none">Select a table.</p></aside>`;
  return html`<aside class="panel gp" aria-labelledby="gp-title"><header><pb-icon name="shield"></pb-icon><h2 id="gp-title">Game protection · Table ${table.number}</h2><span class="grow"></span>
      <div class="seg sm" role="group" aria-label="What to show">${[["edges", "Edges"], ["returns", "Returns"]].map(([id, name]) =>
      html`<button type="button" data-act="tab" data-tab="${id}" aria-pressed="${String(state.tab === id)}">${name}</button>`)}</div></header>
    ${state.tab === "returns" ? returns(table) : edges(table.protection)}
    ${worst(table)}${foot(state, table)}</aside>`;
}

function edges(found) {
  if (!found) return html`<p class="none">No round has ended since the watch began: there is nothing to hold against the fresh shoe yet.</p>`;
  const burned = found.burned ? ` (${found.burned} burned unseen)` : "";
  return html`<p class="muted lead">${STAFF_ONLY} Exact house edge for the ${found.unseen} unseen cards before round ${found.round}, the last that is over${burned}. White mark: fresh ${found.decks}-deck shoe. Never sent to a terminal or display.</p>
    <table class="t edges"><caption class="sr">House edge of each wager</caption><thead><tr><th scope="col">Wager</th><th scope="col" class="r">Fresh</th><th scope="col" class="r">Then</th><th scope="col" class="r">Change</th><th scope="col">0 to 30%</th></tr></thead>
      <tbody>${found.edges.map(edgeRow)}</tbody></table>
    ${unseen(found)}`;
}

const GRADES = { fell: ["warn", "fell by over one point"], favourable: ["danger", "favours the player"] };

function edgeRow(edge) {
  const [ink, words] = GRADES[edge.grade] ?? ["muted", ""];
  return html`<tr class="${edge.grade}"><th scope="row">${edge.title}${edge.stake_cents === null ? null : html`<span class="muted">, at ${dollars(edge.stake_cents)}</span>`}</th>
    <td class="r muted">${percent(edge.fresh)}</td><td class="r"><b class="${edge.grade ? ink : ""}">${percent(edge.now)}</b></td>
    <td class="r ${ink}">${points(edge.now - edge.fresh)}${words ? html`<span class="sr">, ${words}</span>` : null}</td><td>${raw(bar(edge))}</td></tr>`;
}

const along = (part) => Math.round(Math.min(1, Math.max(0, part / SCALE)) * (BAR.width - 2) * 10) / 10;

/** A bar from 0 to 30 %; the white mark is the fresh shoe. What favours the player stands at the left edge, in red. */
export function bar({ now, fresh, grade }) {
  const ink = { fell: "#f4bd55", favourable: "#ff8478" }[grade] ?? "#4f9b80";
  const width = now < 0 ? 7 : along(now);
  return `<svg class="bar" width="${BAR.width}" height="24" viewBox="0 -3 ${BAR.width} 24" aria-hidden="true"><rect x=".5" y=".5" width="${BAR.width - 1}" height="${BAR.height - 1}" rx="4" fill="#050b09" stroke="#2b423a"/>`
    + `<rect x="1" y="3" width="${width}" height="12" rx="2" fill="${ink}"/><rect x="${along(fresh)}" y="-3" width="2" height="24" fill="#fff" opacity=".85"/></svg>`;
}

function unseen(found) {
  const element = found.suits.length === 5;
  const say = found.points.map((n, i) => `${i}: ${n}`).join(", ");
  return html`<div class="cmp"><div class="row between"><b>Unseen cards by point value</b><span class="dim small">line: expected</span></div>
    <div class="pt" role="img" aria-label="Unseen cards by point value: ${say}">${raw(columns(found))}</div>
    <b>Unseen cards by ${element ? "element" : "suit"}</b><ul class="ele ${element ? "five" : "four"}">${found.suits.map((suit) =>
      html`<li title="${suit.name}">${raw(suitIcon(suit.suit, 22, { ink: INKS[suit.suit], gap: "#0a1411" }))}<span class="sr">${suit.name}</span>${suit.count}</li>`)}</ul></div>`;
}

/** Ten columns, each against its own expectation: a line at the same height for all. */
export function columns({ points: counts, expected }) {
  const wide = 42, most = 62, line = 40, foot = 76;
  return `<svg viewBox="0 0 424 90" width="424" height="90">${counts.map((n, i) => {
    const x = i * 42.4 + 1, tall = expected[i] ? Math.min(most, (n / expected[i]) * line) : 0, y = foot - tall;
    return `<text x="${x + wide / 2}" y="11" class="n">${n}</text><rect x="${x + 1}" y="${y.toFixed(1)}" width="${wide - 4}" height="${tall.toFixed(1)}" rx="3" fill="#3f6858"/>`
      + `<text x="${x + wide / 2}" y="89" class="p">${i}</text>`;
  }).join("")}<rect x="0" y="${foot - line}" width="424" height="2" fill="#fff" opacity=".8"/></svg>`;
}

function returns(table) {
  if (!table.returns.length) return html`<p class="none">No round was settled today since the watch began.</p>`;
  const [any] = table.returns;
  return html`<p class="muted lead">${STAFF_ONLY} What came of ${any.rounds.toLocaleString("en")} rounds today, against fair cards. Evidence is how many times likelier the results are by another cause; at ${Math.round(any.alarm_at).toLocaleString("en")} it is an alarm, which fair cards raise on one day in a thousand.</p>
    <table class="t edges"><caption class="sr">Returns of each wager today</caption><thead><tr><th scope="col">Wager</th><th scope="col" class="r">Won</th><th scope="col" class="r">Fair</th><th scope="col" class="r">Paid back</th><th scope="col" class="r">Exact</th><th scope="col" class="r">Evidence</th></tr></thead>
    <tbody>${table.returns.map((row) => html`<tr class="${row.alarm ? "favourable" : ""}"><th scope="row">${row.title}</th><td class="r">${row.won}</td><td class="r muted">${(row.chance * row.rounds).toFixed(1)}</td>
      <td class="r">${row.actual === null ? "–" : percent(row.actual, 1)}</td><td class="r muted">${percent(row.exact, 1)}</td>
      <td class="r ${row.alarm ? "danger" : "muted"}">${row.alarm ? html`<pb-icon name="warn" size="14"></pb-icon> ` : null}${times(row.evidence)}</td></tr>`)}</tbody></table>`;
}

const times = (n) => (n === null || n > 1e9 ? "over 1e9" : n >= 100 ? Math.round(n).toLocaleString("en") : n.toFixed(2));

function worst(table) {
  if (!table.worst.length) return html`<p class="worst none small">${table.is_in_play ? "No stake lies on the table." : "No round is in play: nothing is at risk."}</p>`;
  return html`<div class="worst"><table class="t"><thead><tr><th scope="col">Worst case, round ${table.round}</th><th scope="col" class="r">Stake</th><th scope="col" class="r">Payout</th></tr></thead>
    <tbody>${table.worst.slice(0, 2).map((each) => html`<tr><td>${each.title}, ${each.pays}${each.patrons ? `, bonus for ${each.patrons}` : ""}</td><td class="r muted">${dollars(each.stake_cents)}</td><td class="r"><b>${dollars(each.payout_cents)}</b></td></tr>`)}</tbody></table>
    <p class="dim">At most ${dollars(table.exposure_cents)} in all, of ${dollars(table.exposure_max_cents)} that this table may risk.</p></div>`;
}

function foot(state, table) {
  return html`<div class="foot"><p class="muted">${alarm(table)}</p>${may(state.me, "run") ? buttons(state, table) : null}</div>`;
}

function alarm(table) {
  const found = table.protection?.edges.filter((edge) => edge.grade === "favourable") ?? [], odd = table.returns.filter((row) => row.alarm);
  if (found.length) return html`<b class="danger"><pb-icon name="warn" size="15"></pb-icon> ${found.map((edge) => edge.title).join(", ")} favoured the player before round ${table.protection.round}.</b> Change the limits or stop the table.`;
  if (odd.length) return html`<b class="danger"><pb-icon name="warn" size="15"></pb-icon> ${odd.map((row) => row.title).join(", ")}: returns are not those of fair cards.</b>`;
  return html`Alarm rule: any wager below 0% edge, returns unlike fair cards, or stakes that follow the edge. <b class="ok">No alarm now.</b>`;
}

function buttons(state, table) {
  const off = state.link === "lost" ? html`disabled` : null, which = html`data-table="${table.number}"`;
  const ask = (sheet, text, kind = "") => html`<button type="button" class="btn sm ${kind}" data-key="${sheet}" data-act="ask" data-sheet="${sheet}" ${which} ${off}>${text}</button>`;
  if (table.phase === "down") return html`<div class="row">${ask("open-table", "Open table", "primary")}<span class="dim small">closed ${time(table.last_seen)}</span></div>`;
  return html`<div class="row">${ask("limits", "Limits")}
    ${state.board.stopped ? null : table.halted ? ask("start-table", "Start table", "primary") : ask("stop-table", "Stop table")}
    ${ask("close-table", table.halted && !table.is_in_play ? "Close now" : "Close table", "danger")}</div>`;
}
