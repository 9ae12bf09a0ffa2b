import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openStore, StoreError } from "@signalbox/hub/store";
import { line, openFolder, session } from "./rows.ts";

setDefaultTimeout(180_000);

test("[LG17] nothing is refused permanently because another program holds a lock for a while", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path, { retryMs: 20 });
  await store.commit([session("a")]);
  const other = new Database(join(folder.path, "signalbox.sqlite"));
  other.run("BEGIN IMMEDIATE");
  const failure: unknown = await store.commit([line("a", 1)]).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreError);
  expect((failure as StoreError).why).toBe("io-error");
  expect(await store.sessions()).toHaveLength(1); // reading goes on
  const { promise, resolve } = Promise.withResolvers<void>();
  store.onHealth((health) => health.writable && resolve());
  other.run("ROLLBACK");
  other.close();
  await promise;
  await store.commit([line("a", 1)]);
  expect(await store.linesAfter("a", 0, 10)).toHaveLength(1);
});
