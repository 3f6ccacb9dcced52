// A command whose outcome is not known: what a screen says, when it asks again, and for how long. Pure.

// Refusals are forgotten after fifteen minutes: sent later than that, a command could be decided anew.
export const REPEAT_MS = 600_000;
const FIRST_MS = 500, MOST_MS = 8_000, MOST_DOUBLINGS = 5;

/** What a screen says while a command is in doubt and the floor has not said it. */
export const IN_DOUBT = {
  code: "in-doubt", clause: "",
  reason: {
    en: "It is not yet known whether this was recorded. This screen will ask again; do not repeat it.",
    zh: "暫未知悉是否已記錄。本畫面會再次查詢；請勿重複操作。",
  },
};

/** How long to wait before a command is sent again. @param {number} [tries] */
export const pauseMs = (tries = 0) => Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(tries, MOST_DOUBLINGS));
