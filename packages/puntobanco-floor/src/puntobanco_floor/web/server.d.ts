// What the server sends and takes, from the msgspec classes; `make docs` writes it. For tsc alone: no page loads it.

export interface Action {
  command: string;
  why: Words;
  clause: string;
  slot: string;
  say: Words | null;
  say_clause: string;
}

export interface Added {
  results: Array<string>;
  roads: Record<string, Array<[number, number, string]>>;
}

export interface AdjustmentRow {
  table: string;
  game: string;
  decks: number;
  adjustments: number;
  credits_cents: number;
  cash_cents: number;
  total_cents: number;
}

export interface AdjustmentView {
  round: number;
  cents: number;
  note: string;
  review: number;
  clause: string;
  direction: string;
}

export interface Alert {
  number: number;
  at: number;
  kind: string;
  table: string;
  round: number;
  session: string;
  text: Words;
  facts: Array<Fact>;
}

export interface Answer {
  id: string;
  ok: boolean;
  seq: number;
  at: number;
  code: string;
  reason: Words | null;
  clause: string;
  proposal: number;
  head: Head | null;
}

export interface Answered {
  t: "answered";
  id: string;
  ok: boolean;
  code: string;
  reason: Words | null;
  clause: string;
  head: Head | null;
}

export interface Approval {
  seq: number;
  at: number;
  what: string;
  asked_by: string;
  decided_by: string;
  approved: boolean;
}

export interface AskMarks {
  banker: [string, string, string];
  player: [string, string, string];
}

export interface BadRecord {
  stream: string;
  seq: number;
  expected: string;
  found: string;
}

export interface Beat {
  t: "beat";
  at: number;
}

export interface Begun {
  name: string;
  role: string;
  factor: string;
  secret: string;
  uri: string;
  qr: Array<string>;
}

export interface BetChoice {
  bet: string;
  title: Words;
  step_cents: number;
  closable: boolean;
}

export interface BetLimits {
  min_cents: number;
  max_cents: number;
  step_cents: number;
  closed: boolean;
}

export interface BetReturn {
  bet: string;
  title: Words;
  rounds: number;
  won: number;
  chance: number;
  staked_cents: number;
  paid_cents: number;
  actual: number | null;
  exact: number;
  evidence: number;
  alarm_at: number;
  alarm: boolean;
}

export interface BetRow {
  table: string;
  game: string;
  decks: number;
  bet: string;
  wagers: number;
  wagered_cents: number;
  won_cents: number;
  theory: string;
  actual: string;
}

export interface BetSheet {
  bet: string;
  title: Words;
  hand: string;
  edge: Figure;
  deviation: Figure;
  hit: Figure;
  results: Array<ResultView>;
  flags: Array<string>;
  bonus: BonusView | null;
  minimum: StakeView | null;
  asked: StakeView | null;
}

export interface BetView {
  bet: string;
  title: Words;
  hand: string;
  main: boolean;
  asks: Words | null;
  lines: Array<PayView>;
  limits: BetLimits;
  step_cents: number;
}

export interface Board {
  house: string;
  demo: boolean;
  stopped: Words | null;
  day: string;
  tables: Array<PitTable>;
  payments: Array<PaymentWaiting>;
  alerts: Array<Alert>;
  alerts_in_all: number;
  unreachable: number;
  log: LogStatus | null;
  failing: string;
  in_doubt: Record<string, number>;
}

export interface BonusView {
  expected_dollars: Figure;
  break_even: Figure | null;
  stakes: Array<StakeView>;
}

export interface Bounds {
  least_rounds: number;
  most_rounds: number;
  choices: Array<number>;
  most_seed: string;
  table_cut: number;
}

export interface Bye {
  t: "bye";
  reason: Words;
}

export interface Cards {
  source: "continuous" | "shoe";
  dealing: "physical" | "virtual";
  decks: number;
  cut: number;
  burn: number | "first-card";
  count_shoes: boolean;
  road_rounds: number;
}

export interface Check {
  what: Words;
  clause: string;
  expected: Words;
  recorded: Words;
  agrees: boolean;
}

export interface Choice {
  code: string;
  text: Words;
}

export interface CitedView {
  clause: string;
  text: Words;
}

export interface Clock {
  betting_ms: number;
  guard_ms: number;
  card_ms: number;
  pause_ms: number;
  automatic: boolean;
  new_shoes: boolean;
  closes_by_clock: boolean;
  squeeze_ms: number;
}

export interface CompareView {
  decks: number;
  stake_cents: number;
  stakes: Array<number>;
  bonus: Array<Words>;
  games: Array<ComparedGame>;
  rows: Array<ComparedRow>;
  lowest: Extreme | null;
  highest: Extreme | null;
}

export interface ComparedCell {
  bet: string;
  title: Words;
  pays: string;
  edge: Figure;
  hit: Figure;
  deviation: Figure;
  rank: "" | "best" | "only" | "same" | "worst";
  bonus: boolean;
}

export interface ComparedGame {
  game: string;
  title: Words;
  heading: Words;
  rules: string;
  deck_cards: number;
  cards: number;
  refused: Words | null;
  clause: string;
}

export interface ComparedRow {
  row: string;
  title: Words;
  hand: string;
  cells: Array<ComparedCell | null>;
}

