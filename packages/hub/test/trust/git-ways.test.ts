import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { RunTrust, scanFolder } from "@signalbox/runner/trust";
import { openStage } from "@signalbox/testing/agent-stage";
import { GitRepository, gitWays } from "./git-ways.ts";

setDefaultTimeout(180_000);

const isWhole = process.env["SIGNALBOX_TEST_TRUST"] === "whole";
const ways = gitWays.map((way) => [way.name, way] as const);

test.each(ways)(
  "[TS6] what Git would run is in the question, however it is written: %s",
  async (_, way) => {
    await using stage = await openStage();
    const repository = new GitRepository(dirname(stage.folder));
    expect(scanFolder(repository.folder).findings).toEqual([]);
    const folder = way.plant(repository);
    rmSync(repository.canary, { force: true });
    const { findings } = scanFolder(folder);
    expect(findings.map(({ text }) => text).join("\n")).toContain(way.names);
    expect(existsSync(repository.canary)).toBe(false);
    repository.askForState(folder);
    expect(existsSync(repository.canary)).toBe(true); // it is an attack
  },
);

/** 2.1.7 asks Git at its start; 2.1.325 does so with settings of its own. */
test.each(isWhole ? ways : ways.slice(0, 1))(
  "[TS1] Claude Code 2.1.7 starts without running it: %s",
  async (_, way) => {
    await using stage = await openStage();
    const repository = new GitRepository(dirname(stage.folder));
    const folder = way.plant(repository);
    rmSync(repository.canary, { force: true });
    const { inheritFrom, environment } = stage;
    const trust = new RunTrust({ getTrustedIds: () => [], onChange: () => {} });
    const launch = trust.review({ folder, inheritFrom, environment }, folder);
    expect(trust.facts?.state).toBe("off");
    const talk = await stage.start("2.1.7", launch, { onAsk: () => ({ behavior: "allow" }) });
    const command = "git status --short; git log --oneline -n 5; true";
    await talk.turn(`::tool Bash ${JSON.stringify({ command, description: "x" })}\n::say done`);
    expect(existsSync(repository.canary)).toBe(false);
  },
);
