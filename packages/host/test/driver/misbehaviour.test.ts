import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StrayLine } from "@signalbox/protocol/wire";
import type { Host } from "@signalbox/host";
import { toRunEnd } from "@signalbox/host/launch";
import { classifyExit } from "../../src/drivers/stdio/exit.ts";
import { markedProcesses } from "../../src/drivers/stdio/process-tree.ts";
import { findAgent } from "../../src/drivers/stdio/find-agent.ts";
import { readVersion } from "../../src/drivers/stdio/version.ts";
import { hostFake, startFake, tempFolder } from "@signalbox/testing/fake-agent";
import { until } from "@signalbox/testing/until";

const getReason = async (start: Promise<unknown>) => {
  try {
    await start;
  } catch (failure) {
    return toRunEnd(failure);
  }
  throw new Error("it started");
};

async function kinds(host: Host): Promise<string[]> {
  const seen: string[] = [];
  for await (const batch of host.lines) {
    for (const line of batch) {
      seen.push(`${line.kind}/${host.getLineRole(line)}`);
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

/** Children that have ended and that nobody has asked how. */
function listZombies(parent: number): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [state, ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state === "Z" && Number(ppid) === parent;
    } catch {
      return false; // gone meanwhile
    }
  });
}

describe("an agent that cannot be started", () => {
  test("a missing folder is named before the program is searched for", async () => {
    const folder = join(tmpdir(), "no", "such", "folder");
    const end = await getReason(startFake("echo", {}, { folder, agentPath: "/no/such/program" }));
    expect(end).toMatchObject({ kind: "folder-unusable", folder, why: "it does not exist" });
    expect(end?.sentence).toContain(folder);
  });

  test("a folder that is a file is named", async () => {
    const end = await getReason(startFake("echo", {}, { folder: import.meta.path }));
    expect(end).toMatchObject({ kind: "folder-unusable", why: "it is not a folder" });
  });

  test("a missing program is reported as not-found, with the places that were searched", async () => {
    const end = await getReason(startFake("echo", {}, { agentPath: "/no/such/program" }));
    expect(end).toMatchObject({ kind: "not-found", looked: ["/no/such/program"] });
  });

  test("a program that is not Claude Code is named, with what it printed", async () => {
    using folder = tempFolder();
    const path = join(folder.path, "claude");
    writeFileSync(path, "#!/bin/sh\necho 'GNU coreutils 9.1'\n");
    chmodSync(path, 0o755);
    const end = await getReason(startFake("echo", {}, { agentPath: path }));
    expect(end).toMatchObject({ kind: "not-claude-code", path });
    expect(end?.sentence).toContain("GNU coreutils 9.1");
  });

  test("a file that may not be executed, and a folder, are not programs", async () => {
    using folder = tempFolder();
    const path = join(folder.path, "claude");
    writeFileSync(path, "not executable");
    expect(await getReason(startFake("echo", {}, { agentPath: path }))).toMatchObject({
      kind: "not-claude-code",
      why: "it may not be executed",
    });
    expect(await getReason(startFake("echo", {}, { agentPath: folder.path }))).toMatchObject({
      kind: "not-claude-code",
      why: "it is a folder",
    });
  });

  test("a version that is too old is refused unless the launch allows it", async () => {
    using folder = tempFolder();
    const path = join(folder.path, "claude");
    writeFileSync(
      path,
      "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '1.0.2 (Claude Code)'; fi\n",
    );
    chmodSync(path, 0o755);
    const end = await getReason(startFake("echo", {}, { agentPath: path }));
    expect(end).toMatchObject({ kind: "unsupported", version: "1.0.2" });
    await using run = await startFake("echo", {}, { agentPath: path, allowUnsupported: true });
    expect(run.agent.versionClass).toBe("unsupported");
  });

  test("a program that hangs on --version is ended with all processes that it started", async () => {
    using folder = tempFolder();
    const path = join(folder.path, "claude");
    writeFileSync(path, "#!/bin/sh\nsleep 1000 & sleep 1000\n");
    chmodSync(path, 0o755);
    await leavesNothing(async (environment) => {
      const env = { ...environment, SIGNALBOX_RUN: "version", PATH: process.env["PATH"] ?? "" };
      const found = findAgent(path, env);
      const end = await getReason(readVersion(found, env, "version", 200));
      expect(end).toMatchObject({ kind: "not-claude-code", path });
      expect(end?.sentence).toContain("did not answer");
    });
  });

  test("an entry of PATH that cannot be read is skipped", () => {
    using folder = tempFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    expect(findAgent(undefined, { PATH: file }).via).toBe("bundled");
  });

  test("a relative path means the program that was found, not one of that name in the working folder", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "bin"));
    writeFileSync(join(folder.path, "bin/claude"), "#!/bin/sh\necho '2.1.325 (Claude Code)'\n");
    chmodSync(join(folder.path, "bin/claude"), 0o755);
    const path = `bin:${process.env["PATH"]}`;
    expect(findAgent(undefined, { PATH: path }).path).not.toBe("bin/claude");
    const end = await getReason(
      startFake("echo", {}, { folder: folder.path, agentPath: "bin/claude" }),
    );
    expect(end).toMatchObject({ kind: "not-found", looked: [join(process.cwd(), "bin/claude")] });
  });

  test("an invalid field of the launch is named", async () => {
    const wrong = (more: object) => getReason(startFake("echo", {}, more));
    expect(await wrong({ maxTurns: -1 })).toMatchObject({ kind: "bad-launch", field: "maxTurns" });
    expect(await wrong({ sessionId: "me" })).toMatchObject({
      kind: "bad-launch",
      field: "sessionId",
    });
    expect(await wrong({ environment: { X: "a\0b" } })).toMatchObject({ field: "environment.X" });
    expect(await wrong({ model: "a\0b" })).toMatchObject({ kind: "bad-launch", field: "--model" });
    expect(await wrong({ systemPrompt: "x".repeat(200_000) })).toMatchObject({
      kind: "bad-launch",
      field: "--system-prompt",
    });
  });
});