export interface ComplaintView {
  code: string;
  text: Words;
}

export interface CorrectedView {
  slot: string;
  before: string;
  after: string;
}

export interface Correction {
  seq: number;
  what: string;
  clause: string;
  original: Array<string>;
  corrected: Array<string>;
  surplus: Array<string>;
}

export interface Counts {
  rounds: number;
  banker: number;
  player: number;
  tie: number;
  banker_pair: number;
  player_pair: number;
  natural: number;
  void: number;
  banker_six: number;
}

export interface DayFigures {
  drop_cents: number;
  win_cents: number;
  hold: number | null;
  rounds: number;
  voids: number;
  voided_cents: number;
  staked_cents: number;
}

export interface DealerView {
  table: TableView;
  next: Array<Action>;
  grounds: Array<GroundView>;
  proposals: Array<ProposalView>;
  decided: Array<Decided>;
  questioned: string;
  questioned_why: Words | null;
  shoe: ShoeView | null;
  deck: Array<string>;
  decks: DecksView;
  cards: Cards;
  dealt: Array<string>;
  surplus: Array<string>;
  complete: boolean;
  winner: string;
  stakes: Array<StakesView>;
  seated: number;
  betting: number;
  differential_cents: number | null;
  detail: Words | null;
}

export interface Decided {
  proposal: number;
  asked_by: string;
  command: string;
  about: "money" | "round" | "shoe";
  outcome: "approved" | "lapsed" | "rejected" | "withdrawn";
  by: string;
  reason: string;
}

export interface DecidedView {
  place: string;
  proposal: number;
  asked_by: string;
  command: string;
  outcome: "approved" | "lapsed" | "rejected" | "withdrawn";
  by: string;
  reason: string;
}

export interface DecksView {
  least: number;
  most: number;
  usual: number;
  cards_each: number;
  shuffler: boolean;
}

export interface Disabled {
  closed: boolean;
}

export interface Draw {
  slot: string;
  card: string;
  why: Words;
  clause: string;
}

export interface DrawerRow {
  window: string;
  shift: number;
  cashier: string;
  second: string;
  since: number;
  at: number;
  float_cents: number;
  in_cents: number;
  out_cents: number;
  expected_cents: number;
  counted_cents: number;
  difference_cents: number;
}

export interface DropRow {
  period: string;
  table: string;
  game: string;
  decks: number;
  bought_cents: number;
  loaded_cents: number;
  redeemed_cents: number;
  drop_cents: number;
  out_cents: number;
  win_cents: number;
  hold: string;
  moved_cents: number;
}

export interface Edge {
  bet: string;
  title: Words;
  edge: number;
  with_bonus: number;
}

export interface EdgeView {
  bet: string;
  title: Words;
  hand: string;
  bonus: boolean;
  edges: Array<Figure>;
}

export interface EdgesView {
  game: string;
  rules: string;
  decks: Array<number>;
  limit: Figure;
  bets: Array<EdgeView>;
}

export interface Enrolled {
  terminal: string;
  key: string;
  table: string;
}

export interface Events {
  t: "events";
  v: number;
  seq: number;
  at: number;
  events: Array<unknown>;
  set: Record<string, unknown>;
  add?: Added | null;
}

export interface ExclusionView {
  patron: string;
  reason: string;
  until: number | null;
}

export interface Extreme {
  edge: Figure;
  title: Words;
  games: Array<Words>;
}

export interface Fact {
  name: string;
  text: Words | null;
  cents: number | null;
  cards: string;
  clause: string;
  bet: Words | null;
}

export interface Figure {
  exact: string;
  decimal: string;
  text: string;
}

export interface FloorView {
  house: string;
  demo: boolean;
  stopped: Words | null;
  terminal: string;
  zone: string;
  session: boolean;
}

export interface GameChoice {
  game: string;
  title: Words;
  rules: string;
  deck_cards: number;
  fewest_decks: number;
  most_decks: number;
  default_decks: number;
  shuffler: boolean;
  dealt_by: string;
  bets: Array<BetChoice>;
  limits: Limits;
}

export interface GameRow {
  table: string;
  game: string;
  definition: string;
  decks: number;
  rounds: number;
  voids: number;
  reopened: number;
  wagered_cents: number;
  won_cents: number;
  winnings_cents: number;
  bonus_cents: number;
  win_cents: number;
  voided_cents: number;
  in_play_cents: number;
  unrecovered_cents: number;
  theory: string;
  actual: string;
}

export interface GroundView {
  ground: string;
  title: Words;
  clause: string;
  reconstructable: boolean;
  refused: Words | null;
  command: string;
  follows: string;
  needs_count: boolean;
  of_the_house: boolean;
  requires: Words | null;
}

export interface Guest {
  session: string;
  token: string;
  csrf: string;
}

export interface HandPayView {
  table: string;
  proposal: number;
  command: string;
  by: string;
  at: number;
  session: string;
  terminal: string;
  cents: number;
  round: number;
  left: boolean;
}

export interface Head {
  stream: string;
  epoch: number;
  seq: number;
  hash: string;
  key: string;
  signature: string;
}

export interface HouseProposal {
  number: number;
  by: string;
  at: number;
  command: string;
  person: string;
  role: string;
  patron: string;
  game: string;
  digest: string;
  pays: Array<NewPay>;
}

