// The overhead display from its state: announcement, hands, result, and five roads of this shoe. Past results only.
import { html } from "../base/dom.js";
import { languages } from "../base/languages.js";
import { dollars, time } from "../base/money.js";
import { han, hanTag, isChinese, said, TAGS } from "../base/words.js";
import { cardName } from "../kit/cards.js";
import { titleParts } from "../kit/names.js";
import { ROAD_NAMES } from "../kit/roads.js";
import { seal } from "../kit/seals.js";
import { hands, isStale } from "./reduce.js";
import { announced, middle, ruleSaid, spoken } from "./told.js";
import { t } from "./words.js";

/** @import { State } from "./reduce.js" */

const SEALS = { B: "莊", P: "閒", T: "和" };
const WINS = { B: ["莊贏", "BANKER"], P: ["閒贏", "PLAYER"], T: ["和局", "TIE"] };
const SIDES = { B: "b", P: "p", T: "t" };
const cjk = (lang, zh) => html`<span class="cjk" lang="${hanTag(lang)}">${han(lang, zh)}</span>`;

/** @param {State} state */
export function page(state) {
  return html`
    ${header(state)}
    <p class="sr" role="status">${spoken(state)}</p>
    ${isStale(state) ? staleness(state) : ""}
    <main class="${isStale(state) ? "stale" : ""}">${hero(state)}${boards(state)}</main>`;
}

function staleness({ lang, at }) {
  const since = at ? t(lang, "stale_since", time(at)) : t(lang, "stale_never");
  const said = html`<b>${t(lang, "stale")}</b><span>${since}</span>`;
  return html`<p class="gone" role="alert"><pb-icon name="off" size="34"></pb-icon>${said}</p>`;
}

/** @param {State} state */
function header(state) {
  const { view, lang } = state;
  const said = announced(state);
  const name = view ? title(view, lang) : html`<h1>${t(lang, "table", state.table)}</h1>`;
  return html`<header class="top">
    <div class="gm"><pb-logo size="60"></pb-logo><div>${name}</div></div>
    <div class="st ${said.tone}">${isStale(state) ? "" : announcement(said, lang)}</div>
    <div class="lm">${view ? limits(view, lang) : ""}</div>
  </header>`;
}

function announcement(said, lang) {
  return html`<p><b>${said.text}</b>${said.more ? html`<small>${said.more}</small>` : ""}</p>
      <span class="clock">${said.ends ? ring(said, lang) : ""}</span>`;
}

const ring = ({ ends, total, calm }, lang) =>
  html`<pb-ring ends="${ends}" total="${total}" size="84" lang="${TAGS[lang]}"${calm ? html` calm` : ""}></pb-ring>`;

function title(view, lang) {
  const { name, kind, zh, kind_zh } = titleParts(view.title);
  const parts = [
    t(lang, "table", view.number),
    view.shoe && t(lang, "shoe", view.shoe),
    view.round && t(lang, "round", view.round),
    view.decks && t(lang, "decks", view.decks),
  ];
  const [first, second, third] = isChinese(lang)
    ? [han(lang, zh || name), zh && name, zh ? han(lang, kind_zh) : kind] : [name, zh, kind];
  return html`<h1><span class="${isChinese(lang) ? "cjk" : ""}">${first}</span>
      <span class="cjk second" lang="${isChinese(lang) ? "en" : "zh-Hant"}">${second}</span>
      <span class="kind">${third}</span></h1>
    <small>${view.demo ? html`<b class="demo">DEMO</b> ` : ""}${inARow(parts.filter(Boolean))}</small>`;
}

// A line breaks between them, never within one.
const inARow = (parts) => parts.map((part, i) => html`${i ? " · " : ""}<span>${part}</span>`);

/** Bets with the same limits in one group, in the order in which they lie; those that are closed in one as well. */
export function limitGroups(bets, lang) {
  const groups = new Map();
  for (const bet of bets) {
    const { min_cents: least, max_cents: most, closed } = bet.limits;
    const range = closed ? t(lang, "bet_closed") : `${dollars(least)} – ${dollars(most)}`;
    groups.set(range, [...(groups.get(range) ?? []), said(lang, bet.title)]);
  }
  return [...groups].map(([range, names]) => ({ range, names }));
}

function limits(view, lang) {
  const groups = limitGroups(view.bets, lang);
  if (groups.length === 1) return html`${t(lang, "limits")} <b>${groups[0].range}</b>`;
  const comma = isChinese(lang) ? "、" : ", ";
  const listed = (names) => names.map((name, i) => html`${i ? comma : ""}<span class="nowrap">${name}</span>`);
  return groups.map(({ names, range }, i) => html`${i ? " · " : ""}${listed(names)} <b>${range}</b>`);
}

/** @param {State} state */
function hero(state) {
  const shown = hands(state);
  const { winner } = middle(state);
  return html`<section class="hero felt${shown.past ? " past" : ""}">
    ${side(state, shown, "player", winner === "P")}
    ${centre(state)}
    ${side(state, shown, "banker", winner === "B")}
  </section>`;
}

