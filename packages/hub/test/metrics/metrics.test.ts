import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { until } from "@signalbox/testing/until";
import { openWhole, settle } from "@signalbox/testing/whole-hub";
import { combineObservers, Counters } from "../../src/metrics/counters.ts";
import { formatMetrics } from "../../src/metrics/format-metrics.ts";

setDefaultTimeout(180_000);

const noon = 1_800_000_000_000;

function format(counters: Counters) {
  return formatMetrics({
    now: noon,
    version: '1.0 "x"',
    counters,
    sessions: [],
    asks: [{ openedAt: noon - 4000 }, { openedAt: noon - 9000 }],
    clients: { connected: 3, slow: 1, sentCharacters: 10 },
    runners: [{ machine: "a\nb", online: true, runs: 2, load: { average: 0.5, cores: 2 } }],
  });
}

describe("metrics", () => {
  test("[MT2] are text in the format of Prometheus, with escaped labels", () => {
    const counters = new Counters();
    const observer = combineObservers(counters, undefined).observe("one");
    const times = { run: null, firstReadAt: 0, lastReadAt: 0, receivedAt: 0, publishedAt: 0 };
    observer.onBatch({ ...times, lines: 3, commitStartedAt: 0, committedAt: 20 });
    observer.onBatch({ ...times, lines: 2, commitStartedAt: 0, committedAt: 7000 });
    observer.onDropped(4);
    const text = format(counters);
    for (const line of text.trimEnd().split("\n"))
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) signalbox_\w+ .+|signalbox_\w+(?:\{.+\})? [\d.e+-]+)$/,
      );
    expect(text).toContain('signalbox_hub_info{version="1.0 \\"x\\""} 1\n');
    expect(text).toContain("signalbox_requests_open 2\n");
    expect(text).toContain("signalbox_request_oldest_seconds 9\n");
    expect(text).toContain("signalbox_lines_total 5\n");
    expect(text).toContain("signalbox_lines_dropped_total 4\n");
    expect(text).toContain('signalbox_commit_seconds_bucket{le="0.01"} 0\n');
    expect(text).toContain('signalbox_commit_seconds_bucket{le="0.025"} 1\n');
    expect(text).toContain('signalbox_commit_seconds_bucket{le="+Inf"} 2\n');
    expect(text).toContain('signalbox_machine_agents{machine="a\\nb"} 2\n');
  });

  test("[MT1] [MT3] a program's token reads those of a real session at /metrics, and nobody else does", async () => {
    await using whole = await openWhole();
    const { hub, folder } = whole;
    const { admin, driver } = await settle(whole);
    const token = await admin("POST", "/api/tokens", {
      name: "prometheus",
      role: "viewer",
      days: 1,
    });
    const authorization = `Bearer ${(token.body as { token: string }).token}`;
    const read = async () =>
      (await fetch(`${hub.url}/metrics`, { headers: { authorization } })).text();
    const session = randomUUID();
    const prompt = { text: '::tool Bash {"command":"touch made.txt"}\n::say done' };
    expect((await driver("POST", "/api/sessions", { folder, prompt }, session)).status).toBe(201);
    const text = await until("the request is counted", async () => {
      const metrics = await read();
      return metrics.includes("signalbox_requests_open 1\n") ? metrics : undefined;
    });
    expect(text).toContain('signalbox_sessions{state="asking"} 1\n');
    expect(text).toMatch(/^signalbox_lines_total [1-9]/m);
    expect(text).toMatch(/^signalbox_commit_seconds_count [1-9]/m);
    expect(text).toContain("signalbox_lines_dropped_total 0\n");
    expect(text).toMatch(/^signalbox_machine_agents\{machine="[^"]+"\} 1$/m);
    expect(text).not.toContain("made.txt");
    expect((await fetch(`${hub.url}/metrics`)).status).toBe(401);
    expect((await driver("POST", `/api/sessions/${session}/stop`)).status).toBe(200);
  });
});
