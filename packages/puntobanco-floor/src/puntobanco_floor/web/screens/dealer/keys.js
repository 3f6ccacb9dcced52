// From keystrokes to cards: rank then suit by hand, or a scanner that types a whole code and Enter at once.
// Times come in.
//
// A scanner is a keyboard that nobody can type as fast as. What comes within BURST_MS of the key before is held back
// until Enter ends it (a scan) or nothing more comes (a hand). So a prefix of the scanner is never taken for a card.

/**
 * @typedef {keyof typeof RANKS} Deck
 * @typedef {{ typed: string, fast: boolean, last: number, rank: string }} Typing
 * @typedef {{ t: "rank", rank: string } | { t: "card", card: string } | { t: "scan", card: string }
 *   | { t: "unread", text: string } | { t: "confirm" } | { t: "undo" }} Heard
 */

export const BURST_MS = 40;
const RANKS = { standard: "A23456789TJQK", "five-elements": "A23456789TSLF" };
const SUITS = { standard: "shdc", "five-elements": "fgewa" };
const CODE = /(10|[A2-9TJQKSLF])([shdcfgewa])/gi;

/** @returns {Typing} */
export const fresh = () => ({ typed: "", fast: false, last: -Infinity, rank: "" });

/**
 * "9F" or "10h" or "]C19f" -> the project's code of the card, of either deck; "" where there is none.
 * @param {string} text
 */
export function codeIn(text) {
  let found = "";
  for (let at = 0; at < text.length; at += 1) {
    CODE.lastIndex = at;
    const match = CODE.exec(text);
    if (!match) break;
    at = match.index;
    const card = coded(match[1], match[2]);
    if (card) found = card; // the last one counts: what stands before is a prefix of the scanner's
    if (card && match[1] === "10") at += 1;
  }
  return found;
}

/** @param {string} rank @param {string} suit */
function coded(rank, suit) {
  const [r, s] = [rank === "10" ? "T" : rank.toUpperCase(), suit.toLowerCase()];
  const deck = SUITS.standard.includes(s) ? "standard" : "five-elements";
  return RANKS[deck].includes(r) ? r + s : "";
}

/**
 * A key that was pressed: [state, events]. `deck` is that of the table.
 * @type {(state: Typing, key: string, at: number, deck: Deck) => [Typing, Heard[]]}
 */
export function press(state, key, at, deck) {
  const close = at - state.last <= BURST_MS;
  if (key === "Enter") {
    if (state.typed.length > 1 && state.fast && close) {
      const card = codeIn(state.typed);
      return [{ ...fresh(), last: at }, [card ? { t: "scan", card } : { t: "unread", text: state.typed }]];
    }
    const [settled, events] = settle(state, deck);
    return [{ ...settled, rank: "", last: at }, [...events, { t: "confirm" }]];
  }
  if (key === "Backspace" || key === "Escape") return [{ ...fresh(), last: at }, [{ t: "undo" }]];
  if (key.length !== 1 || key === " ") return [state, []];
  if (close && state.typed) return [{ ...state, typed: state.typed + key, fast: true, last: at }, []];
  const [settled, events] = settle(state, deck);
  return [{ ...settled, typed: key, fast: false, last: at }, events];
}

/**
 * Time has passed: what was held back was typed by hand.
 * @type {(state: Typing, at: number, deck: Deck) => [Typing, Heard[]]}
 */
export function pause(state, at, deck) {
  return state.typed && at - state.last > BURST_MS ? settle(state, deck) : [state, []];
}

/** @type {(state: Typing, deck: Deck) => [Typing, Heard[]]} */
function settle(state, deck) {
  let rank = state.rank;
  /** @type {Heard[]} */
  const events = [];
  for (const key of state.typed) {
    const suit = key.toLowerCase(), upper = key === "1" || key === "0" ? "T" : key.toUpperCase();
    if (rank && SUITS[deck].includes(suit)) {
      events.push({ t: "card", card: rank + suit });
      rank = "";
    } else if (RANKS[deck].includes(upper)) {
      rank = upper;
      events.push({ t: "rank", rank });
    }
  }
  return [{ ...state, typed: "", fast: false, rank }, events];
}
