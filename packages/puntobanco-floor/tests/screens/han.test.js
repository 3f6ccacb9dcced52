// Whether a device can write Chinese, with pens that stand for devices; and the letters in the place of seals.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasHan, writesHan } from "../../src/puntobanco_floor/web/screens/base/han.js";
import { letterOf, seal, sealText } from "../../src/puntobanco_floor/web/screens/kit/seals.js";

/** Writes a character as wide as `width` says; its ink reaches as far as `ink` says. */
const pen = (ink, width) => ({
  font: "",
  measureText: (text) => ({
    width, actualBoundingBoxLeft: 0, actualBoundingBoxRight: ink(text), actualBoundingBoxAscent: 24,
    actualBoundingBoxDescent: 2,
  }),
});

test("a font that has the character writes it, a square wide, unlike what it lacks", () => {
  assert.equal(writesHan(pen((text) => (text === "莊" ? 30.5 : 17), 32)), true);
});

test("boxes for what is missing are all alike, whatever their width", () => {
  assert.equal(writesHan(pen(() => 28, 32)), false);
  assert.equal(writesHan(pen(() => 17, 19)), false);
});

test("boxes with a number in them are not as wide as a character", () => {
  assert.equal(writesHan(pen((text) => text.codePointAt(0) / 1000, 24)), false);
});

test("without a page everything can be written", () => {
  assert.equal(hasHan(), true);
  assert.equal(sealText("莊"), "莊");
});

test("each seal has its letter, and a page carries both", () => {
  assert.deepEqual(["莊", "閒", "和", "壽", "祿", "福"].map(letterOf).join(""), "BPTSLF");
  assert.match(String(seal("莊")), /data-letter="B"><bdi>莊</);
});

test("where the page was found bare, roads are drawn with letters", () => {
  const page = { documentElement: { dataset: { han: "none" } } };
  Object.assign(globalThis, { document: page });
  assert.equal(sealText("閒"), "P");
  Reflect.deleteProperty(globalThis, "document");
});
