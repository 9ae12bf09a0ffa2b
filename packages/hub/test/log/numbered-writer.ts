/**
 * A process that writes numbered commits until it is killed, many at a time, and says each number when
 * its commit has resolved. Commit n is n lines modulo 7 and one more, a receipt and an audit entry.
 */
import { type Change, openStore } from "@signalbox/hub";
import { writeSync } from "node:fs";
import { line, session } from "./rows.ts";

const [folder = "", begin = "1", startPos = "0"] = process.argv.slice(2);
const store = await openStore(folder);
await store.commit([session("s")]);
let pos = Number(startPos);

function commitOf(n: number): Change[] {
  const lines = Array.from({ length: (n % 7) + 1 }, () =>
    line("s", ++pos, { text: JSON.stringify({ n, pad: "x".repeat((n * 37) % 3000) }) }),
  );
  const row = { id: String(n), device: "d", request: "", status: 200, body: "", at: n };
  const news = { at: n, what: "wrote", by: null, session: "s", facts: { n } };
  return [...lines, { kind: "receipt", row }, { kind: "audit", news }];
}

for (let n = Number(begin); ; n++) {
  void store.commit(commitOf(n)).then(() => writeSync(1, `${n}\n`));
  if (n % 5 === 0) await Bun.sleep(n % 3);
}
