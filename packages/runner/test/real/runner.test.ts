import { killAll } from "@signalbox/testing/kill-all";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { lineText, parseObject } from "@signalbox/protocol";
import type { OrderOfKind } from "@signalbox/api/link";
import type { LaunchOptions } from "@signalbox/api";
import type { FakeHub } from "../link/fake-hub.ts";
import { openProcesses } from "../supervise/processes.ts";
import { agents, openStage, type Stage } from "@signalbox/testing/agent-stage";
import { until } from "@signalbox/testing/until";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

setDefaultTimeout(180_000);

/** The real Claude Code with a scripted model, under a runner in a process of its own. */
async function openReal() {
  const stage = await openStage();
  const processes = openProcesses();
  const { hub } = processes;
  const begin = async () => processes.runner({ inheritFrom: stage.inheritFrom });
  const first = await begin();
  return {
    ...processes,
    stage,
    first,
    begin,
    start: (
      run: string,
      more: Partial<Omit<OrderOfKind<"start">, "launch">> & {
        launch?: Partial<LaunchOptions>;
      } = {},
    ) =>
      hub.order({
        kind: "start",
        session: "s",
        run,
        after: hub.lines("s").length,
        driver: "stdio",
        policy: "default",
        status: "new",
        ...more,
        launch: {
          folder: stage.folder,
          agentPath: agents["2.1.325"],
          environment: { ...stage.environment, ...processes.mark },
          ...more.launch,
        },
      }),
    prompt: (run: string, text: string) =>
      hub.order({
        kind: "prompt",
        session: "s",
        run,
        uuid: crypto.randomUUID(),
        text,
        images: [],
      }),
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

const messages = (hub: FakeHub) =>
  hub.texts("s", "agent").flatMap((line) => {
    const body = parseObject(lineText(line));
    return typeof body === "string" ? [] : [body];
  });
const results = (hub: FakeHub) => messages(hub).filter(({ type }) => type === "result");

/** The text as it grew, delta by delta. */
function streamed(hub: FakeHub): string {
  return messages(hub)
    .flatMap(({ type, event }) => (type === "stream_event" ? [event as StreamEvent] : []))
    .map(({ delta }) => (delta?.type === "text_delta" ? delta.text : ""))
    .join("");
}

/** What Claude Code itself has written about its conversations. */
function transcript({ home }: Stage): string {
  const files = globSync(".claude/projects/*/*.jsonl", { cwd: home });
  return files.map((file) => readFileSync(join(home, file), "utf8")).join("");
}

interface StreamEvent {
  readonly delta?: { readonly type: string; readonly text: string };
}

describe("a runner with the real Claude Code 2.1.325", () => {
  test("[LK15] [LK17] starts it, sends a prompt, passes on an ask and its answer, and stops it", async () => {
    await using real = await openReal();
    const { hub, stage } = real;
    expect(await real.start("r1")).not.toHaveProperty("problem");
    await real.prompt("r1", '::tool Bash {"command":"touch made.txt"}\n::say done');
    const asked = await hub.note("s", "ask_opened");
    expect(asked).toMatchObject({ kind: "permission", tool: "Bash" });
    expect(stage.has("made.txt")).toBe(false);
    await hub.order({
      kind: "decide",
      session: "s",
      run: "r1",
      requestId: asked.requestId,
      decision: { behavior: "allow" },
      by: "test",
      how: "answered",
    });
    await hub.until(() => results(hub).length === 1);
    expect(stage.has("made.txt")).toBe(true);
    expect(await hub.note("s", "ask_closed")).toMatchObject({ how: "answered", by: "test" });
    await hub.order({ kind: "stop", session: "s", run: "r1", park: true });
    expect(await hub.note("s", "run_ended")).toMatchObject({ status: "parked" });
    expect(real.agents()).toEqual([]);
  });

  test("[LK19] a run that leaves autonomous asks again", async () => {
    await using real = await openReal();
    const { hub, stage } = real;
    await real.start("r1", { policy: "autonomous" });
    await real.prompt("r1", '::tool Bash {"command":"touch one.txt"}\n::say done');
    await hub.until(() => results(hub).length === 1);
    expect(stage.has("one.txt")).toBe(true);
    await hub.order({ kind: "policy", session: "s", run: "r1", policy: "default" });
    await real.prompt("r1", '::tool Bash {"command":"touch two.txt"}\n::say done');
    await hub.note("s", "ask_opened");
    expect(stage.has("two.txt")).toBe(false);
  });

  test("[LK18] reports the end of an agent that is killed in the middle of a turn, and leaves no process", async () => {
    await using real = await openReal();
    const { hub } = real;
    await real.start("r1");
    await real.prompt("r1", "::flood 100000 200");
    await hub.until(() => streamed(hub).length > 100);
    killAll(real.agents());
    expect(await hub.note("s", "run_ended")).toMatchObject({ status: "crashed", kind: "crashed" });
    expect(real.agents()).toEqual([]);
  });

  test("[LK4] [LK5] delivers every line once and in order although the link breaks and the hub is away", async () => {
    await using real = await openReal();
    const { hub, stage } = real;
    await real.start("r1");
    await real.prompt("r1", "::flood 3000 1500");
    for (let n = 1; n <= 3; n++) {
      await hub.until(() => streamed(hub).length > n * 1000);
      hub.cut();
      await hub.connected();
    }
    await hub.away();
    // The turn ends without the hub: Claude Code writes the finished answer to its transcript.
    await until("the answer is in the transcript", () => transcript(stage).includes("w3000"));
    hub.back();
    await hub.until(() => results(hub).length === 1);
    const words = Array.from({ length: 3000 }, (_, index) => `w${index + 1}`);
    expect(streamed(hub).trim().split(/\s+/)).toEqual(words);
    expect(hub.gaps).toBe(0);
    expect(real.agents()).toHaveLength(1);
  });

  test("[LK23] is killed in the middle of a turn; the next runner ends the agent, and the conversation continues", async () => {
    await using real = await openReal();
    const { hub } = real;
    await real.start("r1");
    await real.prompt("r1", "::say remember this");
    await hub.until(() => results(hub).length === 1);
    const conversation = String(results(hub)[0]?.["session_id"]);
    await real.prompt("r1", "::flood 100000 200");
    await hub.until(() => streamed(hub).length > 100);
    real.first.child.kill("SIGKILL");
    await real.first.exited;
    await real.begin();
    expect(real.agents()).toEqual([]);
    const resumed = await real.start("r2", {
      status: "resumed",
      launch: { resume: { id: conversation } },
    });
    expect(resumed).not.toHaveProperty("problem");
    await real.prompt("r2", "::say here again");
    await hub.until(() => results(hub).length === 2);
    expect(results(hub)[1]).toMatchObject({ session_id: conversation, result: "here again" });
    expect(real.agents()).toHaveLength(1);
  });

  test("[LK15] fails to start a conversation that does not exist, with resume-failed", async () => {
    await using real = await openReal();
    const launch = { resume: { id: crypto.randomUUID() } };
    const done = await real.start("r1", { status: "resumed", launch });
    const ended = await real.hub.note("s", "run_ended");
    expect(ended).toMatchObject({ kind: "resume-failed", status: "crashed" });
    expect(done.problem?.code ?? "resume-failed").toBe("resume-failed");
  });
});
