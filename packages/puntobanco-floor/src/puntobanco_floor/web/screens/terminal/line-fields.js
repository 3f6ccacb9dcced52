// The fields of a settled line, in the order of the wire, each with what it is where it is absent.
// Generated from puntobanco_floor.domain.events.Line by `make docs`; not to be edited.
export const LINE_FIELDS = [
  ["session", null],
  ["bet", null],
  ["stake_cents", null],
  ["outcome", null],
  ["winnings_cents", null],
  ["returned_cents", null],
  ["bonus_cents", null],
  ["clause", null],
  ["bonus_clause", ""],
  ["set_off_cents", 0],
];
