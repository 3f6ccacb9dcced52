// The server's time: a terminal's own clock may be wrong.

let offset = 0;

/** @param {number} serverMs */
export const setNow = (serverMs) => { offset = serverMs - Date.now(); };
export const now = () => Date.now() + offset;
