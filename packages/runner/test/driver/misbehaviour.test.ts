import { describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stray } from "@signalbox/protocol";
import { endOf, type Host } from "@signalbox/runner";
import { markedProcesses } from "../../src/drivers/stdio/family.ts";
import { hostFake, startFake, tempFolder } from "./fake.ts";

const reasonOf = async (start: Promise<unknown>) => {
  try {
    await start;
  } catch (failure) {
    return endOf(failure);
  }
  throw new Error("it started");
};

async function kinds(host: Host): Promise<string[]> {
  const seen: string[] = [];
  for await (const batch of host.lines) {
    for (const line of batch) {
      seen.push(`${line.kind}/${host.roleOf(line)}`);
      if (line.kind === "known" && line.message.type === "result") return seen;
    }
  }
  return seen;
}

/** Everything the test started is gone: processes carry the test's own marker. */
async function leavesNothing(act: (environment: { TEST_MARKER: string }) => Promise<void>) {
  const marker = crypto.randomUUID();
  await act({ TEST_MARKER: marker });
  expect(markedProcesses(`TEST_MARKER=${marker}`)).toEqual([]);
}

describe("an agent that cannot be started", () => {
  test("a missing folder is named, before the program is looked for", async () => {
    const folder = join(tmpdir(), "no", "such", "folder");
    const end = await reasonOf(startFake("echo", {}, { folder, agentPath: "/no/such/program" }));
    expect(end).toMatchObject({ kind: "folder-unusable", folder, why: "it does not exist" });
    expect(end?.sentence).toContain(folder);
  });

  test("a folder that is a file is named", async () => {
    const end = await reasonOf(startFake("echo", {}, { folder: import.meta.path }));
    expect(end).toMatchObject({ kind: "folder-unusable", why: "it is not a folder" });
  });

  test("a program that is not there: not-found, with where it was looked for", async () => {
    const end = await reasonOf(startFake("echo", {}, { agentPath: "/no/such/program" }));
    expect(end).toMatchObject({ kind: "not-found", looked: ["/no/such/program"] });
  });

  test("a program that is not Claude Code is named, with what it printed", async () => {
    using folder = tempFolder();
    const path = join(folder.path, "claude");
    writeFileSync(path, "#!/bin/sh\necho 'GNU coreutils 9.1'\n");
    chmodSync(path, 0o755);
    const end = await reasonOf(startFake("echo", {}, { agentPath: path }));
    expect(end).toMatchObject({ kind: "not-claude-code", path });
    expect(end?.sentence).toContain("GNU coreutils 9.1");
  });

  test("a file that may not be executed, and a folder, are not programs", async () => {
    using folder = tempFolder();
    const path = join(folder.path, "claude");
    writeFileSync(path, "not executable");
    expect(await reasonOf(startFake("echo", {}, { agentPath: path }))).toMatchObject({
      kind: "not-claude-code",
      why: "it may not be executed",
    });
    expect(await reasonOf(startFake("echo", {}, { agentPath: folder.path }))).toMatchObject({
      kind: "not-claude-code",
      why: "it is a folder",
    });
  });

  test("a version that is too old is refused, unless the launch insists", async () => {
    using folder = tempFolder();
    const path = join(folder.path, "claude");
    writeFileSync(
      path,
      "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '1.0.2 (Claude Code)'; fi\n",
    );
    chmodSync(path, 0o755);
    const end = await reasonOf(startFake("echo", {}, { agentPath: path }));
    expect(end).toMatchObject({ kind: "unsupported", version: "1.0.2" });
    await using run = await startFake("echo", {}, { agentPath: path, allowUnsupported: true });
    expect(run.agent.versionClass).toBe("unsupported");
  });

  test("nonsense in the launch is named", async () => {
    const wrong = (more: object) => reasonOf(startFake("echo", {}, more));
    expect(await wrong({ maxTurns: -1 })).toMatchObject({ kind: "bad-launch", field: "maxTurns" });
    expect(await wrong({ sessionId: "me" })).toMatchObject({
      kind: "bad-launch",
      field: "sessionId",
    });
    expect(await wrong({ model: "a\0b" })).toMatchObject({ kind: "bad-launch", field: "--model" });
    expect(await wrong({ systemPrompt: "x".repeat(200_000) })).toMatchObject({
      kind: "bad-launch",
      field: "--system-prompt",
    });
  });
});

