import { Child, type Cost, type Seen } from "../child.ts";
import { delta, inGroups, init, messageStart, streamed } from "../lines.ts";
import { figure, type Figure, HubRig } from "../rig.ts";

const CLIENTS = 20;
const FLOOD = 500_000;
const PACED_SECONDS = 20;
const PER_SECOND = 100;

/** (a) CPU of the hub for stream events delivered to twenty clients, beside a plain relay. */
export async function fanOut(): Promise<Figure[]> {
  const [relayFlood, relayPaced] = await throughRelay();
  const [hubFlood, hubPaced] = await throughHub();
  const perMillion = (cpu: number, lines: number) => (cpu * 1e6) / lines;
  const common = { unit: "CPU-seconds per million lines", better: "lower" } as const;
  const baselineIs = "a relay that parses each line and publishes it to a topic";
  return [
    figure({
      figure: "a",
      what: `a flood of stream events to ${CLIENTS} clients`,
      ...common,
      ours: perMillion(hubFlood, FLOOD),
      baseline: perMillion(relayFlood, FLOOD),
      baselineIs,
      bar: 0.2,
    }),
    figure({
      figure: "a-paced",
      what: `${PER_SECOND} stream events a second to ${CLIENTS} clients`,
      ...common,
      ours: perMillion(hubPaced, PACED_SECONDS * PER_SECOND),
      baseline: perMillion(relayPaced, PACED_SECONDS * PER_SECOND),
      baselineIs,
      bar: 1.5,
    }),
  ];
}

/** Ten at a time, ten times a second and more: a model's words come in clusters no larger than that. */
async function paced(send: (lines: string[]) => unknown): Promise<void> {
  for (let tick = 0; tick < PACED_SECONDS * PER_SECOND; tick++) {
    await send([delta(`word${tick} `)]);
    await Bun.sleep(1000 / PER_SECOND);
  }
}

async function throughRelay(): Promise<[number, number]> {
  using relay = new Child<{ url: string }, Cost>("relay.ts");
  const { url } = await relay.begin;
  using watchers = new Child<object, Seen>("watchers.ts", [String(CLIENTS), "relay", url]);
  await watchers.begin;
  await watchers.until(({ live }) => live === CLIENTS);
  const socket = new WebSocket(url);
  let heard: (() => void) | undefined;
  socket.addEventListener("message", () => heard?.());
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  // As an agent with --sdk-url does: a frame a line.
  const send = (lines: string[]) => {
    for (const line of lines) socket.send(line);
    socket.send("");
    return new Promise<void>((resolve) => (heard = resolve));
  };
  const before = (await relay.ask()).cpuSeconds;
  let sent = 0;
  for (const group of inGroups(streamed(FLOOD), 500)) {
    sent += group.length;
    await send(group);
  }
  await watchers.until(({ frames }) => frames >= sent * CLIENTS);
  const flooded = (await relay.ask()).cpuSeconds;
  await Bun.sleep(1000);
  const start = (await relay.ask()).cpuSeconds;
  await paced(send);
  return [flooded - before, (await relay.ask()).cpuSeconds - start];
}

async function throughHub(): Promise<[number, number]> {
  await using rig = await HubRig.open();
  const session = await rig.session();
  await rig.feeder.feed(session, [init()]);
  const { url, token } = rig;
  using watchers = new Child<object, Seen>("watchers.ts", [
    String(CLIENTS),
    "hub",
    url,
    token,
    session,
  ]);
  await watchers.begin;
  await watchers.until(({ live }) => live >= CLIENTS);
  const before = await rig.cpu();
  for (const group of inGroups(streamed(FLOOD), 500)) await rig.feeder.feed(session, group);
  await rig.feeder.stored(session);
  const flooded = await rig.cpu();
  await Bun.sleep(1000);
  await rig.feeder.feed(session, messageStart("msg_paced"));
  await Bun.sleep(1000);
  const start = await rig.cpu();
  await paced((lines) => rig.feeder.feed(session, lines));
  return [flooded - before, (await rig.cpu()) - start];
}
