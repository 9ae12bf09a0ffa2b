import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { Isolation } from "@signalbox/host/isolation";
import { type RunEnd, stdioDriver } from "@signalbox/host";
import { until } from "@signalbox/testing/until";
import { fakeLaunch } from "@signalbox/testing/fake-agent";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { sleeping } from "./sleeping.ts";

setDefaultTimeout(180_000);

const hasBubblewrap = bubblewrapMissing === undefined;
const isolated = [["isolated", "default"] as const].filter(() => hasBubblewrap);
const both = [...isolated, ["not isolated", "off"] as const];

async function start(how: string, profile: string, graceMs = 5000) {
  const driver = stdioDriver({ graceMs, isolation: new Isolation({ hide: [] }) });
  return driver.start(fakeLaunch(how, { isolation: profile }));
}

/** Reads to the end, so that the run's end is not kept waiting. */
async function ended(run: Awaited<ReturnType<typeof start>>): Promise<RunEnd> {
  for await (const _ of run.incoming);
  return run.closed;
}

describe("the end of a run", () => {
  test.each(both)(
    "[DR9] [F39] %s: a child that left its session, emptied its environment and lost its parent is gone with it",
    async (_, profile) => {
      const seconds = `${Math.floor(Math.random() * 1e6) + 1e6}`;
      const run = await start("obeys", profile);
      const over = ended(run);
      const command = `setsid env -i setsid sleep ${seconds} & exit 0`;
      const text = JSON.stringify({ spawn: ["sh", "-c", command] });
      await run.send(JSON.stringify({ type: "user", message: { role: "user", content: text } }));
      await until("the child runs", () => sleeping(seconds).length > 0);
      await run.close();
      expect((await over).kind).toBe("stopped");
      expect(sleeping(seconds)).toEqual([]);
    },
  );

  const isLinux = process.platform === "linux";
  test.if(isLinux)(
    "[DR9] [F32] not isolated: a child that threw off its tag, too, ends with the last run of its runner, and is reaped",
    async () => {
      const seconds = `${Math.floor(Math.random() * 1e6) + 1e6}`;
      const script = join(import.meta.dir, "adopting-process.ts");
      const child = Bun.spawn([process.execPath, script, seconds], { stderr: "inherit" });
      expect(await new Response(child.stdout).text()).toBe("all gone\n");
      expect(sleeping(seconds)).toEqual([]);
    },
  );

  test.if(isLinux)(
    "[DR9] [F32] what the runner's own programs leave behind, such as bubblewrap's helper, is reaped",
    async () => {
      const script = join(import.meta.dir, "leaving-programs.ts");
      const child = Bun.spawn([process.execPath, script], { stderr: "inherit" });
      expect(await new Response(child.stdout).text()).toBe("all gone\n");
    },
  );

  test.each(both)("[DR9] %s: its signal and its exit code are told as they were", async (_, p) => {
    const killed = await start("obeys", p);
    const text = JSON.stringify({ die: "SIGSEGV" });
    await killed.send(JSON.stringify({ type: "user", message: { role: "user", content: text } }));
    expect(await ended(killed)).toMatchObject({ kind: "crashed", code: null, signal: "SIGSEGV" });
    const left = await start("floods stderr", p);
    expect(await ended(left)).toMatchObject({ kind: "crashed", code: 3, signal: null });
  });

  test.each(both)(
    "[DR9] %s: it is asked to end before it is made to, and so are its children",
    async (_, profile) => {
      for (const [how, signal] of [
        ["ignores TERM", "SIGKILL"],
        ["ends at TERM alone", "SIGTERM"],
      ] as const) {
        const run = await start(how, profile, 100);
        for await (const _ of run.incoming) void run.close(); // it has said that it is up
        expect(await run.closed).toMatchObject({ kind: "stopped", how: signal });
        if (signal === "SIGTERM") expect(run.stderr).toContain("heard SIGTERM");
      }
    },
  );
});
