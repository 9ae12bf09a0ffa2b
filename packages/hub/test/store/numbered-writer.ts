/**
 * A process that writes numbered commits until it is killed, many at a time, after those that are there:
 * it says the number of the last of these, and then each number when its commit has resolved. Commit n is
 * n lines modulo 7 and one more, a receipt and an audit entry.
 */
import { writeSync } from "node:fs";
import { openStore } from "../../src/store/open-store.ts"; // and nothing else: it is started a thousand times
import type { Change } from "../../src/store/store.ts";
import { line, session } from "./rows.ts";

const [folder = ""] = process.argv.slice(2);
const store = await openStore(folder);
await store.commit([session("s")]);
const [last] = await store.linesBefore("s", undefined, 1);
let pos = last?.pos ?? 0;
const there = last ? (JSON.parse(last.text) as { n: number }).n : 0;
writeSync(1, `${there}\n`);

function createCommit(n: number): Change[] {
  const lines = Array.from({ length: (n % 7) + 1 }, () =>
    line("s", ++pos, { text: JSON.stringify({ n, pad: "x".repeat((n * 37) % 3000) }) }),
  );
  const row = {
    id: String(n),
    device: "d",
    request: "",
    status: 200,
    body: "",
    at: n,
    session: null,
  };
  const news = { at: n, what: "wrote", by: null, session: "s", facts: { n } };
  return [...lines, { kind: "receipt", row }, { kind: "audit", news }];
}

for (let n = there + 1; ; n++) {
  void store.commit(createCommit(n)).then(() => writeSync(1, `${n}\n`));
  if (n % 5 === 0) await Bun.sleep(n % 3);
}
