import { inGroups, init, result, streamed } from "../lines.ts";
import { figure, type Figure, HubRig } from "../rig.ts";
import { Viewer } from "../viewer.ts";

const MISSED = 100_000;

/** (b) Catching up after 100,000 missed events, beside having them sent again. */
export async function catchUp(): Promise<Figure[]> {
  await using rig = await HubRig.open();
  const session = await rig.session();
  await rig.feeder.feed(session, [init()]);
  await rig.feeder.stored(session);
  const viewer = new Viewer(rig.url, rig.token, session);
  await viewer.connect();
  await viewer.live();
  viewer.disconnect();
  const lines = [...streamed(MISSED), result()];
  for (const group of inGroups(lines, 500)) await rig.feeder.feed(session, group);
  await rig.feeder.stored(session);

  const before = viewer.bytes;
  const ours = await timed(async () => {
    await viewer.connect();
    await viewer.live();
  });
  const bytes = viewer.bytes - before;
  viewer.disconnect();

  const replayed = await replay(lines);
  const baselineIs = "all lines sent again over a socket and parsed";
  return [
    figure({
      figure: "b-bytes",
      what: "bytes to catch up after 100,000 missed events",
      unit: "bytes",
      ours: bytes,
      baseline: replayed.bytes,
      baselineIs,
      bar: 0.1,
      better: "lower",
    }),
    figure({
      figure: "b-time",
      what: "time to catch up after 100,000 missed events",
      unit: "milliseconds",
      ours,
      baseline: replayed.ms,
      baselineIs,
      bar: 0.1,
      better: "lower",
    }),
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function replay(lines: readonly string[]): Promise<{ bytes: number; ms: number }> {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, it) => (it.upgrade(request) ? undefined : new Response(null)),
    websocket: {
      backpressureLimit: 1024 * 1024 * 1024,
      open: (socket) => {
        for (const line of lines) socket.send(line);
      },
      message: () => {},
    },
  });
  let bytes = 0;
  let count = 0;
  const ms = await timed(async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}`);
    await new Promise<void>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const text = String(data);
        bytes += text.length;
        JSON.parse(text);
        if (++count === lines.length) resolve();
      });
    });
    socket.close();
  });
  await server.stop(true);
  return { bytes, ms };
}
