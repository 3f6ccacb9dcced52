// The odds lab's state: what is asked, what has been answered, which wager and stake are looked at.

export const CHARTS = ["stake", "decks", "results", "removal"];
const BOXES = {
  stake: { w: 450, h: 410 }, decks: { w: 470, h: 240 }, results: { w: 430, h: 240 }, removal: { w: 430, h: 240 },
};

export const start = (wanted = {}) => ({
  me: null, lab: null, game: null, decks: null, sheet: null, edges: null, removal: null, bet: wanted.bet ?? null,
  stakeCents: wanted.stakeCents ?? 1000, asTable: { stake: false, decks: false, results: false, removal: false },
  boxes: BOXES, wrong: {}, saving: "", said: "", wanted,
});

// Which game: as it was answered, so that a late answer to another question is not taken for this one's.
const isAsked = (state, answer) => answer.game === state.game && (answer.decks === state.decks || answer.decks?.length);

export function reduce(state, message) {
  switch (message.t) {
    case "me": return { ...state, me: message.me };
    case "lab": {
      const { games } = message.lab;
      const row = games.find((one) => one.game === state.wanted.game) ?? games[0];
      const decks = row.decks.includes(state.wanted.decks) ? state.wanted.decks : row.default_decks;
      return { ...state, lab: message.lab, game: row.game, decks, wrong: {} };
    }
    case "game": {
      const row = rowOf(state, message.game);
      if (!row) return state;
      const decks = row.decks.includes(state.decks) ? state.decks : row.default_decks;
      return { ...state, game: row.game, decks, sheet: null, edges: null, removal: null, wrong: {}, said: "" };
    }
    case "decks": {
      const isAllowed = rowOf(state, state.game).decks.includes(message.decks);
      return isAllowed ? { ...state, decks: message.decks, wrong: {}, said: "" } : state;
    }
    case "slow": return { ...state, sheet: kept(state, "sheet"), removal: kept(state, "removal") };
    case "sheet": return isAsked(state, message.sheet) ? seen(answered(state, "sheet", message.sheet)) : state;
    case "edges": return isAsked(state, message.edges) ? answered(state, "edges", message.edges) : state;
    case "removal": return isAsked(state, message.removal) ? answered(state, "removal", message.removal) : state;
    case "wrong": {
      const gone = message.part in state ? { [message.part]: null } : {};
      return { ...state, ...gone, wrong: { ...state.wrong, [message.part]: message.reason } };
    }
    case "bet": return { ...state, bet: message.bet };
    case "stake": return { ...state, stakeCents: message.cents };
    case "table": return { ...state, asTable: { ...state.asTable, [message.chart]: !state.asTable[message.chart] } };
    case "tables": {
      const all = !CHARTS.every((chart) => state.asTable[chart]);
      return { ...state, asTable: Object.fromEntries(CHARTS.map((chart) => [chart, all])) };
    }
    case "box": return { ...state, boxes: { ...state.boxes, [message.chart]: { w: message.w, h: message.h } } };
    case "saving": return { ...state, saving: message.form, said: message.said ?? "" };
    default: return state;
  }
}

const without = (table, key) => Object.fromEntries(Object.entries(table).filter(([name]) => name !== key));
const answered = (state, part, answer) => ({ ...state, [part]: answer, wrong: without(state.wrong, part) });
const kept = (state, part) => (isAsked(state, state[part] ?? {}) ? state[part] : null);

// The wager looked at is one of this sheet; the stake is one that its slider has.
function seen(state) {
  const { bets } = state.sheet;
  const named = (bet) => bets.find((one) => one.bet === bet);
  const { bet } = named(state.bet) ?? named("banker") ?? bets[0];
  const stops = stopsOf(bonusOf(state.sheet));
  return { ...state, bet, stakeCents: stops.length ? nearest(stops, state.stakeCents) : state.stakeCents };
}

function nearest(stops, cents) {
  const away = (stop) => Math.abs(stop.stake_cents - cents);
  return stops.reduce((best, stop) => (away(stop) < away(best) ? stop : best)).stake_cents;
}

export const rowOf = (state, game = state.game) => state.lab?.games.find((row) => row.game === game) ?? null;

/** The wager with a bonus, whose edge depends on the stake; there is one in 6 Star. */
export const bonusOf = (sheet) => sheet?.bets.find((bet) => bet.bonus) ?? null;

/** Stakes of the slider: those of the sheet, and the least that a table takes. */
export function stopsOf(bet) {
  if (!bet) return [];
  const { bonus, minimum } = bet;
  const isOwn = minimum && !bonus.stakes.some((stop) => stop.stake_cents === minimum.stake_cents);
  return [...bonus.stakes, ...(isOwn ? [minimum] : [])].sort((a, b) => a.stake_cents - b.stake_cents);
}

export const stopOf = (state, bet) => stopsOf(bet).find((stop) => stop.stake_cents === state.stakeCents) ?? null;
export const betOf = (state) => state.sheet?.bets.find((bet) => bet.bet === state.bet) ?? null;
