import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Cell, END, pushChange } from "../../src/store/cells.ts";
import { WorkerThread } from "../../src/store/worker-thread.ts";
import type { FromWriter, ToWriter } from "../../src/store/writer-worker.ts";
import { openFolder, session } from "./rows.ts";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

function group(id: string): Cell[] {
  const cells: Cell[] = [];
  pushChange(cells, session(id));
  return [...cells, END];
}

test("[LG17] commits that were in progress when the disk failed are never written, however soon it recovers", async () => {
  await using folder = await openFolder();
  const heard: FromWriter[] = [];
  const thread = new WorkerThread<ToWriter, FromWriter>(
    import.meta.resolve("../../src/store/writer-client.ts"),
    "writer-worker",
    (message) => void heard.push(message),
    (why) => heard.push({ refused: why }),
  );
  const next = () => until("the writer answers", () => heard.shift());
  thread.send({ open: folder.path, retryMs: 1 });
  expect(await next()).toEqual({ opened: true });

  const other = new Database(join(folder.path, "signalbox.sqlite"));
  other.run("BEGIN IMMEDIATE");
  thread.send(group("first"));
  expect(await next()).toMatchObject({ health: { writable: false } });
  expect(await next()).toEqual({ written: "none" });
  other.run("ROLLBACK");

  // The hub has not read of the trouble yet; time enough for many tries to pass.
  for (let round = 0; round < 50; round++) {
    thread.send(group(`late-${round}`));
    expect(await next()).toEqual({ written: "none" });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  thread.send({ seen: true });
  expect(await next()).toEqual({ health: { writable: true } });
  thread.send(group("after"));
  expect(await next()).toEqual({ written: "all" });
  expect(other.query("SELECT id FROM sessions").all()).toEqual([{ id: "after" }]);
  other.close();
  thread.send({ close: true });
  expect(await next()).toEqual({ closed: true });
  thread.end();
});
