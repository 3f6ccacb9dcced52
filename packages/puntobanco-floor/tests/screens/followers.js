// What a terminal in a browser makes of what it is sent: a story a line comes in, and out go those that end otherwise.
import { isDeepStrictEqual } from "node:util";
import { createInterface } from "node:readline";
import { initial, lineOf, reduce } from "../../src/puntobanco_floor/web/screens/terminal/reduce.js";

const OF_THE_JOURNAL = { seq: 0, at: 0 };

function faultOf({ told, table, mine }) {
  let s = initial();
  for (const [i, { message, sync }] of told.entries()) {
    s = reduce(s, message);
    if (s.sync !== sync) return `message ${i}: ${sync ? "did not ask" : "asked"} for the whole view`;
    if (s.sync) s = reduce(s, { t: "asked" });
  }
  const own = { ...mine, lines: mine.lines.map(lineOf) };
  for (const [name, has, should] of [["table", s.table, table], ["session", s.mine, own]]) {
    for (const field of Object.keys(should)) {
      if (!(field in OF_THE_JOURNAL) && !isDeepStrictEqual(has[field], should[field])) {
        return `${name}.${field} is ${JSON.stringify(has[field])} and should be ${JSON.stringify(should[field])}`;
      }
    }
  }
  return "";
}

const faults = [];
let stories = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const story = JSON.parse(line), fault = faultOf(story);
  stories += 1;
  if (fault) faults.push([story.seed, fault]);
}
process.stdout.write(JSON.stringify({ stories, faults: faults.slice(0, 20) }));
