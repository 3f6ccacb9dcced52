// The audit's words: kinds of records, accounts, places of cards.
import { terminalOf } from "../base/voucher.js";
import { cardName, isCard } from "../kit/cards.js";

export const GROUPS = [
  ["", "All"], ["wagers", "Wagers"], ["cards", "Cards"], ["decisions", "Decisions"], ["money", "Money"],
  ["table", "Table"], ["house", "House"],
];

// A kind with spaces, in capitals: FloorStopped -> FLOOR STOPPED
export const kindName = (kind) => kind.replace(/([a-z])([A-Z])/g, "$1 $2").toUpperCase();

const isGuest = (session) => /^g[0-9a-f]{16}$/.test(session);

export const sessionName = (session) =>
  terminalOf(session) || (isGuest(session) ? `Guest ${session.slice(1, 5)}` : session);

const HANDS = { p: "Player", b: "Banker" };
const named = (code) => (isCard(code) ? cardName(code) : code);

// The clause stands beside it already, and a session is known by its terminal.
export const plain = (says) => says
  .replaceAll(/ \[[^\]]*\]/g, "")
  .replace(/^([pb])([123]) (\w\w):/, (_, side, n, code) => `${HANDS[side]} ${n}, ${named(code)}:`)
  .replaceAll(/\b(?<=(?:was|is|from|to) )\w\w\b/g, named)
  .replaceAll(/\bg[0-9a-f]{16}\b|\b[\w.-]+:[0-9a-f]{12}\b/g, sessionName);

export const streamName = (stream) => {
  const [kind, number] = stream.split(":");
  return kind === "table" ? `Table ${number}` : kind === "cage" ? `Cage window ${number}` : "The house";
};

const ACCOUNTS = {
  wagers: "Wagers in play", bank: "House", bonus: "Bonuses", cage: "Cash at the cage", vouchers: "Vouchers",
  unrecovered: "Not recovered",
};

export function accountName(account) {
  if (account.startsWith("session:")) return `Credits, ${sessionName(account.slice(8))}`;
  return ACCOUNTS[account] ?? account;
}

export const hand = (slot) => HANDS[slot[0]];

const DEAL = ["p1", "b1", "p2", "b2", "p3", "b3"];

// The number of each card in the order of the deal: the banker's third is the fifth where the player stood.
export const places = (cards) =>
  Object.fromEntries(DEAL.filter((slot) => slot in cards).map((slot, i) => [slot, i + 1]));

// A correction names a place too, and is a decision.
export const isDealt = ({ row, slot }) => Boolean(slot) && row.group === "cards";

// A record in a line: a card in words, anything else as the journal says it.
export function told(record) {
  const { slot, cards, row } = record;
  const card = slot && cards[slot];
  if (!isDealt(record) || !card || !isCard(card)) return plain(row.says);
  return `${places(cards)[slot]} ${hand(slot)}, ${cardName(card)}`;
}

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
export const short = (hash) => (hash ? `${hash.slice(0, 8)}…${hash.slice(-4)}` : "none");
