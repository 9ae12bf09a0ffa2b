import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { connect } from "@signalbox/client";
import { bundledAgent } from "@signalbox/runner";
import { factOf } from "./faults/process-facts.ts";
import { agentLines, difference, recorded } from "./faults/recorder.ts";
import { freshItems, shown, textOf, when } from "./faults/seen.ts";
import { openHubStage } from "./hub-stage.ts";

setDefaultTimeout(180_000);

test("a hub that is killed in a turn, while it streams and while a permission is open, costs nothing", async () => {
  await using hub = await openHubStage();
  const agent = recorded(bundledAgent() ?? "", hub.folder);
  await hub.admin.setAgents([
    { name: "claude-code", path: agent.path, driver: "stdio", models: [], flags: [] },
  ]);
  const { url, token } = hub;
  using viewer = connect({ url, token });
  const text = [
    "Begin.",
    "::flood 120 60",
    '::tool Bash {"command":"echo ran >> made.txt"}',
    "::flood 120 60",
    "::say Over.",
  ].join("\n");
  const { id } = await hub.admin.createSession({ folder: hub.folder, prompt: { text } });
  using watch = viewer.watchSession(id);
  using board = viewer.watchBoard();
  const said = () => textOf(watch.view.ids.flatMap((item) => watch.view.item(item) ?? []));
  const ask = () =>
    board.view.asks.find(({ session, status }) => session === id && status === "open");

  await when(watch, () => said().includes("w20 "));
  // Not the children that it has for a moment.
  const running = () => hub.agents().filter((pid) => factOf(pid, "cmdline").includes(agent.path));
  const before = running();
  expect(before.length).toBeGreaterThan(0);
  await hub.killHub();
  await hub.serveAgain();
  await when(board, () => ask() !== undefined);
  const asked = ask();
  await hub.killHub();
  expect(existsSync(hub.at("made.txt"))).toBe(false);
  await hub.serveAgain();
  expect(await hub.admin.asks()).toEqual(asked ? [asked] : []);
  await hub.admin.answer(asked?.id ?? "", {
    hash: asked?.hash ?? "",
    decision: { behavior: "allow" },
  });
  await when(watch, () => said().split("w20 ").length === 3);
  await hub.killHub();
  await hub.serveAgain();
  await when(board, () => board.view.session(id)?.summary.status === "idle");
  await when(watch, () => said().includes("Over."));

  expect(running()).toEqual(before);
  expect(await Bun.file(hub.at("made.txt")).text()).toBe("ran\n");
  const stored = await agentLines(hub.admin, id);
  expect(difference(agent.lines(), stored)).toEqual({ lost: 0, doubled: 0, reordered: 0 });
  const words = Array.from({ length: 120 }, (_, at) => `w${at + 1}`);
  expect([...said().matchAll(/w\d+/g)].map(String)).toEqual([...words, ...words]);
  using newcomer = connect({ url, token });
  expect(await shown(watch)).toEqual(await freshItems(newcomer, id));
});