export interface HouseView {
  house: string;
  demo: boolean;
  stopped: Words | null;
  tables: Array<TableRow>;
  staff: Array<StaffView> | null;
  terminals: Array<TerminalView> | null;
  exclusions: Array<ExclusionView> | null;
  proposals: Array<HouseProposal>;
  by_two: boolean;
}

export interface Interrupted {
  table: string;
  round: number;
  cents: number;
}

export interface LabGame {
  game: string;
  title: Words;
  heading: Words;
  rules: string;
  deck: string;
  deck_cards: number;
  decks: Array<number>;
  default_decks: number;
  minimums: Record<string, number>;
}

export interface LabGames {
  public: boolean;
  pdf: boolean;
  simulates: boolean;
  simulation: Bounds;
  games: Array<LabGame>;
}

export interface LastHandCalled {
  event: "LastHandCalled";
  round: number;
  shoe: number;
  clause: string;
}

export interface LastView {
  round: number;
  result: string;
  player: number | null;
  banker: number | null;
}

export interface Liability {
  title: string;
  house: string;
  demo: boolean;
  at: number;
  rows: Array<VoucherRow>;
  open_cents: number;
  expired_cents: number;
  ledger_cents: number;
  ties_out: boolean;
  moving_cents: number;
  note: string;
}

export interface Limits {
  bets: Record<string, BetLimits>;
  patron_max_cents: number;
  exposure_max_cents: number;
  differential_cents: number | null;
  staff_load_cents: number;
  hand_pay_cents: number;
  large_buy_in_cents: number;
  seats: number;
}

export interface LimitsView {
  loss_cents: number | null;
  minutes: number | null;
  lost_cents: number;
  played_ms: number;
  wider: OwnLimits | null;
  wider_at: number | null;
}

export type Line = [
  session: string,
  bet: string,
  stake_cents: number,
  outcome: string,
  winnings_cents: number,
  returned_cents: number,
  bonus_cents: number,
  clause: string,
  bonus_clause: string,
  set_off_cents: number,
];

export interface LineView {
  session: string;
  terminal: string;
  bet: string;
  title: Words;
  stake_cents: number;
  outcome: string;
  pays: Words | null;
  winnings_cents: number;
  returned_cents: number;
  bonus_cents: number;
  set_off_cents: number;
  paid_cents: number;
  clause: string;
  bonus_clause: string;
  agrees: boolean;
}

export interface Lobby {
  house: string;
  demo: boolean;
  stopped: Words | null;
  odds: boolean;
  tables: Array<LobbyTable>;
}

export interface LobbyTable {
  table: string;
  number: number;
  game: string;
  title: Words;
  rules: string;
  deck: string;
  decks: number | null;
  phase: string;
  round: number;
  shoe: number | null;
  betting_ms: number | null;
  closes_at: number | null;
  announce_open: string;
  announce_close: string;
  halted: Words | null;
  closing: boolean;
  counts: Counts;
  last: LastView | null;
  big: Array<[number, number, string]>;
  min_cents: number;
  max_cents: number;
  closed: Array<Words>;
  seated: number;
  dealt_by: string;
  seats: number;
}

export interface LogStatus {
  origin: string;
  size: number;
  behind: number;
  behind_s: number;
  published: number;
  witnessed: number;
  witnesses: Record<string, string>;
  is_witnessed: boolean;
  why: string;
  fault: string;
}

export interface Made {
  name: string;
  code: string;
  proposal: number;
}

export interface Me {
  session: string;
  patron: string;
  csrf: string;
  demo: boolean;
  limits: LimitsView;
  tables: Array<SessionView>;
  reality_check_minutes: number;
}

export interface MeterRow {
  terminal: string;
  games: number;
  wagered_cents: number;
  won_cents: number;
  cash_in_cents: number;
  vouchers_in_cents: number;
  loads_cents: number;
  vouchers_out_cents: number;
  cash_outs_cents: number;
  hand_pays_cents: number;
  adjustments_cents: number;
}

export interface MethodView {
  game: string;
  title: Words;
  heading: Words;
  rules: string;
  rulebook: string;
  digest: string;
  decks: number;
  cards: number;
  deck_cards: number;
  round_cards: number;
  orders: string;
  lengths: Array<Figure>;
  cards_per_round: Figure;
  digits: number;
  lowest_return: Figure;
  rarest_award: string;
  table_cut: number;
  reserve: number;
  rounds_per_shoe: number;
  level: string;
  program: string;
  source: string;
  example: SumView;
  clauses: Array<CitedView>;
  readings: Array<CitedView>;
}

export interface Mine {
  t: "mine";
  session: SessionView;
}

export interface NewPay {
  text: Words;
}

export interface NotSeen {
  t: "refused";
  what: string;
  reason: Words;
}

export interface NoteView {
  text: Words;
  clause: string;
}

export interface Outcome {
  seq: number;
  what: string;
  result: string;
  clause: string;
  lines: Array<LineView>;
  lines_total: number;
  staked_cents: number;
  paid_cents: number;
}

export interface OwnLimits {
  loss_cents: number | null;
  minutes: number | null;
}

export interface Page {
  stream: string;
  last: number;
  rows: Array<Row>;
  before: number | null;
}

