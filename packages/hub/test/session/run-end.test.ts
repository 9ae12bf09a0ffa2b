import { killAll } from "@signalbox/testing/kill-all";
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Item } from "@signalbox/timeline";
import { findAgent } from "@signalbox/host/agents";
import { testedAgent } from "@signalbox/testing/tested-agent";
import { person, EngineStage } from "@signalbox/testing/engine-stage";

setDefaultTimeout(180_000);

const ownAgent = join(import.meta.dir, "../../../reference-agent/bin/signalbox-agent.mjs");

/** The agent behind a program that leaves with an exit code of its own, whatever the agent's was. */
async function useAgentThatExitsWith(
  stage: EngineStage,
  code: number,
  agentPath: string,
): Promise<void> {
  const { command, args } = findAgent(agentPath, { PATH: process.env["PATH"] });
  const real = [command, ...args].map((word) => `'${word}'`).join(" ");
  const path = join(stage.place, "wrapper");
  const text = `#!/bin/sh\ncase " $* " in *" --version "*) exec ${real} "$@";; esac\ntrap 'exit ${code}' TERM\n${real} "$@"\nexit ${code}\n`;
  writeFileSync(path, text, { mode: 0o755 });
  const rest = { driver: "stdio", models: [], flags: [], environment: "test" };
  await stage.engine.settings.setAgents([{ name: "wrapped", path, ...rest }], person);
}

const readReported = (items: readonly Item[]) =>
  items.findLast(({ kind }) => kind === "turn-end" || kind === "notice");

test.each([
  ["stdio", testedAgent],
  ["sdk", testedAgent],
  ["sdk-url", ownAgent], // The old Claude Code that connects takes ten times as long.
])(
  "[HB81] on %s the end of a run has the exit code or the signal, in the session and in the conversation",
  async (driver, agentPath) => {
    await using stage = await EngineStage.open();
    await useAgentThatExitsWith(stage, 7, agentPath);
    const { id } = await stage.create({
      driver,
      agent: "wrapped",
      prompt: { text: "::say hello" },
    });
    await stage.turns(id, 1);
    expect(stage.engine.sessions.get(id).runEnd).toBeUndefined();

    await stage.engine.sessions.stop(id, person);
    await stage.until(() => stage.engine.sessions.get(id).state === "stopped");
    const exited = { exitCode: 7, signal: null };
    expect(stage.engine.sessions.get(id).runEnd).toEqual({ status: "ended", ...exited });
    expect(readReported(await stage.items(id))).toMatchObject({
      kind: "notice",
      details: { exitCode: 7 },
    });

    await stage.send(id, '::say before\n::tool Bash {"command":"touch never"}');
    await stage.ask(id); // It is in the middle of a turn.
    expect(stage.engine.sessions.get(id).runEnd).toBeUndefined();
    killAll(stage.agents());
    await stage.until(() => stage.engine.sessions.get(id).state === "crashed");
    const killed = { exitCode: null, signal: "SIGKILL" };
    expect(stage.engine.sessions.get(id).runEnd).toEqual({ status: "crashed", ...killed });
    const last = readReported(await stage.items(id));
    expect(last).toMatchObject({ kind: "turn-end", status: "crashed", signal: "SIGKILL" });
  },
);