describe("an agent that misbehaves", () => {
  test("one that exits at once has crashed, with its code and the end of its stderr", async () => {
    await leavesNothing(async (environment) => {
      const end = await getReason(hostFake("dies at once", {}, { environment }));
      expect(end).toMatchObject({ kind: "crashed", code: 7 });
      expect(end?.stderr).toContain("flux capacitor");
    });
  });

  test("one that exits at once with code 0 is reported as such, and there is no host", async () => {
    expect(await getReason(hostFake("leaves cleanly"))).toMatchObject({
      kind: "left-at-once",
      sentence: expect.stringContaining("left before it was ready"),
    });
  });

  test("one that exits soon after a resume ends as resume-failed, with the id", async () => {
    const resume = { id: "11111111-2222-4333-8444-555555555555" };
    const end = await getReason(hostFake("leaves cleanly", {}, { resume }));
    expect(end).toMatchObject({ kind: "resume-failed", id: resume.id });
  });

  test("one that rejects an option ends with the name of the option", async () => {
    const end = await getReason(hostFake("rejects an option"));
    expect(end).toMatchObject({ kind: "option-rejected", option: "--effort" });
    expect(end?.sentence).toContain("--effort");
  });

  test.each(["never answers", "closes its input"])(
    "one that %s is unresponsive and is stopped",
    async (how) => {
      await leavesNothing(async (environment) => {
        const end = await getReason(hostFake(how, { initializeTimeoutMs: 300 }, { environment }));
        expect(end).toMatchObject({ kind: "unresponsive", to: "initialize" });
      });
    },
  );

  test("one that prints only garbage is reported with what it printed, without a long wait", async () => {
    await leavesNothing(async (environment) => {
      const end = await getReason(hostFake("only garbage", {}, { environment }));
      expect(end).toMatchObject({ kind: "not-claude-code" });
      expect(end?.sentence).toContain("lorem ipsum");
    });
  });

  test("the first answer of one that answers twice counts, and the second is reported", async () => {
    const strays: StrayLine[] = [];
    await using host = await hostFake("answers twice", { onStray: (stray) => strays.push(stray) });
    expect(host.initialized.commands).toEqual([]);
    expect(await kinds(host)).toEqual(["known/answer", "known/stray", "known/message"]);
    expect(strays).toMatchObject([{ kind: "second-answer", subtype: "initialize" }]);
  });

  test("one that prints garbage: every line is kept unchanged, and the conversation continues", async () => {
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

  test("one that sends JSON a megabyte deep: the line is noise with that reason, and the conversation continues", async () => {
    await using host = await hostFake("deep JSON");
    const first = await host.lines[Symbol.asyncIterator]().next();
    expect((first.value ?? [])[0]).toMatchObject({
      kind: "noise",
      why: "nested deeper than 512",
    });
  });

  test("one that floods stderr is drained, and the last 64 KiB are part of its end", async () => {
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

  test("one whose children went into sessions of their own ends with them, and reading ends", async () => {
    await leavesNothing(async (environment) => {
      const run = await startFake("daemonizes", {}, { environment });
      const read = Array.fromAsync(run.incoming);
      const marked = () => markedProcesses(`TEST_MARKER=${environment.TEST_MARKER}`);
      await until("the agent and its two children run", () => marked().length >= 3, {
        seen: marked,
      });
      await run.close();
      expect(await run.closed).toMatchObject({ kind: "stopped" });
      expect((await read).flat()).toHaveLength(1);
      expect(listZombies(process.pid)).toEqual([]);
    });
  });

  test("one that is killed while nobody reads settles closed nevertheless", async () => {
    const run = await startFake("never answers");
    process.kill(run.pid ?? 0, "SIGKILL");
    expect(await run.closed).toMatchObject({ kind: "crashed", signal: "SIGKILL" });
  });

  test("one that closes its output and stays is stopped", async () => {
    await leavesNothing(async (environment) => {
      const end = await getReason(hostFake("closes its output", {}, { environment }));
      expect(end).toMatchObject({ kind: "stopped" });
    });
  });

  test("one whose MCP server cannot be connected is not left running", async () => {
    await leavesNothing(async (environment) => {
      const broken = { connect: () => Promise.reject(new Error("no such server")) };
      const start = hostFake("never answers", { mcpServers: { broken } }, { environment });
      expect(String(await start.catch((failure: unknown) => failure))).toContain("no such server");
    });
  });

  test("one that does not accept Signalbox's hooks is stopped", async () => {
    expect(await getReason(hostFake("ignores hooks", { policy: "supervised" }))).toMatchObject({
      kind: "hooks-refused",
    });
  });

  test("one that exits while nobody reads its lines settles every pending request", async () => {
    await using host = await hostFake("answers once");
    const asked = host.request("get_settings").catch((failure: unknown) => failure);
    process.kill(host.run.pid ?? 0, "SIGKILL");
    expect(toRunEnd(await asked)).toMatchObject({ kind: "crashed", signal: "SIGKILL" });
  });

  test("a consumer that leaves and comes back misses nothing", async () => {
    await using host = await hostFake("prints garbage");
    const seen: string[] = [];
    while (seen.length < 7) {
      for await (const batch of host.lines) {
        seen.push(...batch.map((line) => line.raw));
        break;
      }
    }
    expect(new Set(seen).size).toBe(7);
  });
});

describe("the meaning of an exit", () => {
  const result = (said: string) =>
    JSON.stringify({ type: "result", subtype: "success", is_error: true, result: said });
  const exit = {
    code: 1,
    signal: null,
    stopReason: undefined,
    lifetimeMs: 60_000,
    launch: { folder: "/" },
    lastLines: [],
    stderr: "",
  };
  const resume = { folder: "/", resume: { id: "abc" } };

  test("an old agent that is killed crashed, whatever it once printed", () => {
    const stderr = "Error: tool failed: --foo is not known\n";
    const killed = { ...exit, code: null, signal: "SIGKILL", stderr, lastLines: [result("x")] };
    expect(classifyExit(killed).kind).toBe("crashed");
    expect(classifyExit({ ...killed, stopReason: "SIGKILL" }).kind).toBe("stopped");
  });

  test("only a resumed run can have failed to resume, and not one that has worked", () => {
    const stderr = "No conversation found with session ID: abc\n";
    expect(classifyExit({ ...exit, stderr }).kind).toBe("crashed");
    expect(classifyExit({ ...exit, stderr, launch: resume })).toMatchObject({
      kind: "resume-failed",
      id: "abc",
    });
    const { sentence } = classifyExit({ ...exit, stderr, launch: { folder: "/", continue: true } });
    expect(sentence).toContain("The conversation of this folder could not");
    const worked = JSON.stringify({ type: "result", subtype: "success", result: "done" });
    const early = { ...exit, lifetimeMs: 4000, launch: resume };
    expect(classifyExit(early).kind).toBe("resume-failed");
    expect(classifyExit({ ...early, lastLines: [worked] }).kind).toBe("crashed");
    // Its conversation is as good as before.
    expect(classifyExit({ ...early, code: null, signal: "SIGKILL" }).kind).toBe("crashed");
  });

  test("a missing login is found in the last turn, also if the agent was stopped", () => {
    const lastLines = [result("Not logged in · Please run /login")];
    expect(classifyExit({ ...exit, stopReason: "SIGTERM", lastLines }).kind).toBe("not-logged-in");
    expect(classifyExit({ ...exit, lastLines: [result("cannot read src/login.ts")] }).kind).toBe(
      "crashed",
    );
  });

  test("a rejected option is named: unknown, with a bad value, or refused by the program's own check", () => {
    const option = (stderr: string) => classifyExit({ ...exit, stderr });
    expect(option("error: unknown option '--nope'")).toMatchObject({ option: "--nope" });
    expect(
      option(
        "error: option '--permission-mode <mode>' argument 'x' is invalid. Allowed choices are…",
      ),
    ).toMatchObject({ kind: "option-rejected", option: "--permission-mode" });
    expect(option("Error: --session-id cannot be used with --resume")).toMatchObject({
      option: "--session-id",
    });
  });
});
