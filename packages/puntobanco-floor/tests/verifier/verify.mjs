// The script of verify.html in Node: a line with a receipt and a policy in, a line with the verdict out.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
const page = readFileSync(process.argv[2], "utf8"), script = page.slice(page.indexOf("<script>") + 8, page.indexOf("</script>"));
(0, eval)(script);
for await (const line of createInterface({ input: process.stdin })) {
  const { receipt, policy } = JSON.parse(line);
  const found = await verifyReceipt(new Uint8Array(Buffer.from(receipt, "base64")), policy);
  const lines = found.lines.map((one) => [one.mark, one.check, sayLine(one)]);
  const zh = found.lines.map((one) => sayLine(one, "zh"));
  const means = meansOf(found)[0];
  process.stdout.write(`${JSON.stringify({ code: found.code, lines, facts: found.facts, zh, means })}\n`);
}