export interface PayView {
  when: Words | null;
  means: Words | null;
  pays: Words;
  clause: string;
  bonus: boolean;
}

export interface PaymentView {
  payment: number;
  by: string;
  at: number;
  command: string;
  cents: number;
  why: Words;
  issued_in: string;
}

export interface PaymentWaiting {
  payment: number;
  by: string;
  at: number;
  command: string;
  cents: number;
  why: Words;
  issued_in: string;
  window: number;
}

export interface PitAward {
  review: number;
  round: number;
  session: string;
  who: string;
  seated: boolean;
  decision: Words;
  clause: string;
  referred: boolean;
}

export interface PitBet {
  bet: string;
  title: Words;
  closed: boolean;
  closable: boolean;
}

export interface PitReview {
  review: number;
  round: number;
  at: number;
  who: string;
  complaint: Words;
  note: string;
  barred: Array<string>;
}

export interface PitStop {
  ground: string;
  title: Words;
  clause: string;
}

export interface PitTable {
  table: string;
  number: number;
  game: string;
  title: Words | null;
  rules: string;
  deck: string;
  decks: number;
  dealt_by: string;
  phase: string;
  is_in_play: boolean;
  halted: Words | null;
  closing: boolean;
  scheduled: Array<ScheduledChange>;
  stop: PitStop | null;
  silent: boolean;
  last_seen: number;
  shoe: number;
  shuffled: Words | null;
  round: number;
  cards: number;
  closes_at: number | null;
  betting_ms: number;
  sessions: number;
  connected: number;
  seats: number;
  in_play_cents: number;
  waiting: Array<Waiting>;
  decided: Array<Decided>;
  reviews: Array<PitReview>;
  awards: Array<PitAward>;
  cards_left: number | null;
  big: Array<[number, number, string]>;
  figures: DayFigures;
  returns: Array<BetReturn>;
  bets: Array<PitBet>;
  protection: Protection | null;
  worst: Array<WorstCase>;
  exposure_cents: number;
  exposure_max_cents: number;
}

export interface Place {
  t: "place";
  id: string;
  round: number;
  bet: string;
  stake_cents: number;
}

export interface Posting {
  account: string;
  cents: number;
}

export interface Problem {
  code: string;
  reason: Words;
  clause: string;
  fields: Record<string, string>;
}

export interface ProposalView {
  proposal: number;
  by: string;
  at: number;
  about: "money" | "round" | "shoe";
  command: Record<string, unknown>;
}

export interface Protection {
  round: number;
  shoe: number;
  decks: number;
  burned: number;
  unseen: number;
  points: Array<number>;
  expected: Array<number>;
  suits: Array<Unseen>;
  edges: Array<WagerEdge>;
}

export interface PublicBetsClosed {
  event: "BetsClosed";
  round: number;
}

export interface PublicBetsOpened {
  event: "BetsOpened";
  round: number;
  shoe: number;
  closes_at: number | null;
  commitment: string;
  dealer_closes: boolean;
}

export interface PublicCardCorrected {
  event: "CardCorrected";
  round: number;
  slot: string;
  before: string;
  after: string;
}

export interface PublicCardDealt {
  event: "CardDealt";
  round: number;
  slot: string;
  card: string;
  by_hand?: boolean;
}

export interface PublicClockChanged {
  event: "ClockChanged";
}

export interface PublicIrregularityDeclared {
  event: "IrregularityDeclared";
  round: number;
  ground: string;
  clause: string;
}

export interface PublicLimitsChanged {
  event: "LimitsChanged";
}

export interface PublicRoundReconstructed {
  event: "RoundReconstructed";
  round: number;
  ground: string;
  clause: string;
  dealt: string;
  order: string;
  surplus: string;
}

export interface PublicRoundReopened {
  event: "RoundReopened";
  round: number;
  ground: string;
  clause: string;
}

export interface PublicRoundResumed {
  event: "RoundResumed";
  round: number;
}

export interface PublicRoundSettled {
  event: "RoundSettled";
  round: number;
  result: string;
  player: number;
  banker: number;
  cards: string;
}

export interface PublicRoundVoided {
  event: "RoundVoided";
  round: number;
  ground: string;
  clause: string;
}

export interface PublicShoeMixed {
  event: "ShoeMixed";
  shoe: number;
  signatures: Record<string, string>;
  seed: string;
  first_card: string;
}

export interface PublicShoeStarted {
  event: "ShoeStarted";
  shoe: number;
  decks: number;
  commitment: string;
  first_card: string;
  mix: Array<string>;
  log: string;
}

export interface PublicTableClosed {
  event: "TableClosed";
}

export interface PublicTableHalted {
  event: "TableHalted";
  by_floor: boolean;
  closes: boolean;
}

export interface PublicTableOpened {
  event: "TableOpened";
  game: string;
  digest: string;
}

export interface Raise {
  t: "raise";
  id: string;
  round: number;
  bet: string;
  by_cents: number;
}

export interface Raw {
  row: Row;
  raw: string;
  withheld: boolean;
  prev: string;
  before_hash: string;
  hash: string;
  next_prev: string;
  agrees: boolean;
  postings: Array<Posting>;
}

