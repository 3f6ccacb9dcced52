// A terminal's pages as text, for a test in Python: in come [{message, sheet, rules, lang}], out go the pages.
import { readFileSync } from "node:fs";
import { initial, reduce } from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";
import { view } from "../../src/puntobanco_floor/web/screens/terminal/view.js";

const pages = JSON.parse(readFileSync(0, "utf8")).map(({ message, sheet, rules, lang }) => {
  const state = reduce(initial({ lang }), message);
  return String(view(sheet ? { ...state, sheet: { name: sheet, clause: "" }, rules } : state));
});
process.stdout.write(JSON.stringify(pages));
