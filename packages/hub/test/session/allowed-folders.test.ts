import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "@signalbox/hub/engine";
import { LINK_VERSION } from "@signalbox/api/link";
import { until } from "@signalbox/testing/until";
import { Bench, desk, OWN, refusal } from "./bench.ts";
import { FakeRunner } from "./fake-runner.ts";

setDefaultTimeout(180_000);

const driver: Actor = { device: crypto.randomUUID(), name: "a terminal", role: "driver" };

test("[HB86] the runner of another machine is told the folders that are allowed there, and one that is too old to check them gets no session of a driver", async () => {
  const far = crypto.randomUUID();
  await using bench = await Bench.open({ pairedRunners: () => [{ id: far, name: "the attic" }] });
  const make = (by: Actor) =>
    bench.engine.sessions.create(crypto.randomUUID(), { folder: "/srv/shop", runner: far }, by);
  const connect = async (home?: string) => {
    const runner = new FakeRunner(bench.engine, far, false);
    const facts = { runner: far, machine: "attic", process: "p", generation: 1, runs: [] };
    const told = home === undefined ? {} : { home };
    runner.frame({ type: "hello", version: LINK_VERSION, ...facts, ...told });
    await until(() => runner.of("welcome").length > 0);
    return runner;
  };
  const old = await connect();
  expect(await refusal(make(driver))).toEqual({ status: 409, code: "runner-too-old" });
  expect((await make(desk)).runner).toBe(far);
  old.leave();

  const runner = await connect("/home/ada");
  const { id } = await make(driver);
  const allowed = ["/home/ada", "/srv/shop"]; // the other is where the desk has started one
  expect(runner.orders("list-folder")).toEqual([
    { kind: "list-folder", path: "/srv/shop", allowed },
  ]);
  await bench.engine.sessions.wake(id, driver);
  await until(() => runner.orders("start").length === 1);
  expect(runner.orders("start")).toMatchObject([{ session: id, allowed }]);
  await bench.engine.folders.list(far, "/srv", driver);
  expect(runner.orders("list-folder").at(-1)).toMatchObject({ path: "/srv", allowed });
  await bench.engine.folders.list(far, "/srv", desk);
  expect(runner.orders("list-folder").at(-1)).not.toHaveProperty("allowed");
});

test("[HB85] the allowed folders survive a restart; sessions that were created before the rule continue, and allow no folder", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const [set, old] = [join(bench.place, "set"), join(bench.place, "old")];
  for (const folder of [set, old]) mkdirSync(folder);
  await bench.engine.folders.setAllowed({ folders: [set] }, desk);
  const { id } = await bench.create({ folder: old });
  // As an earlier version has stored it: nobody wrote down who had made it.
  const [row] = await bench.store.sessions();
  if (!row) throw new Error("the session is not stored");
  const { startedBy: _, ...options } = row.options;
  await bench.store.commit([{ kind: "session", row: { ...row, options } }]);
  runner.leave();
  await bench.closeHub();
  await bench.openHub();

  const again = await bench.runner();
  const start = (folder: string) =>
    bench.engine.sessions.create(crypto.randomUUID(), { folder }, driver);
  expect(bench.engine.folders.listAllowed()).toMatchObject([
    { runner: OWN, folders: [set], isDefault: false, fromSessions: [] },
  ]);
  expect(await refusal(start(old))).toEqual({ status: 403, code: "folder-not-allowed" });
  expect((await start(set)).folder).toBe(set);
  await bench.engine.sessions.wake(id, driver);
  await until(() => again.orders("start").length === 1);
  expect(again.orders("start")[0]).not.toHaveProperty("allowed");
});
