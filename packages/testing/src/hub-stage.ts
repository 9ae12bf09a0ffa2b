import { join } from "node:path";
import { connect } from "@signalbox/client";
import { pairDevice } from "./paired-device.ts";
import { testedAgent } from "./tested-agent.ts";
import { filesWith, processesWith } from "./canaries.ts";
import { readProcessFile } from "./process-facts.ts";
import { openStage, type Started } from "./cli-stage.ts";
import { portToComeBackTo } from "./ports.ts";
import { readUntil } from "./read-until.ts";
import { untilChange } from "./until.ts";

const LINK = /https?:\/\/\S+\/#pair=\S+/;

/** A stage with a hub of its own, started as a person starts it, and a browser that is paired with it. */
export async function openHubStage(script?: string, flags: readonly string[] = []) {
  const stage = await openStage(script);
  const data = join(stage.folder, "../data");
  const first = await serve(stage, data, portToComeBackTo(), flags);
  const link = new URL(first.line.match(LINK)?.[0] ?? "");
  const code = link.hash.replace("#pair=", "");
  const url = `http://localhost:${link.port}`; // also where the link is for other machines
  const browser = await pairDevice({ url, code, name: "a browser" });
  const admin = connect({ url, device: browser.credential });
  const path = testedAgent;
  await admin.setAgents([{ name: "claude-code", path, driver: "stdio", models: [], flags: [] }]);
  await untilRunner(admin);
  let serving = first;
  const place = join(stage.folder, "..");
  /** Looked for when all is over: they must be nowhere (C7). */
  const secrets = [code, browser.secret];
  const leaks: string[] = [];
  const look = () => leaks.push(...processesWith(secrets, stage.processes()));

  const hub = {
    ...stage,
    place,
    secrets,
    data,
    admin,
    url,
    browser,
    firstLine: first.line,
    port: Number(link.port),
    get serving() {
      return serving;
    },
    /** A command that talks to this hub, to its end. */
    command: (args: string[], started?: Started) =>
      stage.signalbox([...args, "--data", data], started),
    commandOnTerminal: (args: string[]) => stage.onTerminal([...args, "--data", data]),
    /** Stops the hub as Ctrl-C does; gives what it said last. */
    async stopHub(): Promise<string> {
      look();
      serving.child.kill("SIGTERM");
      await serving.child.exited;
      return serving.errors;
    },
    /** Ends the hub as a power cut does: it is told nothing and says nothing. */
    async killHub(): Promise<void> {
      serving.child.kill("SIGKILL");
      await serving.child.exited;
    },
    async serveAgain(): Promise<string> {
      serving = await serve(stage, data, Number(link.port), flags);
      await untilRunner(admin);
      return serving.line;
    },
    /** On whatever port is free; `runnerComes`: settles when its runner is there. */
    async serveElsewhere() {
      serving = await serve(stage, data, 0, flags);
      const url = /http\S+/.exec(serving.line)?.[0] ?? "";
      return {
        async runnerComes(): Promise<void> {
          using there = connect({ url, device: browser.credential });
          await untilRunner(there);
        },
      };
    },
    /** The agents that live: of all processes of this stage, those that a run has started. */
    agents: () =>
      stage.processes().filter((pid) => readProcessFile(pid, "environ").includes("SIGNALBOX_RUN=")),
    async [Symbol.asyncDispose]() {
      admin.close();
      await hub.stopHub();
      await stage.signalbox(["stop", "--all", "--data", data]);
      leaks.push(...filesWith(secrets, place));
      if (secrets.some((secret) => serving.errors.includes(secret))) leaks.push("standard error");
      await stage[Symbol.asyncDispose]();
      if (leaks.length > 0) throw new Error(`secrets were found in ${leaks.join(", ")}`);
    },
  };
  return hub;
}
export type HubStage = Awaited<ReturnType<typeof openHubStage>>;

/** Settles when the hub has said where it is. */
async function serve(
  stage: Awaited<ReturnType<typeof openStage>>,
  data: string,
  port: number,
  flags: readonly string[],
) {
  // The command line is a driver: it starts sessions below the allowed folders alone.
  const here = ["--port", String(port), "--data", data, "--root", join(stage.folder, "..")];
  // In one process, which these tests kill; holder.test.ts has the hub under the one that holds its port.
  const child = stage.start(["serve", "--no-hold", ...here, ...flags]);
  const reader = child.stdout.getReader();
  const line = await readUntil(reader, "\n").catch(async (cause: unknown) => {
    child.kill("SIGKILL");
    const errors = await new Response(child.stderr).text();
    throw new Error(`the hub did not start: ${errors}`, { cause });
  });
  reader.releaseLock();
  const serving = { child, line: line.trim(), errors: "" };
  void new Response(child.stderr).text().then((text) => (serving.errors = text));
  return serving;
}

/** The hub starts its runner a little later. */
async function untilRunner(hub: ReturnType<typeof connect>): Promise<void> {
  using board = hub.watchBoard();
  const isOnline = () => board.view.runners.some(({ online }) => online);
  await untilChange("the hub's runner is online", board, isOnline);
}
