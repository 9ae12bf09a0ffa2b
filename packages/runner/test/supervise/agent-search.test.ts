import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { AgentSearch } from "../../src/supervise/agent-search.ts";
import { openRunner } from "./runner-stage.ts";

const facts = { path: "/a", version: "2.1.7", versionClass: "tested" } as const;

test("[LK39] a hundred searches for the same program start it once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-search-"));
  const program = join(folder, "claude");
  writeFileSync(
    program,
    `#!/bin/sh\necho started >> "${folder}/starts"\necho "2.1.7 (Claude Code)"\n`,
    { mode: 0o755 },
  );
  await using stage = await openRunner();
  const found = await Promise.all(
    Array.from({ length: 100 }, () => stage.hub.order({ kind: "find-agent", path: program })),
  );
  expect(new Set(found.map((each) => JSON.stringify(each.result))).size).toBe(1);
  expect(found[0]).toMatchObject({ result: { path: program, version: "2.1.7" } });
  expect(readFileSync(join(folder, "starts"), "utf8")).toBe("started\n");
  rmSync(folder, { recursive: true });
});

test.if(bubblewrapMissing === undefined)(
  "[LK39] a program that is asked for its version is isolated as an agent is",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-search-"));
    await using stage = await openRunner();
    const secret = join(stage.dataFolder, "secret");
    writeFileSync(secret, "a key");
    const program = join(folder, "claude");
    const script = `cat "${secret}" > "${folder}/read"\necho "2.1.7 (Claude Code)"\n`;
    writeFileSync(program, `#!/bin/sh\n${script}`, { mode: 0o755 });
    const found = await stage.hub.order({ kind: "find-agent", path: program });
    expect(found).toMatchObject({ result: { version: "2.1.7" } });
    expect(readFileSync(join(folder, "read"), "utf8")).toBe("");
    rmSync(folder, { recursive: true });
  },
);

test("[LK39] of different programs four are asked at a time, and a failure holds none of them up", async () => {
  const waiting: ((failure?: Error) => void)[] = [];
  const look = () =>
    new Promise<typeof facts>((resolve, reject) => {
      waiting.push((failure) => (failure ? reject(failure) : resolve(facts)));
    });
  const search = new AgentSearch({}, undefined, look);
  const all = Array.from({ length: 6 }, (_, nth) =>
    search.find(`/program-${nth}`).catch((failure: Error) => failure),
  );
  expect(waiting.length).toBe(4);
  waiting[0]?.(new Error("it failed"));
  expect(await all[0]).toBeInstanceOf(Error);
  expect(waiting.length).toBe(5);
  for (let nth = 1; nth < 6; nth++) {
    waiting[nth]?.();
    await all[nth];
  }
  expect(waiting.length).toBe(6);
});

test("[LK39] an answer counts for five seconds, because another version may be installed", async () => {
  let now = 0;
  let starts = 0;
  const search = new AgentSearch(
    {},
    undefined,
    async () => ((starts += 1), facts),
    () => now,
  );
  await search.find(undefined);
  now = 4999;
  await search.find(undefined);
  expect(starts).toBe(1);
  now = 5000;
  await search.find(undefined);
  expect(starts).toBe(2);
});
