// For who is here for the first time: how to play in five pictures, and three hints where the chips are. Pure.
import { html } from "../base/dom.js";
import { said, TAGS } from "../base/words.js";
import { payLines } from "./pays.js";
import { t } from "./words.js";
import { w } from "./words-patron.js";

/** @import { Html } from "../base/dom.js" */
/** @import { Language } from "../base/words.js" */
/** @import { Seen } from "./reduce.js" */

// Cards of each deck: two hands, one of them with a third card; the sum of two that passes ten.
const DECKS = {
  standard: { player: ["7h", "Tc"], banker: ["2s", "3d", "4h"], sum: ["7h", "8s"], third: ["2s", "3d"] },
  "five-elements": { player: ["7f", "Lg"], banker: ["2e", "3w", "4a"], sum: ["7f", "8a"], third: ["2e", "3w"] },
};
const CARD = 40;

/** @type {(lang: Language, codes: string[], more?: Html | string) => Html} */
const cards = (lang, codes, more = "") => html`<span class="how-cards">${codes.map((code) =>
  html`<pb-card code="${code}" size="${CARD}" lang="${TAGS[lang]}"></pb-card>`)}${more}</span>`;

/** @type {(lang: Language, side: "player" | "banker", points: Html | string, shown: Html) => Html} */
const hand = (lang, side, points, shown) => html`<span class="how-hand"><b class="${side[0]}-ink">${t(lang, side)}</b>${
  shown}<b class="how-points">${points}</b></span>`;

/** @param {Seen} s */
export function howToPlay(s) {
  const { lang, table, chips } = s, deck = DECKS[table.deck] ?? DECKS.standard;
  const plain = table.deck === "five-elements" ? "how_3e" : "how_3";
  return html`<ol class="how">${[
    step(lang, "how_1", html`<pb-chip cents="${chips[0] ?? 1000}" size="54"></pb-chip><pb-icon name="chev"
      size="26"></pb-icon><span class="how-spot">${t(lang, "banker")}</span>`),
    step(lang, "how_2", html`${hand(lang, "player", "7", cards(lang, deck.player))}${
      hand(lang, "banker", "5", cards(lang, deck.third))}`),
    step(lang, plain, html`${cards(lang, deck.sum)}<b class="how-sum">${w(lang, "makes", 7, 8, 15, 5)}</b>`),
    step(lang, "how_4", html`${cards(lang, deck.third, html`<span class="how-third"><pb-card
      code="${deck.banker[2]}" size="${CARD}" lang="${TAGS[lang]}"></pb-card></span>`)}`),
    step(lang, "how_5", html`${hand(lang, "player", "7", cards(lang, deck.player))}${
      hand(lang, "banker", html`9 ${w(lang, "wins_with")}`, cards(lang, deck.banker))}`, mainPays(s)),
  ]}</ol>`;
}

/** @type {(lang: Language, key: string, picture: Html, more?: Html | string) => Html} */
const step = (lang, key, picture, more = "") => html`<li><div class="how-picture" aria-hidden="true">${
  picture}</div><p>${w(lang, key)}${more}</p></li>`;

/** What the main bets pay, as their spots say it. @param {Seen} s */
function mainPays({ lang, table }) {
  const main = table.bets.filter((bet) => bet.main);
  return html`<span class="how-pays">${main.map((bet) => {
    const [first] = payLines(bet, lang);
    return first ? html`<span>${said(lang, bet.title)} <b>${first.pays}</b></span>` : "";
  })}</span>`;
}

export const HINTS = ["hint_1", "hint_2", "hint_3"];

/** The next hint that was not read; nothing where all were. @param {Pick<Seen, "lang" | "hinted">} s */
export function hintNow({ lang, hinted }) {
  if (hinted >= HINTS.length) return null;
  return html`<div class="hint first-visit" data-key="hint ${hinted}" role="note"><span><b>${
    w(lang, "hint_of", hinted + 1, HINTS.length)}</b> ${w(lang, HINTS[hinted])}</span><button type="button"
    class="btn" data-act="hint-read">${w(lang, "hint_next")}</button></div>`;
}