// The third card lies across, on the outer side.
function side({ lang, fresh, landing }, { cards, ...totals }, name, wins) {
  const under = html`<pb-back class="under" data-key="under" size="180" aria-hidden="true"></pb-back>`;
  const lay = (code, slot) => html`<span data-key="${slot}-${code}" data-slot="${slot}"
      class="in ${fresh.includes(slot) ? "dealt" : ""}"><span class="leaf"><pb-card class="up" data-key="up"
      code="${code}" size="180" lang="${TAGS[lang]}"></pb-card>${slot in landing ? under : ""}</span></span>`;
  const place = (code, slot) => html`<div class="place">${code ? lay(code, slot) : ""}</div>`;
  const [one, two, three] = [1, 2, 3].map((n) => cards[`${name[0]}${n}`]);
  const names = [one, two, three].filter(Boolean).map((code) => cardName(code, TAGS[lang]));
  const held = names.join(", ") || t(lang, "no_cards");
  const third = html`<div class="third">${three ? lay(three, `${name[0]}3`) : ""}</div>`;
  const row = [place(one, `${name[0]}1`), place(two, `${name[0]}2`)];
  return html`<section class="side ${name[0]}" aria-label="${t(lang, "hand", t(lang, name), held)}">
    <div class="lab ${name[0]}-ink">${label(lang, name, totals[name], wins)}</div>
    <div class="cd">${name === "player" ? [third, ...row] : [...row, third]}</div>
  </section>`;
}

function label(lang, name, total, wins) {
  const [en, zh] = name === "player" ? ["PLAYER", "閒"] : ["BANKER", "莊"];
  const look = (wins ? " wins" : "") + (total === null ? " none" : "");
  const figure = html`<b class="tot${look}" data-total="${name}">${total ?? "–"}</b>`;
  return html`${figure}<span class="nm">${en}</span> ${cjk(lang, zh)}`;
}

/** @param {State} state */
function centre(state) {
  const { winner, eyebrow, head, score, notes = [], lines, clause, tone = "" } = middle(state);
  if (winner) {
    const [zh, en] = WINS[winner], won = han(state.lang, zh);
    const names = isChinese(state.lang)
      ? html`<p class="k" lang="en">${en}</p><p class="w cjk">${won}</p>`
      : html`<p class="k cjk" lang="zh-Hant">${won}</p><p class="w">${en}</p>`;
    return html`<div class="res ${SIDES[winner]}"><span class="seal cjk" aria-hidden="true">${
      seal(SEALS[winner], state.lang)}</span>
      <p class="eyebrow">${eyebrow}</p>${names}<p class="sc">${score}</p>
      <p class="nt">${notes.map((note) => html`<span>${note}</span>`)}</p></div>`;
  }
  const told = lines.filter(Boolean).map((line) => html`<p class="ln">${line}</p>`);
  return html`<div class="res said ${tone}">${head ? html`<p class="hd">${head}</p>` : ""}${told}
    ${clause ? html`<p><span class="clause">${ruleSaid(state.lang, clause)}</span></p>` : ""}</div>`;
}

/** @param {State} state */
function boards({ view, lang }) {
  const roads = view?.roads ?? { bead: [], big: [], eye: [], small: [], pig: [] };
  const board = (kind, columns, cell, last) => html`<section class="board ${kind}"><h2>${roadName(kind, lang)}</h2>
    <pb-road kind="${kind}" cells="${JSON.stringify(roads[kind])}" columns="${columns}"
      cell="${cell}"${last ? html` last` : ""} lang="${TAGS[lang]}"></pb-road></section>`;
  return html`<section class="roads">
    ${board("bead", 7, 65, true)}
    <div class="mid">
      ${board("big", 27, 39, true)}
      <div class="d3">${board("eye", 16, 21)}${board("small", 16, 21)}${board("pig", 16, 21)}</div>
    </div>
    ${counts(view, lang)}
  </section>`;
}

function roadName(kind, lang) {
  const [name, zh] = ROAD_NAMES[kind];
  return isChinese(lang) ? han(lang, zh) : html`${name} ${cjk(lang, zh)}`;
}

const ROWS = [ // what is counted, its words, ink and character
  ["banker", "banker", "b-ink", "莊"],
  ["player", "player", "p-ink", "閒"],
  ["tie", "tie", "t-ink", "和"],
  ["banker_pair", "banker_pair", "", ""],
  ["player_pair", "player_pair", "", ""],
  ["natural", "naturals", "", ""],
  ["banker_six", "banker_six", "", ""],
  ["void", "voids", "", ""],
];

function counts(view, lang) {
  const found = view?.counts ?? { rounds: 0 };
  const rounds = found.rounds === 1 ? t(lang, "one_round") : t(lang, "rounds", found.rounds);
  const rows = ROWS.map(([key, word, ink, zh]) => {
    const name = html`${zh && lang === "en" ? html`${cjk(lang, zh)} ` : ""}${t(lang, word)}`;
    return html`<tr><th scope="row" class="${ink}">${name}</th><td data-count="${key}">${found[key] ?? 0}</td></tr>`;
  });
  return html`<section class="sum">
    <h2>${t(lang, "this_shoe")} <span class="dim"><span data-count="rounds">${rounds}</span></span></h2>
    <table class="stt"><tbody>${rows}</tbody></table>
    <p class="dim note">${t(lang, "past")}</p>
    <div class="ways">${languages(lang, { small: true })}${view ? rulesDoor(view, lang) : ""}</div>
  </section>`;
}

const rulesDoor = ({ number }, lang) => html`<a class="door" href="/tables/${number}/rules"><pb-icon name="rules"
  size="20"></pb-icon>${t(lang, "rules")}</a>`;
