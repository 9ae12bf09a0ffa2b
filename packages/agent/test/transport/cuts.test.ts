import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Transport } from "@signalbox/protocol";
import { type WebSocketOptions, webSocketTransport } from "@signalbox/agent/transports";
import { Cutter } from "./cutter.ts";
import { Relay } from "@signalbox/testing/websocket-relay";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

interface Told {
  readonly n?: number;
  readonly subtype?: string;
  readonly uuid: string;
  readonly lines: number;
  readonly lines_at_most: number;
}

class Stage {
  readonly relay = new Relay();
  readonly reports: string[] = [];
  readonly cutter: Cutter;
  agent!: Transport;
  #next = 0;
  readonly #have = new Set<number>();
  readonly #notices = new Map<string, Told>();

  constructor(bytesUntilCut?: () => number) {
    this.cutter = new Cutter(bytesUntilCut);
  }

  async open(options: WebSocketOptions): Promise<this> {
    await this.relay.open();
    const url = await this.cutter.open(this.relay.url);
    const report = (text: string) => void this.reports.push(text);
    const quick = { firstDelayMs: 1, maxDelayMs: 4, attempts: 100_000 };
    this.agent = webSocketTransport(url, { ...quick, report, ...options });
    cleanUp.push(
      () => this.relay.close(),
      () => this.cutter.close(),
      () => this.agent.close(),
    );
    return this;
  }

  get said(): number {
    return this.#next;
  }

  async say(count: number): Promise<void> {
    for (let more = count; more > 0; more--) {
      const n = this.#next++;
      await this.agent.send(JSON.stringify({ type: "assistant", n, uuid: `u${n}` }));
    }
  }

  /** Takes what has come since the last call. */
  #take(): void {
    const news = this.relay.got.splice(0).map((line) => JSON.parse(line) as Told);
    for (const told of news) {
      if (told.n !== undefined) this.#have.add(told.n);
      if (told.subtype === "lines_lost") this.#notices.set(told.uuid, told);
    }
  }

  /** The numbers of the lines that have come, each once, in the order of their first arrival. */
  get have(): ReadonlySet<number> {
    this.#take();
    return this.#have;
  }

  async caughtUp(): Promise<void> {
    await until(() => this.have.has(this.#next - 1));
  }

  /** The losses that were reported. A notice that is sent again replaces the first one. */
  losses(): { atLeast: number; atMost: number } {
    this.#take();
    const latest = [...this.#notices.values()];
    const sum = (key: "lines" | "lines_at_most") =>
      latest.reduce((total, notice) => total + notice[key], 0);
    return { atLeast: sum("lines"), atMost: sum("lines_at_most") };
  }
}

/** A small random generator with a seed, so that a failure can be repeated. */
function random(seed: number) {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe.each([
  ["names what it has", true],
  ["does not say what it has", false],
])("a host that %s", (_, acknowledges) => {
  test("[AG29] fifty cuts at random places lose no line", async () => {
    const chance = random(7);
    const stage: Stage = new Stage(() =>
      stage.cutter.cuts < 50 ? 100 + Math.floor(chance() * 30_000) : Infinity,
    );
    stage.relay.acknowledges = acknowledges;
    await stage.open({});
    while (stage.cutter.cuts < 50) {
      await stage.say(1 + Math.floor(chance() * 20));
      await turn();
      // The agent is as far ahead of the host as the buffer allows.
      await until(() => stage.said - stage.have.size < 200);
    }
    await stage.say(100);
    await stage.caughtUp();
    expect([...stage.have]).toEqual(Array.from({ length: stage.said }, (__, n) => n));
    expect(stage.said).toBeGreaterThan(1000); // These are more lines than the buffer holds.
    expect(stage.cutter).toMatchObject({ cuts: 50, live: 51 });
    expect(stage.relay.headers).toHaveLength(51);
    expect(stage.relay.headers.at(-1)?.["x-last-request-id"]).toMatch(/^u\d+$/);
    expect(stage.reports).toEqual([]);
  });

  test("[AG30] if the buffer is too small, both sides are told how much was lost", async () => {
    const stage = new Stage();
    stage.relay.acknowledges = acknowledges;
    await stage.open({ bufferSize: 50 });
    for (const [heard, unheard, away] of [
      [10, 0, 200],
      [40, 30, 40],
      [5, 45, 120],
      [60, 5, 10],
    ] as const) {
      await stage.say(heard);
      await stage.caughtUp();
      stage.cutter.isDeaf = true;
      await stage.say(unheard);
      stage.cutter.isAway = true;
      stage.cutter.cut();
      await turn();
      await stage.say(away);
      stage.cutter.isDeaf = false;
      stage.cutter.isAway = false;
      await stage.caughtUp();
    }
    const missing = stage.said - stage.have.size;
    const { atLeast, atMost } = stage.losses();
    expect(missing).toBeGreaterThan(200);
    expect(atLeast).toBeLessThanOrEqual(missing);
    expect(atMost).toBeGreaterThanOrEqual(missing);
    if (acknowledges) expect([atLeast, atMost]).toEqual([missing, missing]);
    expect(stage.reports.join("\n")).toContain("lost: the connection was away for longer than 50");
  });
});
