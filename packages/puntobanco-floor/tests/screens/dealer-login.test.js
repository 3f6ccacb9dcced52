// Where a login leads: only to pages of our own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nextPath } from "../../src/puntobanco_floor/web/screens/login/next.js";

const to = (next, role = "dealer") => nextPath(`?next=${encodeURIComponent(next)}`, role);

test("each role has its screen", () => {
  const homes = ["dealer", "supervisor", "cashier", "auditor", "administrator"].map((role) => nextPath("", role));
  assert.deepEqual(homes, ["/staff/dealer", "/staff/pit", "/staff/cage/1", "/staff/audit", "/staff/admin"]);
});

test("a page of the staff's is gone back to", () => {
  const ours = ["/staff/dealer/6", "/staff/audit?table=3&round=9", "/odds", "/odds?game=rapid"];
  for (const path of ours) assert.equal(to(path), path);
});

test("anything else leads to the role's own screen", () => {
  const others = [
    "https://example.org/", "//example.org/staff/pit", "/\\example.org", "javascript:alert(1)", "/odds.example.org",
    "/staff", "/staff?next=/staff", "/", "/tables/1", "staff/pit", "/staff/\\\\x", "/staff/p\nit",
  ];
  for (const path of others) assert.equal(to(path), "/staff/dealer", path);
});
