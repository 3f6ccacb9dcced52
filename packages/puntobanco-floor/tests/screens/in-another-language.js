// Loaded before other tests (`node --import`): they draw what they draw, in the language of $SPOKEN, and nothing is
// compared; every page goes to the file $DRAWN, a line of JSON each.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";

import { Html } from "../../src/puntobanco_floor/web/screens/base/dom.js";
import { setLanguage } from "../../src/puntobanco_floor/web/screens/base/words.js";

const { SPOKEN, DRAWN } = process.env;
setLanguage(/** @type {any} */ (SPOKEN));
for (const name of Object.keys(assert)) if (typeof assert[name] === "function") assert[name] = () => {};

const seen = new Set();
Html.prototype.toString = function toString() {
  if (!seen.has(this.text)) appendFileSync(String(DRAWN), `${JSON.stringify(this.text)}\n`);
  seen.add(this.text);
  return this.text;
};
