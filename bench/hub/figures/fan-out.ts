import { Child, type Cost, type Seen } from "../child.ts";
import { delta, inGroups, init, messageStart, streamed } from "../lines.ts";
import { figure, type Figure, HubRig } from "../rig.ts";

const CLIENTS = 20;
const LINES = 1_000_000;
const PACED_SECONDS = 20;
const PER_SECOND = 100;
/** Both are measured in turns: a machine is not equally fast from one second to the next. */
const ROUNDS = 5;

/** (a) CPU of the hub for stream events delivered to twenty clients, beside a plain relay. */
export async function fanOut(): Promise<Figure[]> {
  await using relay = await Relay.open();
  await using hub = await Hub.open();
  // A hub runs for days: what its compilers do in its first second is counted for neither.
  for (const way of [relay, hub]) await way.flood(LINES / ROUNDS);
  const flood = await inTurns(relay, hub, (way) => way.flood(LINES / ROUNDS));
  await hub.startText();
  const steady = await inTurns(relay, hub, (way) => paced(way, PACED_SECONDS / ROUNDS));
  await hub.textShown();
  const common = {
    unit: "CPU-seconds per million lines",
    better: "lower",
    baselineIs: "a relay that parses each line and publishes it to a topic",
  } as const;
  const perMillion = 1e6 / (PACED_SECONDS * PER_SECOND);
  return [
    figure({
      figure: "a",
      what: `a flood of stream events to ${CLIENTS} clients`,
      ...common,
      ...flood,
      bar: 0.2,
    }),
    figure({
      figure: "a-paced",
      what: `${PER_SECOND} stream events a second to ${CLIENTS} clients`,
      ...common,
      ours: steady.ours * perMillion,
      baseline: steady.baseline * perMillion,
      bar: 1.5,
    }),
  ];
}

interface DeltaFrame {
  readonly id: string;
  readonly content: readonly [{ readonly text: string }];
}

/** A way from one agent to many clients. */
interface Way {
  cpu(): Promise<number>;
  /** A word of a text that is being written. */
  say(word: string): Promise<unknown>;
  /** As fast as they are taken; settles when all are passed on. */
  flood(lines: number): Promise<void>;
}

async function inTurns(relay: Way, hub: Way, play: (way: Way) => Promise<void>) {
  const spent = { baseline: 0, ours: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, way] of [["baseline", relay] as const, ["ours", hub] as const]) {
      await Bun.sleep(1000); // what is still to be done for the last one is not this one's
      const before = await way.cpu();
      await play(way);
      await Bun.sleep(100); // the last of it is on its way to the clients
      spent[name] += (await way.cpu()) - before;
    }
  }
  return spent;
}

async function paced(way: Way, seconds: number): Promise<void> {
  for (let tick = 0; tick < seconds * PER_SECOND; tick++) {
    await way.say(`word${tick} `);
    await Bun.sleep(1000 / PER_SECOND);
  }
}

class Relay implements Way, AsyncDisposable {
  readonly #relay;
  readonly #watchers;
  readonly #socket: WebSocket;
  #heard: (() => void) | undefined;
  #sent = 0;

  private constructor(relay: Child<{ url: string }, Cost>, url: string) {
    this.#relay = relay;
    this.#watchers = new Child<object, Seen>("watchers.ts", [String(CLIENTS), "relay", url]);
    this.#socket = new WebSocket(url);
    this.#socket.addEventListener("message", () => this.#heard?.());
  }

  static async open(): Promise<Relay> {
    const child = new Child<{ url: string }, Cost>("relay.ts");
    const relay = new Relay(child, (await child.begin).url);
    await new Promise((resolve) => relay.#socket.addEventListener("open", resolve));
    await relay.#watchers.until(({ live }) => live === CLIENTS);
    return relay;
  }

  async cpu(): Promise<number> {
    return (await this.#relay.ask()).cpuSeconds;
  }

  /** As an agent with --sdk-url does: a frame a line. */
  #send(lines: readonly string[]): Promise<void> {
    for (const line of lines) this.#socket.send(line);
    this.#sent += lines.length;
    this.#socket.send("");
    return new Promise<void>((resolve) => (this.#heard = resolve));
  }

  say(word: string): Promise<void> {
    return this.#send([delta(word)]);
  }

  async flood(lines: number): Promise<void> {
    for (const group of inGroups(streamed(lines), 500)) await this.#send(group);
    await this.#watchers.until(({ frames }) => frames >= this.#sent * CLIENTS);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#watchers[Symbol.dispose]();
    this.#relay[Symbol.dispose]();
    return Promise.resolve();
  }
}

class Hub implements Way, AsyncDisposable {
  readonly #rig: HubRig;
  readonly #session: string;
  readonly #watchers: Child<object, Seen>;
  #said = 0;

  private constructor(rig: HubRig, session: string) {
    this.#rig = rig;
    this.#session = session;
    const facts = [rig.url, rig.token, session];
    this.#watchers = new Child("watchers.ts", [String(CLIENTS), "hub", ...facts]);
  }

  static async open(): Promise<Hub> {
    const rig = await HubRig.open();
    const session = await rig.session();
    await rig.feeder.feed(session, [init()]);
    const hub = new Hub(rig, session);
    await hub.#watchers.until(({ live }) => live >= CLIENTS);
    return hub;
  }

  cpu(): Promise<number> {
    return this.#rig.cpu();
  }

  say(word: string): Promise<void> {
    this.#said += word.length;
    return this.#rig.feeder.feed(this.#session, [delta(word)]);
  }

  async flood(lines: number): Promise<void> {
    let last = "";
    for (const group of inGroups(streamed(lines), 500)) {
      await this.#rig.feeder.feed(this.#session, group);
      last = group.findLast((line) => line.startsWith('{"type":"assistant"')) ?? last;
    }
    await this.#rig.feeder.stored(this.#session);
    const { message } = JSON.parse(last) as { message: DeltaFrame };
    await this.#shown(`${message.id}/0 ${message.content[0].text.length}`);
  }

  /** Words belong to a message. */
  async startText(): Promise<void> {
    await this.#rig.feeder.feed(this.#session, messageStart("msg_paced"));
  }

  /** Every word that was said since has been shown to everybody. */
  async textShown(): Promise<void> {
    await this.#shown(`msg_paced/0 ${this.#said}`);
  }

  async #shown(newest: string): Promise<void> {
    await this.#watchers.until((seen) => seen.newest.length === 1 && seen.newest[0] === newest);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchers[Symbol.dispose]();
    await this.#rig[Symbol.asyncDispose]();
  }
}