export interface Recall {
  replay: boolean;
  table: string;
  round: number;
  game: string;
  rules: string;
  at: number;
  result: string;
  clause: string;
  player: number;
  banker: number;
  cards: Array<Draw>;
  corrected: Array<CorrectedView>;
  reconstructed: StopView | null;
  reopened: StopView | null;
  lines: Array<Line>;
  wagered_cents: number;
  paid_cents: number;
  before_cents: number;
  after_cents: number;
  demo: boolean;
  complaints: Array<ComplaintView>;
  shoe: number;
  shuffle: ShuffleView | null;
  order: string;
  nonce: string;
  paying: Record<string, Array<number>>;
}

export interface ReceiptFound {
  kind: "round" | "session" | "shoe" | "voucher" | "wager";
  table: string;
  round: number;
  session: string;
  proposals: Array<number>;
}

export interface ReceiptLink {
  path: string;
  url: string;
  qr: Array<string>;
  ends_at: number;
  proven: boolean;
}

export interface Redealt {
  cards: Record<string, string>;
  surplus: Array<string>;
  player: number;
  banker: number;
  winner: string;
  why: Words | null;
  clause: string;
  refused: Words | null;
}

export interface RemovalBet {
  bet: string;
  bonus: boolean;
  by: "points" | "ranks" | "suits";
  kinds: Array<string>;
  series: Array<RemovalSeries>;
}

export interface RemovalSeries {
  suits: string;
  effects: Array<Figure>;
}

export interface RemovalView {
  game: string;
  rules: string;
  decks: number;
  cards: number;
  bets: Array<RemovalBet>;
}

export interface Report {
  title: string;
  house: string;
  demo: boolean;
  kind: "daily" | "life" | "month" | "year";
  start: number;
  end: number;
  day_starts: string;
  at: number;
  program: string;
  note: string;
  games: Array<GameRow>;
  bets: Array<BetRow>;
  drop: Array<DropRow>;
  meters: Array<MeterRow>;
  vouchers: Array<VoucherLine>;
  drawers: Array<DrawerRow>;
  interrupted: Array<Interrupted>;
  voided: Array<VoidedRow>;
  shoes: Array<ShoesRow>;
  events: Array<Significant>;
  kinds: Record<string, number>;
  exceptions: Array<string>;
  ties: Array<Tie>;
  compared: number;
  faults: Array<string>;
  ties_out: boolean;
  adjustments: Array<AdjustmentRow>;
}

export interface ResultView {
  kind: "loses" | "pushes" | "wins";
  when: Words;
  pays: Words;
  clause: string;
  probability: Figure;
  net: Figure;
  bonus: number;
}

export interface Retold {
  table: string;
  round: number;
  rounds: number;
  game: string;
  title: string;
  rules: string;
  shoe: number;
  decks: number;
  dealing: string;
  shuffle: ShuffleView;
  order: string;
  nonce: string;
  state: string;
  result: string;
  first: number;
  last: number;
  records: Array<Told>;
  folded: number;
  checks: Array<Check>;
  outcomes: Array<Outcome>;
  funds: Array<SessionFunds>;
  approvals: Array<Approval>;
  corrections: Array<Correction>;
}

export interface RevealView {
  shoe: number;
  commitment: string;
  mix: Array<string>;
  log: string;
  signatures: Record<string, string>;
  seed: string;
  order: string;
  nonce: string;
  abandoned: boolean;
}

export interface ReviewCase {
  table: string;
  review: number;
  round: number;
  facts: Array<Fact>;
  records: Array<ToldLine>;
  decisions: Array<Choice>;
  clauses: Array<Choice>;
}

export interface ReviewView {
  review: number;
  round: number;
  at: number;
  complaint: Words;
  decision: Words | null;
  clause: string;
  note: string;
}

export interface RoadsView {
  bead: Array<[number, number, string]>;
  big: Array<[number, number, string]>;
  eye: Array<[number, number, string]>;
  small: Array<[number, number, string]>;
  pig: Array<[number, number, string]>;
}

export interface RoundEdges {
  table: string;
  round: number;
  edges: Array<Edge>;
}

export interface RoundPage {
  rounds: Array<RoundRow>;
  before: number | null;
}

export interface RoundRow {
  round: number;
  at: number;
  result: string;
  staked_cents: number;
  back_cents: number;
}

export interface Row {
  seq: number;
  at: number;
  by: string;
  command: string;
  kind: string;
  group: "cards" | "decisions" | "house" | "money" | "table" | "wagers";
  round: number | null;
  clause: string;
  says: Words;
  hash: string;
}

export interface RulesRow {
  cells: Array<Words>;
  clause: string;
}

export interface RulesSection {
  title: Words;
  columns: Array<Words>;
  rows: Array<RulesRow>;
}

export interface RulesView {
  game: string;
  title: Words;
  heading: Words;
  sections: Array<RulesSection>;
  voucher_days: number;
}

export interface ScheduledChange {
  kind: "cards" | "clock" | "limits";
  by: string;
  at: number;
  limits: Limits | null;
  clock: Clock | null;
  cards: Cards | null;
}

export interface Secret {
  name: string;
  secret: string;
}

export interface SessionFunds {
  session: string;
  terminal: string;
  before_cents: number;
  after_cents: number;
}

export interface SessionRow {
  table: string;
  session: string;
  terminal: string;
  since: number;
  balance_cents: number;
  in_play_cents: number;
  net_cents: number;
  loss_cents: number | null;
  stopped: Words | null;
  connected: boolean;
}

