import { describe, expect, test } from "bun:test";
import { type Line, lineText, parseObject } from "@signalbox/protocol";
import { deferred } from "@signalbox/protocol/wire";
import { Host, type LineObserver } from "@signalbox/host";
import { until } from "@signalbox/testing/until";
import { MemoryDriver } from "@signalbox/testing/memory-driver";

const folder = "/";
const said = (n: number) => JSON.stringify({ type: "status", text: `line ${n}` });
const permission = JSON.stringify({
  type: "control_request",
  request_id: "ask-1",
  request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } },
});

/** Notes what it is told, in the order in which it is told. */
class Recorder implements LineObserver {
  readonly seen: string[] = [];
  /** What the host waits for after the agent's lines. */
  hold: Promise<void> | undefined;

  onStart(): void {
    this.seen.push("start");
  }
  onIncoming(lines: readonly Line[]): Promise<void> | undefined {
    for (const line of lines) this.seen.push(`in ${getName(lineText(line))}`);
    return this.hold;
  }
  onOutgoing(line: string): void {
    this.seen.push(`out ${getName(line)}`);
  }
  onSendFailed(line: string): void {
    this.seen.push(`failed ${getName(line)}`);
  }
  onEnd(): void {
    this.seen.push("end");
  }
}

function getName(line: string): string {
  const body = parseObject(line);
  if (typeof body === "string") return body;
  return body["type"] === "status" ? String(body["text"]) : String(body["type"]);
}

describe("an observer of a host", () => {
  test("sees every line in both directions, in order, and a request before anyone is asked about it", async () => {
    const driver = new MemoryDriver();
    const observer = new Recorder();
    const onAsk = () => {
      observer.seen.push("asked");
      return { behavior: "deny", message: "no" } as const;
    };
    await using host = await Host.start(driver, { folder }, { observer, onAsk });
    await host.prompt({ text: "hello" });
    await driver.agent.send(said(1));
    await driver.agent.send(permission);
    await until(() => observer.seen.includes("out control_response"));
    await driver.agent.send(said(2));
    await until(() => observer.seen.includes("in line 2"));
    await driver.agent.close();
    await until(() => observer.seen.includes("end"));
    expect(observer.seen).toEqual([
      "start",
      "out user",
      "in line 1",
      "in control_request",
      "asked",
      "out control_response",
      "in line 2",
      "end",
    ]);
  });

  test("delays the host when it is slow: nobody acts on a line or reads the next one before it has finished", async () => {
    const driver = new MemoryDriver();
    const observer = new Recorder();
    const held = deferred<void>();
    observer.hold = held.promise;
    const asked: string[] = [];
    const onAsk = () => {
      asked.push(...observer.seen);
      return { behavior: "deny", message: "no" } as const;
    };
    await using host = await Host.start(driver, { folder }, { observer, onAsk });
    await driver.agent.send(permission);
    await until(() => observer.seen.includes("in control_request"));
    await driver.agent.send(said(1));
    await host.prompt({ text: "meanwhile" }); // what the host sends is not held back
    expect(observer.seen).toEqual(["start", "in control_request", "out user"]);
    expect(asked).toEqual([]);
    observer.hold = undefined;
    held.resolve();
    await until(() => observer.seen.includes("in line 1"));
    expect(asked).toContain("in control_request");
  });

  test("is told of a line that did not reach the agent", async () => {
    const driver = new MemoryDriver();
    const observer = new Recorder();
    await using host = await Host.start(driver, { folder }, { observer });
    await driver.agent.close();
    await host.closed;
    expect(await host.prompt({ text: "too late" }).catch(String)).toContain("closed");
    expect(observer.seen.filter((each) => each.endsWith("user"))).toEqual([
      "out user",
      "failed user",
    ]);
  });

  test("sees unbuffered lines alone, and they delay nothing", async () => {
    const driver = new MemoryDriver();
    let lines = 0;
    const observer: LineObserver = {
      onIncoming: (batch) => void (lines += batch.length),
      onOutgoing: () => {},
    };
    await using host = await Host.start(driver, { folder }, { observer, bufferLines: false });
    const megabyte = JSON.stringify({ type: "status", text: "x".repeat(1024 * 1024) });
    for (let sent = 0; sent < 20; sent += 1) await driver.agent.send(megabyte);
    await until(() => lines === 20);
    await driver.agent.close();
    const left: unknown[] = [];
    for await (const batch of host.lines) left.push(batch);
    expect(left).toEqual([]);
  });
});

describe("the signal of a host", () => {
  test("makes the driver give up a run that has not started, and ends it if it starts after all", async () => {
    const started = deferred<void>();
    const driver = new MemoryDriver({ started: started.promise, initialized: false });
    const unwanted = new AbortController();
    const host = Host.start(driver, { folder }, { signal: unwanted.signal });
    unwanted.abort();
    expect(driver.launchesGivenUp).toHaveLength(1);
    started.resolve();
    expect(await host.then(() => "started").catch(String)).not.toBe("started");
    await driver.agent.closed;
  });

  test("ends a run while it is initialized, and while it works", async () => {
    const initializing = new MemoryDriver({ initialized: false });
    const first = new AbortController();
    const failed = Host.start(initializing, { folder }, { signal: first.signal }).catch(String);
    for await (const batch of initializing.agent.incoming) {
      if (batch.length > 0) break; // the request `initialize`
    }
    first.abort();
    expect(await failed).toContain("Error");

    const working = new MemoryDriver();
    const second = new AbortController();
    await using host = await Host.start(working, { folder }, { signal: second.signal });
    second.abort();
    expect((await host.closed).kind).toBe("clean");
  });
});
