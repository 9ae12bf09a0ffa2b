import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@signalbox/client";
import { testedAgent } from "@signalbox/testing/tested-agent";
import { readProcessFile, findParent } from "@signalbox/testing/process-facts";
import { agentLines, difference, recorded, settled } from "./faults/recorder.ts";
import { freshItems, shown, getText, when } from "./faults/seen.ts";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";

setDefaultTimeout(180_000);

let hub: HubStage;
let agent: ReturnType<typeof recorded>;
const old = Bun.resolveSync("claude-code-2.1.7/cli.js", import.meta.dir);
beforeAll(async () => {
  hub = await openHubStage();
  agent = recorded(testedAgent, hub.folder);
  const also = { models: [], flags: [] };
  await hub.admin.setAgents([
    { name: "claude-code", path: agent.path, driver: "stdio", ...also },
    { name: "old", path: old, driver: "sdk-url", ...also },
  ]);
});
afterAll(() => hub[Symbol.asyncDispose]());

const words = Array.from({ length: 120 }, (_, at) => `w${at + 1}`);
/** The control plane and what is marked for it alone the SDK keeps to itself. */
const isTheSdks = (line: string) => /"type":"control_|"sdk_host_only":true/.test(line);
const passedOn = (lines: readonly string[]) => lines.filter((line) => !isTheSdks(line));

/** What Claude Code itself wrote down of a conversation: the uuids of its messages, in order. */
function transcript(conversation: string): string[] {
  const projects = join(hub.place, "home/.claude/projects");
  const files = readdirSync(projects, { recursive: true, encoding: "utf8" });
  const own = files.find((file) => file.endsWith(`${conversation}.jsonl`)) ?? "";
  return getUuids(readFileSync(join(projects, own), "utf8").split("\n"));
}
function getUuids(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    if (!line.includes('"type":"assistant"')) return [];
    const { type, uuid } = JSON.parse(line) as { type: string; uuid: string };
    return type === "assistant" ? [uuid] : [];
  });
}

/** What was said and what is stored of it, as far as the driver lets anybody compare. */
type Compared = (stored: string[], conversation: string) => [said: string[], stored: string[]];
const compared: Record<string, Compared> = {
  stdio: (stored) => [agent.lines(), stored],
  sdk: (stored) => [passedOn(agent.lines()), passedOn(stored)],
  "sdk-url": (stored, id) => [transcript(id), getUuids(stored)], // nothing is on its pipes
};

test.each([
  ["stdio", "claude-code"],
  ["sdk", "claude-code"],
  ["sdk-url", "old"],
])(
  "[DR1] a hub that is killed in a turn, while it streams and while a permission is open, costs nothing on the driver %s",
  async (driver, name) => {
    agent.forget();
    const made = `${driver}.txt`;
    using viewer = connect({ url: hub.url, device: hub.browser.credential });
    const text = [
      "Begin.",
      "::flood 120 60",
      `::tool Bash {"command":"echo ran >> ${made}"}`,
      "::flood 120 60",
      "::say Over.",
    ].join("\n");
    const { id } = await hub.admin.createSession({
      folder: hub.folder,
      driver,
      agent: name,
      prompt: { text },
    });
    using watch = viewer.watchSession(id);
    using board = viewer.watchBoard();
    const said = () => getText(watch.view.ids.flatMap((item) => watch.view.item(item) ?? []));
    const ask = () =>
      board.view.asks.find(({ session, status }) => session === id && status === "open");

    await when(watch, () => said().includes("w20 "));
    // Not the children that it has for a moment.
    const running = () => hub.agents().filter((pid) => isAgent(pid));
    const before = running();
    expect(before.length).toBeGreaterThan(0);
    await hub.killHub();
    await hub.serveAgain();
    await when(board, () => ask() !== undefined);
    const asked = ask();
    await hub.killHub();
    expect(hub.has(made)).toBe(false);
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
    expect(await Bun.file(hub.at(made)).text()).toBe("ran\n");
    const conversation = board.view.session(id)?.summary.sessionId ?? "";
    const [first, second] = await settled(async () => {
      const stored = await agentLines(hub.admin, id);
      return compared[driver]?.(stored, conversation) ?? [[], []];
    });
    expect(first.length).toBeGreaterThan(3);
    expect(difference(first, second)).toEqual({ lost: 0, doubled: 0, reordered: 0 });
    expect([...said().matchAll(/w\d+/g)].map(String)).toEqual([...words, ...words]);
    using newcomer = connect({ url: hub.url, device: hub.browser.credential });
    expect(await shown(watch)).toEqual(await freshItems(newcomer, id));
    await hub.admin.stop(id);
  },
);

function isAgent(pid: number): boolean {
  const line = readProcessFile(pid, "cmdline");
  if (line === readProcessFile(findParent(pid), "cmdline")) return false; // a child that is not yet what it will be
  return line.includes(agent.path) || line.includes(old) || line.startsWith("claude\0");
}