export interface SessionView {
  table: string;
  seq: number;
  session: string;
  seated: boolean;
  balance_cents: number;
  wagers: Record<string, number>;
  lines: Array<Line>;
  since: number | null;
  net_cents: number;
  held_cents: number;
  loss_cents: number | null;
  ends_at: number | null;
  stopped: Words | null;
  reviews: Array<ReviewView>;
  moving_to: string;
  moving_cents: number;
  adjustments: Array<AdjustmentView>;
}

export interface SettingView {
  name: string;
  value: string;
  usual: string;
  bounds: string;
  help: string;
}

export interface SheetView {
  game: string;
  title: Words;
  rules: string;
  heading: Words;
  digest: string;
  decks: number;
  cards: number;
  cards_per_round: Figure;
  bets: Array<BetSheet>;
}

export interface ShiftClosed {
  event: "ShiftClosed";
  shift: number;
  cashier: string;
  first: string;
  by: string;
  since: number;
  float_cents: number;
  in_cents: number;
  out_cents: number;
  counted_cents: number;
  expected_cents: number;
  difference_cents: number;
}

export interface ShoeEnded {
  event: "ShoeEnded";
  shoe: number;
  order: string;
  nonce: string;
  abandoned: boolean;
}

export interface ShoeView {
  number: number;
  dealing: string;
  decks: number;
  cut: number;
  cards_left: number;
  spoiled: string;
  cards: number;
  burn: number;
  source: string;
  set_id: string;
  first_card: string;
  counted: number | null;
  shuffled: Words | null;
}

export interface ShoesRow {
  table: string;
  shoes: number;
  mixed: number;
  abandoned: number;
  alone: number;
  share: string;
}

export interface ShuffleView {
  text: Words;
  commitment: string;
  mix: Array<string>;
  log: string;
  signatures: Record<string, string>;
  seed: string;
  abandoned_at: number | null;
}

export interface Significant {
  at: number;
  stream: string;
  entry: number;
  by: string;
  kind: string;
  what: string;
}

export interface SimulatedBet {
  bet: string;
  title: Words;
  hand: string;
  simulated: Figure;
  error: Figure;
  exact: Figure;
  difference: Figure;
  errors: number;
  errors_text: string;
  agrees: boolean | null;
  words: Words;
}

export interface SimulatedLine {
  bet: string;
  title: Words;
  pays: Words;
  clause: string;
  count: string;
  expected: string;
  errors: number;
  errors_text: string;
}

export interface SimulationView {
  game: string;
  title: Words;
  heading: Words;
  rules: string;
  decks: number;
  cards: number;
  seed: string;
  asked: number;
  rounds: number;
  shoes: number;
  cut: number | null;
  seconds: number;
  passed: boolean | null;
  tests: number;
  level: string;
  words: Words;
  bets: Array<SimulatedBet>;
  lines: Array<SimulatedLine>;
}

export interface StaffLogin {
  token: string;
  role: string;
  csrf: string;
}

export interface StaffMe {
  name: string;
  role: string;
  csrf: string;
  house: string;
  demo: boolean;
  sees: Array<string>;
  may: Array<string>;
  idle_s: number;
  zone: string;
}

export interface StaffView {
  name: string;
  role: "administrator" | "auditor" | "cashier" | "dealer" | "supervisor";
  locked: boolean;
  disabled: string;
  unconfirmed: boolean;
  enrolled: boolean;
}

export interface StakeView {
  stake_cents: number;
  edge: Figure;
  deviation: Figure;
  nets: Array<Figure>;
}

export interface StakesView {
  bet: string;
  wagers: number;
  largest_cents: number;
  total_cents: number;
}

export interface StopView {
  ground: string;
  title: Words;
  clause: string;
}

export interface StreamRow {
  stream: string;
  title: string;
  seq: number;
  hash: string;
  at: number;
  rounds: number;
}

export interface SumRow {
  when: Words;
  probability: Figure;
  net: Figure;
  product: Figure;
}

export interface SumView {
  bet: string;
  title: Words;
  rows: Array<SumRow>;
  total: Figure;
  edge: Figure;
}

export interface Sync {
  t: "sync";
}

export interface TableRestarted {
  event: "TableRestarted";
}

export interface TableRow {
  table: string;
  game: string;
  phase: string;
  halted: Words | null;
  closing: boolean;
  round: number;
  sessions: number;
  limits: Limits | null;
  clock: Clock;
  cards: Cards;
  scheduled: Array<ScheduledChange>;
}

export interface TableView {
  table: string;
  number: number;
  v: number;
  seq: number;
  at: number;
  game: string;
  title: Words;
  rules: string;
  deck: string;
  decks: number | null;
  shoe: number | null;
  phase: string;
  round: number;
  betting_ms: number | null;
  closes_at: number | null;
  dealer_closes: boolean;
  opens_at: number | null;
  squeeze_ms: number;
  squeeze_until: number | null;
  cards: Record<string, string>;
  keyed: Array<string>;
  corrected: Array<CorrectedView>;
  reconstructed: StopView | null;
  why: Why | null;
  next: Why | null;
  stop: StopView | null;
  last_hand: boolean;
  player: number | null;
  banker: number | null;
  notes: Array<NoteView>;
  results: Array<string>;
  roads: RoadsView;
  counts: Counts;
  last: LastView | null;
  bets: Array<BetView>;
  patron_max_cents: number;
  differential_cents: number | null;
  exposure_max_cents: number;
  hand_pay_cents: number;
  announce_open: string;
  announce_close: string;
  late_clause: string;
  withdraw_clause: string;
  dealt_by: string;
  halted: Words | null;
  closing: boolean;
  demo: boolean;
  shuffle: ShuffleView | null;
  last_shoe: RevealView | null;
  paying: Record<string, Array<number>>;
  asks: AskMarks | null;
}

