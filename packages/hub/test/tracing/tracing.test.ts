import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AskView } from "@signalbox/api";
import { type ReceivedSpan, startOtlpReceiver } from "@signalbox/testing/otlp-receiver";
import { until } from "@signalbox/testing/until";
import { openWholeWith, settle } from "@signalbox/testing/whole-hub";
import { openTracing, readTracingOptions } from "../../src/tracing/tracing.ts";

setDefaultTimeout(180_000);

const SECRET = `sk-${"a1B2".repeat(8)}`;

/** A turn with a permission and a subagent, and a secret that no trace may show. */
const prompt = {
  text: [
    "::think Let me see.",
    `::say Looking for ${SECRET}.`,
    '::tool Bash {"command":"env > env.txt"}',
    '::tool Agent {"description":"look","subagent_type":"general-purpose","prompt":"::say Nothing."}',
    "::say done",
  ].join("\n"),
};

/** The names below each span, sorted, each once. */
function listChildren(spans: readonly ReceivedSpan[], parent: ReceivedSpan): string[] {
  const names = spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
  return [...new Set(names.map(({ name }) => name))].toSorted();
}

const byStart = (a: ReceivedSpan, b: ReceivedSpan) =>
  Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano));

describe("tracing", () => {
  test("[TC1] [TC2] [TC3] a turn with a permission and a subagent is the specified tree of spans, in the trace that the agent is told", async () => {
    await using receiver = startOtlpReceiver();
    const tracing = { endpoint: receiver.url, withPayloads: true };
    const environments: string[] = [];
    {
      await using whole = await openWholeWith({ tracing });
      const { hub, folder } = whole;
      const { admin, driver } = await settle(whole);
      // With the agent's own rules the agent asks; supervised, its hook does.
      for (const policy of ["default", "supervised"]) {
        const session = randomUUID();
        const options = { folder, prompt, policy };
        expect((await driver("POST", "/api/sessions", options, session)).status).toBe(201);
        const isOver = () => hub.engine.sessions.get(session).summary.turns > 0;
        await until("the turn is over", async () => {
          const open = (await admin("GET", "/api/asks")).body as AskView[];
          for (const { id, hash } of open) {
            const answer = { hash, decision: { behavior: "allow" } };
            await admin("POST", `/api/asks/${id}/answer`, answer);
          }
          return open.length === 0 && isOver();
        });
        environments.push(readFileSync(join(folder, "env.txt"), "utf8"));
        await driver("POST", `/api/sessions/${session}/stop`);
      }
      await hub.stop(); // sends what waits
    }
    const { spans } = receiver;
    const named = (name: string) => spans.filter((span) => span.name === name);
    const runs = named("signalbox.run").toSorted(byStart);
    // A background subagent gives the agent a turn of its own: the first one is the person's.
    const turns = runs.map((run) => {
      const below = spans.filter(({ parentSpanId }) => parentSpanId === run.spanId);
      return below.filter(({ name }) => name === "streamjson.prompt").toSorted(byStart)[0];
    });
    const byAgent = [
      "streamjson.control.control_request.can_use_tool",
      "streamjson.control.permission_response",
    ];
    const byHook = [
      "streamjson.control.control_request.hook_callback",
      "streamjson.control.hook_response.pre_tool_use",
      "streamjson.control.hook_response.stop",
    ];
    const always = [
      "streamjson.complete",
      "streamjson.context_window",
      "streamjson.message_chunk",
      "streamjson.reasoning",
      "streamjson.system",
      "streamjson.tool_call",
      "streamjson.tool_update",
    ];
    const trees = turns.map((turn) => turn && listChildren(spans, turn));
    expect(trees[0]).toEqual([...always, ...byAgent].toSorted());
    expect(trees[1]).toEqual([...always, ...byHook].toSorted());
    for (const [at, run] of runs.entries()) {
      // The agent's commands, and so the agent, know the trace.
      expect(environments[at]).toContain(`TRACEPARENT=00-${run.traceId}-${run.spanId}-01`);
    }
    const [path] = named("signalbox.path");
    if (!path) throw new Error("no span shows the way of the lines");
    expect(listChildren(spans, path)).toEqual([
      "signalbox.commit",
      "signalbox.driver_read",
      "signalbox.link",
      "signalbox.publish",
    ]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    const events = spans.flatMap(({ events: list = [] }) => list.map(({ name }) => name));
    expect(events).toContain("raw");
    expect(events).toContain("normalized");
    expect(JSON.stringify(spans)).not.toContain(SECRET);
    expect(JSON.stringify(spans)).toContain("[hidden]");
  });

  test("[TC4] without an endpoint nothing of OpenTelemetry is loaded, and no span is made", async () => {
    expect(readTracingOptions({})).toBeUndefined();
    expect(readTracingOptions({ OTEL_EXPORTER_OTLP_ENDPOINT: " " })).toBeUndefined();
    const off = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", OTEL_SDK_DISABLED: "true" };
    expect(readTracingOptions(off)).toBeUndefined();
    expect(await openTracing(undefined, "1.0.0")).toBeUndefined();
    const program = `
      const { startHub } = await import("@signalbox/hub");
      const loaded = Object.keys(require.cache);
      const tracing = loaded.filter((path) => path.includes("opentelemetry"));
      console.log(typeof startHub, loaded.length > 100, tracing.length);
    `;
    const child = Bun.spawnSync([process.execPath, "-e", program], { cwd: import.meta.dir });
    expect(child.stdout.toString()).toBe("function true 0\n");
  });

  test("[TC5] a receiver that hangs costs the export alone: the end of tracing does not wait for it", async () => {
    await using receiver = startOtlpReceiver({ hangs: true });
    const options = { endpoint: receiver.url, withPayloads: false };
    const tracing = await openTracing(options, "1.0.0");
    if (!tracing) throw new Error("tracing is off");
    const now = Date.now();
    const run = randomUUID();
    const observer = tracing.observe(randomUUID());
    const times = { run, lines: 1, firstReadAt: now, lastReadAt: now, receivedAt: now };
    for (let batch = 0; batch < 2000; batch++) {
      observer.onBatch({ ...times, commitStartedAt: now, committedAt: now, publishedAt: now });
    }
    await tracing[Symbol.asyncDispose]();
    expect(receiver.countRequests()).toBeGreaterThan(0);
  });
});
