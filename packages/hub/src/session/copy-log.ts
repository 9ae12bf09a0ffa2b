import { parseObject } from "@signalbox/protocol";
import type { Change, Store } from "../log/store.ts";
import { rebuild } from "./load.ts";

const PAGE = 500;
const PAGE_BYTES = 4 * 1024 * 1024;

/** Gives a forked session the log of the one it came from, up to and with a message. */
export async function copyLog(
  store: Store,
  from: string,
  to: string,
  at: string | undefined,
): Promise<void> {
  let after = 0;
  for (let done = false; !done;) {
    const rows = await store.linesAfter(from, after, PAGE, PAGE_BYTES);
    const cut = at === undefined ? -1 : rows.findIndex(({ text }) => uuidOf(text) === at);
    const taken = cut < 0 ? rows : rows.slice(0, cut + 1);
    const changes = taken.map((row): Change => ({
      kind: "line",
      row: { ...row, session: to, seq: null },
    }));
    if (changes.length > 0) await store.commit(changes);
    after = rows.at(-1)?.pos ?? after;
    done = rows.length === 0 || cut >= 0;
    if (done) await rebuild(store, to, { seq: 0, pos: taken.at(-1)?.pos ?? after, edition: 0 });
  }
}

function uuidOf(text: string): unknown {
  const body = parseObject(text);
  return typeof body === "string" ? undefined : body["uuid"];
}