export interface TerminalView {
  name: string;
  table: string;
  enrolled: boolean;
  code_waits: boolean;
  disabled: string;
}

export interface Tie {
  what: string;
  report_cents: number;
  ledger_cents: number;
}

export interface Told {
  row: Row;
  cards: Record<string, string>;
  player: number | null;
  banker: number | null;
  slot: string;
  why: Words | null;
  postings: Array<Posting>;
}

export interface ToldLine {
  at: number;
  by: string;
  says: Words;
}

export interface TotalsAnnounced {
  event: "TotalsAnnounced";
  round: number;
  player: number;
  banker: number;
  clause: string;
}

export interface Unseen {
  suit: string;
  name: Words;
  count: number;
}

export interface Verification {
  running: boolean;
  ran: boolean;
  by: string;
  began_at: number;
  took_ms: number;
  done: number;
  total: number;
  fault: string;
  bad: BadRecord | null;
  streams: number;
  entries: number;
  rounds: number;
  voids: number;
  reopened: number;
  wagers: number;
  shoes: number;
  signatures: number;
  unproven: Array<string>;
  rulings: Array<string>;
}

export interface View {
  t: "view";
  what: string;
  at: number;
  view: unknown;
}

export interface VoidedRow {
  ground: string;
  title: Words;
  people: Array<string>;
  rounds: number;
  returned_cents: number;
}

export interface VoucherFound {
  state: "expired" | "no-number" | "redeemed" | "unknown" | "valid" | "wrong-check-digits";
  says: Words;
  cents: number;
  issued_at: number;
  issued_in: string;
  issued_seq: number;
  issued_by: string;
  expires_at: number;
  redeemed_at: number;
  redeemed_in: string;
  redeemed_by: string;
  second: Words | null;
}

export interface VoucherLine {
  table: string;
  issued: number;
  issued_cents: number;
  redeemed: number;
  redeemed_cents: number;
  expired: number;
  expired_cents: number;
  out: number;
  out_cents: number;
  out_expired_cents: number;
}

export interface VoucherPaper {
  number: string;
  shown: string;
  cents: number;
  expires_at: number;
  qr: Array<string>;
  house: string;
  demo: boolean;
  at: number;
  place: string;
  seq: number;
  session: string;
}

export interface VoucherRow {
  table: string;
  open: number;
  open_cents: number;
  expired: number;
  expired_cents: number;
}

export interface WagerEdge {
  bet: string;
  title: Words;
  stake_cents: number | null;
  fresh: number;
  now: number;
  grade: string;
}

export interface Waiting {
  proposal: number;
  by: string;
  at: number;
  about: "money" | "round" | "shoe";
  command: string;
  title: Words;
  round: number;
  clause: string;
  facts: Array<Fact>;
  refused: Words | null;
}

export interface Watch {
  t: "watch";
  what: Array<string>;
}

export interface Welcome {
  t: "welcome";
  protocol: number;
  now: number;
  table: TableView;
  session: SessionView;
}

export interface Why {
  slot: string;
  text: Words;
  clause: string;
}

export interface WindowView {
  window: number;
  cashier: string;
  since: number | null;
  counted: boolean;
  differed: boolean;
  closed: ShiftClosed | null;
  payments: Array<PaymentView>;
  hand_pays: Array<HandPayView>;
  decided: Array<DecidedView>;
  hand_pay_cents: number;
  sessions: Array<SessionRow>;
  sessions_total: number;
  credits_cents: number;
  vouchers_open: number;
  vouchers_cents: number;
  liability_cents: number;
}

export interface Withdraw {
  t: "withdraw";
  id: string;
  round: number;
  bet: string;
  by_cents?: number | null;
}

export interface Words {
  en: string;
  zh: string;
}

export interface WorstCase {
  bet: string;
  title: Words;
  pays: Words;
  patrons: number;
  stake_cents: number;
  payout_cents: number;
}

export type FromTerminal = Place | Raise | Sync | Withdraw;

export type ToTerminal = Answered | Beat | Bye | Events | Mine | Welcome;

export type PublicEvent = LastHandCalled | PublicBetsClosed | PublicBetsOpened | PublicCardCorrected | PublicCardDealt | PublicClockChanged | PublicIrregularityDeclared | PublicLimitsChanged | PublicRoundReconstructed | PublicRoundReopened | PublicRoundResumed | PublicRoundSettled | PublicRoundVoided | PublicShoeMixed | PublicShoeStarted | PublicTableClosed | PublicTableHalted | PublicTableOpened | ShoeEnded | TableRestarted | TotalsAnnounced;