describe("an agent that misbehaves", () => {
  test("one that dies at once: crashed, with its code and its last words", async () => {
    await leavesNothing(async (environment) => {
      const end = await reasonOf(hostFake("dies at once", {}, { environment }));
      expect(end).toMatchObject({ kind: "crashed", code: 7 });
      expect(end?.stderr).toContain("flux capacitor");
    });
  });

  test("one that leaves at once with 0: clean, and still no host", async () => {
    expect(await reasonOf(hostFake("leaves cleanly"))).toMatchObject({ kind: "clean" });
  });

  test("one that leaves soon after a resume: resume-failed, with the id", async () => {
    const resume = { id: "11111111-2222-4333-8444-555555555555" };
    const end = await reasonOf(hostFake("leaves cleanly", {}, { resume }));
    expect(end).toMatchObject({ kind: "resume-failed", id: resume.id });
  });

  test("one that rejects an option: named", async () => {
    const end = await reasonOf(hostFake("rejects an option"));
    expect(end).toMatchObject({ kind: "option-rejected", option: "--effort" });
    expect(end?.sentence).toContain("--effort");
  });

  test.each(["never answers", "only garbage"])(
    "one that %s: unresponsive, and it is stopped",
    async (how) => {
      await leavesNothing(async (environment) => {
        const end = await reasonOf(hostFake(how, { initializeTimeoutMs: 300 }, { environment }));
        expect(end).toMatchObject({ kind: "unresponsive", to: "initialize" });
      });
    },
  );

  test("one that answers twice: the first answer counts, the second is reported", async () => {
    const strays: Stray[] = [];
    await using host = await hostFake("answers twice", { onStray: (stray) => strays.push(stray) });
    expect(host.initialized.commands).toEqual([]);
    expect(await kinds(host)).toEqual(["known/answer", "known/stray", "known/message"]);
    expect(strays).toMatchObject([{ kind: "second-answer", subtype: "initialize" }]);
  });

  test("one that prints garbage: every line is kept as what it is, and the conversation goes on", async () => {
    await using host = await hostFake("prints garbage");
    expect(await kinds(host)).toEqual([
      "noise/message",
      "noise/message",
      "noise/message",
      "known/answer",
      "drifted/message",
      "unknown/message",
      "known/message",
    ]);
  });

  test("one that sends JSON a megabyte deep: noise that says so, and the conversation goes on", async () => {
    await using host = await hostFake("deep JSON");
    const first = await host.lines[Symbol.asyncIterator]().next();
    expect((first.value ?? [])[0]).toMatchObject({
      kind: "noise",
      why: "nested deeper than 512",
    });
  });

  test("one that floods stderr: drained, and the last 64 KiB stay with the end", async () => {
    await using run = await startFake("floods stderr");
    const end = await run.closed;
    expect(end).toMatchObject({ kind: "crashed", code: 3 });
    expect(Buffer.byteLength(end.stderr)).toBe(64 * 1024);
    expect(end.stderr).toEndWith("the last words\n");
  });

  test("one that ignores TERM is killed", async () => {
    await leavesNothing(async (environment) => {
      const run = await startFake("ignores TERM", { graceMs: 100 }, { environment });
      await run.incoming[Symbol.asyncIterator]().next();
      await run.close();
      expect(await run.closed).toMatchObject({ kind: "stopped", how: "SIGKILL" });
    });
  });

  test("one whose children went into sessions of their own: they are ended too, and reading ends", async () => {
    await leavesNothing(async (environment) => {
      const run = await startFake("daemonizes", {}, { environment });
      const read = Array.fromAsync(run.incoming);
      while (markedProcesses(`TEST_MARKER=${environment.TEST_MARKER}`).length < 3)
        await Bun.sleep(10);
      await run.close();
      expect(await run.closed).toMatchObject({ kind: "stopped" });
      expect((await read).flat()).toHaveLength(1);
    });
  });

  test("one that is killed while nobody reads: closed settles all the same", async () => {
    const run = await startFake("never answers");
    process.kill(run.pid ?? 0, "SIGKILL");
    expect(await run.closed).toMatchObject({ kind: "crashed", signal: "SIGKILL" });
  });
});
