import { expect, test } from "bun:test";
import { hostname } from "node:os";
import type { RunnerView } from "@signalbox/api";
import { listMachines } from "../../src/services/machines.ts";
import { Bench } from "./bench.ts";
import { FakeRunner, until } from "./fake-runner.ts";

const met = (id: string, machine: string, more: Partial<RunnerView> = {}): RunnerView => ({
  id,
  machine,
  own: false,
  online: true,
  since: 1,
  runs: 0,
  ...more,
});

test("[MC1] machines that report the same name are listed under the names with which they were paired", () => {
  const paired = [
    { id: "a", name: "box 2" },
    { id: "b", name: "attic" },
    { id: "c", name: "attic 2" },
    { id: "d", name: "cellar" },
  ];
  const runners = [
    met("own", "box", { own: true }),
    met("a", "Box"),
    met("b", "attic"),
    met("d", "renamed"),
  ];
  const names = listMachines(runners, paired, () => 0).map(({ id, machine, online }) => [
    id,
    machine,
    online,
  ]);
  expect(names).toEqual([
    ["own", "box", true],
    ["a", "box 2", true],
    ["b", "attic", true],
    ["d", "renamed", true],
    ["c", "attic 2", false],
  ]);
});

test("[MC1] a paired machine that is not connected is listed", async () => {
  const id = crypto.randomUUID();
  await using bench = await Bench.open({ pairedRunners: () => [{ id, name: "the attic" }] });
  expect(bench.engine.runners.list()).toMatchObject([{ id, machine: "the attic", online: false }]);
  await bench.runner(undefined, id);
  expect(bench.engine.runners.list()).toMatchObject([{ id, online: true }]);
  expect(hostname()).not.toBe("the attic");
});

test("[MC5] a runner's version and load are listed, and the load is not sent with the board", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  expect(bench.engine.runners.list()[0]).not.toHaveProperty("load");
  runner.frame({ type: "load", average: 1.5, cores: 4 });
  await until(() => bench.engine.runners.list()[0]?.load !== undefined);
  expect(bench.engine.runners.list()).toMatchObject([
    { id: runner.id, load: { average: 1.5, cores: 4 }, version: "1.2.3" },
  ]);
  const boards: unknown[] = [];
  const client = bench.engine.clients.connect((text) => void boards.push(JSON.parse(text)));
  client.watchBoard();
  await until(() => boards.length > 0);
  expect(JSON.stringify(boards)).toContain("1.2.3");
  expect(JSON.stringify(boards)).not.toContain('"load"');
  client.close();
});

test("[MC3] [MC4] a folder of another machine is resolved there and is a project of its own", async () => {
  await using bench = await Bench.open();
  const far = await new FakeRunner(bench.engine, crypto.randomUUID()).hello();
  const near = await bench.create({ folder: "/tmp" });
  far.carryOut = (order) =>
    order.kind === "list-folder"
      ? { result: { path: "/tmp", parent: "/", folders: [] } }
      : far.usual(order);
  const there = await bench.create({ folder: "/link-to-tmp", runner: far.id });
  expect(there.folder).toBe("/tmp");
  const projects = bench.engine.sessions.listProjects();
  expect(projects.map(({ folder }) => folder)).toEqual(["/tmp", "/tmp"]);
  expect(new Set(projects.map(({ runner }) => runner))).toEqual(new Set([near.runner, far.id]));
  const detail = "The folder /gone does not exist.";
  far.carryOut = () => ({ problem: { code: "folder-unusable", detail } });
  const why: unknown = await bench
    .create({ folder: "/gone", runner: far.id })
    .catch((failure: unknown) => failure);
  expect((why as Error).message).toContain(detail);
});