export interface Views {
  "lobby": Lobby;
  [path: `table:${number}`]: TableView;
  [path: `dealer:${number}`]: DealerView;
  "pit": Board;
  [path: `cage:${number}`]: WindowView;
  "house": HouseView;
}

export interface Gets {
  "/api/floor": FloorView;
  "/api/tables": Array<TableView>;
  [path: `/api/tables/${number}`]: TableView;
  [path: `/api/tables/${number}/rules`]: RulesView;
  "/api/me": Me;
  [path: `/api/tables/${number}/last-round`]: Recall;
  [path: `/api/tables/${number}/rounds/${number}`]: Recall;
  [path: `/api/tables/${number}/rounds`]: RoundPage;
  "/api/staff/me": StaffMe;
  "/api/admin/house": HouseView;
  "/api/admin/staff": Array<StaffView>;
  "/api/admin/terminals": Array<TerminalView>;
  "/api/admin/tables": Array<TableRow>;
  "/api/admin/exclusions": Array<ExclusionView>;
  "/api/admin/games": Array<GameChoice>;
  "/api/admin/settings": Array<SettingView>;
  "/api/admin/causes": Array<Choice>;
  [path: `/api/staff/tables/${number}`]: DealerView;
  [path: `/api/staff/tables/${number}/redealt`]: Redealt;
  "/api/staff/pit": Board;
  [path: `/api/staff/tables/${number}/rounds/${number}/edges`]: RoundEdges;
  [path: `/api/staff/tables/${number}/reviews/${number}`]: ReviewCase;
  "/api/staff/complaints": Array<Choice>;
  [path: `/api/staff/cage/${number}`]: WindowView;
  "/api/staff/reports/liability": Liability;
  [path: `/api/staff/reports/${string}`]: Report;
  "/api/staff/audit/streams": Array<StreamRow>;
  [path: `/api/staff/audit/streams/${string}/entries`]: Page;
  [path: `/api/staff/audit/streams/${string}/entries/${number}`]: Raw;
  [path: `/api/staff/audit/tables/${number}/rounds/${number}`]: Retold;
  "/api/staff/audit/verify": Verification;
  "/api/odds/games": LabGames;
  [path: `/api/odds/games/${string}/edges`]: EdgesView;
  "/api/odds/compare": CompareView;
  [path: `/api/odds/games/${string}/decks/${number}`]: SheetView;
  [path: `/api/odds/games/${string}/decks/${number}/removal`]: RemovalView;
  [path: `/api/odds/games/${string}/decks/${number}/method`]: MethodView;
  [path: `/api/odds/games/${string}/decks/${number}/simulation`]: SimulationView;
}

export interface Posts {
  "/api/guest": Guest;
  "/api/enrol": Enrolled;
  "/api/session": Guest;
  "/api/me/limits": LimitsView;
  [path: `/api/tables/${number}/seat`]: SessionView;
  [path: `/api/tables/${number}/move`]: SessionView;
  [path: `/api/tables/${number}/leave`]: SessionView;
  [path: `/api/tables/${number}/cash-out`]: VoucherPaper;
  [path: `/api/tables/${number}/redeem`]: SessionView;
  [path: `/api/tables/${number}/rounds/${number}/review`]: SessionView;
  [path: `/api/tables/${number}/receipts`]: ReceiptLink;
  "/api/staff/login": StaffLogin;
  "/api/staff/enrol/begin": Begun;
  "/api/staff/enrol": StaffLogin;
  "/api/staff/me/password": null;
  "/api/staff/logout": null;
  [path: `/api/staff/tables/${number}/commands`]: Answer;
  [path: `/api/staff/tables/${number}/second`]: Answer;
  "/api/staff/house/commands": Answer;
  "/api/admin/staff": Made;
  [path: `/api/admin/staff/${string}`]: Made;
  [path: `/api/admin/proposals/${number}/agree`]: Made;
  [path: `/api/admin/proposals/${number}/turn-down`]: null;
  "/api/admin/terminals": Secret;
  [path: `/api/admin/terminals/${string}`]: Secret;
  "/api/admin/tables": TableRow;
  [path: `/api/admin/tables/${number}`]: TableRow;
  [path: `/api/admin/tables/${number}/disable`]: Disabled;
  [path: `/api/admin/tables/${number}/stop`]: Answer;
  [path: `/api/admin/tables/${number}/start`]: Answer;
  "/api/admin/floor/stop": Answer;
  "/api/admin/floor/start": Answer;
  "/api/admin/exclusions": Answer;
  [path: `/api/admin/exclusions/${string}/end`]: Answer;
  "/api/staff/vouchers/look-up": VoucherFound;
  "/api/staff/receipts/look-up": ReceiptFound;
  [path: `/api/staff/cage/${number}/open`]: Answer;
  [path: `/api/staff/cage/${number}/sell`]: VoucherPaper;
  [path: `/api/staff/cage/${number}/pay`]: Answer;
  [path: `/api/staff/cage/${number}/approve`]: Answer;
  [path: `/api/staff/cage/${number}/reject`]: Answer;
  [path: `/api/staff/cage/${number}/withdraw`]: Answer;
  [path: `/api/staff/cage/${number}/count`]: Answer;
  [path: `/api/staff/cage/${number}/confirm`]: Answer;
  "/api/staff/audit/verify": Verification;
}
