// Messages that were really served, drawn by the screens: a field that is read and was not served is a fault.
// In comes {dicts, drawn: [{screen, me, message}], followed: [{messages, whole}]}; out go the faults.
import { readFileSync } from "node:fs";
import * as admin from "../../src/puntobanco_floor/web/screens/admin/reduce.js";
import { view as adminPage } from "../../src/puntobanco_floor/web/screens/admin/view.js";
import * as cage from "../../src/puntobanco_floor/web/screens/cage/reduce.js";
import { view as cagePage } from "../../src/puntobanco_floor/web/screens/cage/view.js";
import * as dealer from "../../src/puntobanco_floor/web/screens/dealer/reduce.js";
import { page as dealerPage } from "../../src/puntobanco_floor/web/screens/dealer/view.js";
import * as display from "../../src/puntobanco_floor/web/screens/display/reduce.js";
import { page as displayPage } from "../../src/puntobanco_floor/web/screens/display/view.js";
import * as lobby from "../../src/puntobanco_floor/web/screens/lobby/reduce.js";
import { page as lobbyPage } from "../../src/puntobanco_floor/web/screens/lobby/view.js";
import * as pit from "../../src/puntobanco_floor/web/screens/pit/reduce.js";
import { view as pitPage } from "../../src/puntobanco_floor/web/screens/pit/view.js";
import * as terminal from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import { view as terminalPage } from "../../src/puntobanco_floor/web/screens/terminal/view.js";

const { dicts, drawn, followed } = JSON.parse(readFileSync(0, "utf8"));
const faults = new Set();

// A value that notes every read of a field it does not have. What is looked up by key (`dicts`) may be without it.
function strict(value, path) {
  if (value === null || typeof value !== "object") return value;
  const name = path.split(".").at(-1), isDict = dicts.includes(name);
  return new Proxy(value, {
    get(target, key) {
      const found = Reflect.get(target, key);
      if (typeof key === "symbol" || Array.isArray(target)) return strictItem(found, path);
      const isOwn = Object.hasOwn(target, key) || key in Object.prototype;
      if (!isOwn && !isDict) faults.add(`${path}.${key} is read and not served`);
      return isOwn ? strictItem(found, isDict ? `${path}[]` : `${path}.${key}`) : found;
    },
  });
}

const strictItem = (found, path) => (typeof found === "function" ? found : strict(found, path));

const SHAPES = ["wide", "phone"], LANGUAGES = ["en", "zh"];

const SCREENS = {
  terminal(me, message) {
    for (const shape of SHAPES) {
      for (const lang of LANGUAGES) {
        String(terminalPage(terminal.reduce({ ...terminal.initial(), lang, shape }, message)));
      }
    }
  },
  display: (me, message) => LANGUAGES.forEach((lang) =>
    String(displayPage(display.reduce(display.start({ table: 6, lang }), message)))),
  lobby: (me, message) => LANGUAGES.forEach((lang) =>
    String(lobbyPage(lobby.reduce(lobby.start({ lang }), message), message.at))),
  dealer: (me, message) => LANGUAGES.forEach((lang) =>
    String(dealerPage([{ t: "me", me }, message].reduce(dealer.reduce, dealer.start(6, lang))))),
  pit: (me, message) => String(pitPage([{ t: "me", me }, message].reduce(pit.reduce, pit.first()))),
  cage: (me, message) => String(cagePage([{ t: "me", me }, message].reduce(cage.reduce, cage.first(1)))),
  admin: (me, message) => ["tables", "staff", "terminals", "exclusions"].forEach((tab) =>
    String(adminPage([{ t: "me", me }, message].reduce(admin.reduce, admin.first({ tab }))))),
};

for (const { screen, me, message } of drawn) SCREENS[screen](me, strict(message, screen));

// What a terminal makes of events is what a terminal that comes anew is told.
const OF_THE_JOURNAL = ["seq", "at"]; // of entries that nobody is told of, too
for (const { messages, whole } of followed) {
  const known = messages.reduce(terminal.reduce, terminal.initial());
  if (known.sync) faults.add(`the terminal missed something before ${whole.table.v}`);
  for (const field of Object.keys(whole.table).filter((name) => !OF_THE_JOURNAL.includes(name))) {
    const [has, should] = [known.table[field], whole.table[field]].map((value) => JSON.stringify(value));
    if (has !== should) faults.add(`terminal.table.${field} after events: ${has}; anew: ${should}`);
  }
}

process.stdout.write(JSON.stringify({ faults: [...faults].sort(), screens: Object.keys(SCREENS) }));
