// Where a login leads: back to the page that asked for it, if it is one of ours, else to the role's own screen.
import { homeOf } from "../base/staffbar.js";

const OURS = /^\/(staff\/[a-z]|odds(\/|\?|$))/;

/**
 * `search` is the page's own query. Only a path of the staff's screens is followed, never another host.
 * @param {string} search
 * @param {string} role
 */
export function nextPath(search, role) {
  const next = new URLSearchParams(search).get("next") ?? "";
  return isOurs(next) ? next : homeOf(role);
}

// A backslash or a second slash at the start would name a host; a control character might hide one.
const hides = (/** @type {string} */ path) => [...path].some((letter) => letter < " " || letter === "\\");
const isOurs = (/** @type {string} */ path) => OURS.test(path) && !hides(path) && hostOf(path) === "here.invalid";
const hostOf = (/** @type {string} */ path) => new URL(path, "http://here.invalid").host;
