import { expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { enterStream, openTestServer, openStream } from "../http/stage.ts";
import { rawRequest } from "@signalbox/testing/raw-request";

const SECOND = 1000;

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

test("a device that is taken away in mid-stream is out within a second, with 4401, forty times", async () => {
  await using testServer = await openTestServer();
  const admin = await testServer.tokenOf("admin");
  for (let round = 0; round < 40; round++) {
    const { token, row } = await testServer.deviceOf("approver");
    using stream = await enterStream(testServer, token);
    const ms = await tookMs(async () => {
      await testServer.ask("DELETE", `/api/devices/${row.id}`, { token: admin });
      expect((await stream.closed).code).toBe(4401);
    });
    expect(ms).toBeLessThan(SECOND);
    expect((await testServer.ask("GET", "/api/sessions", { token })).status).toBe(401);
  }
}, 180_000);

test("among a thousand upgrades without a ticket and a thousand broken ones a login takes less than a second", async () => {
  await using testServer = await openTestServer();
  const token = await testServer.tokenOf("viewer");
  const login = async () => {
    using stream = await enterStream(testServer, token);
    expect(stream.frames[0]?.type).toBe("welcome");
  };
  await login();
  const unknown = Array.from({ length: 1000 }, () => openStream(testServer.url));
  const host = `Host: 127.0.0.1:${testServer.port}`;
  const broken = Array.from({ length: 1000 }, (_, nth) => {
    const upgrade = nth % 2 === 0 ? "websocket" : "\u0001";
    return rawRequest(
      testServer.port,
      `GET /api/stream HTTP/1.1\r\n${host}\r\nUpgrade: ${upgrade}\r\nConnection: Upgrade\r\n\r\n`,
    );
  });
  for (let round = 0; round < 10; round++) expect(await tookMs(login)).toBeLessThan(SECOND);
  await Promise.all([...unknown.map(({ closed }) => closed), ...broken]);
}, 180_000);

test("whoever sends no whole request is cut off within 15 s, also one who sends a byte now and then", async () => {
  await using testServer = await openTestServer();
  const held = async (first: string, dripping: boolean) => {
    const socket = connect(testServer.port, "127.0.0.1").on("error", () => {});
    socket.resume().write(first);
    const drip = setInterval(() => dripping && socket.write("x"), 1000);
    const ms = await tookMs(() => once(socket, "close"));
    clearInterval(drip);
    return ms;
  };
  const half = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${testServer.port}\r\nX-Name: `;
  const times = await Promise.all([held("", false), held(half, false), held(half, true)]);
  console.log(JSON.stringify(times.map(Math.round)));
  expect(Math.max(...times)).toBeLessThan(15 * SECOND);
}, 180_000);

test.if(process.getuid?.() === 0)(
  "on a machine without IPv6 the hub starts on 127.0.0.1 alone",
  () => {
    const told = (before: string) => {
      const script = `ip link set lo up && ${before} exec "$0" "$1"`;
      const testServer = join(import.meta.dir, "http-server-process.ts");
      const command = ["unshare", "--net", "sh", "-c", script, process.execPath, testServer];
      const { stdout, stderr } = Bun.spawnSync(command);
      return JSON.parse(stdout.toString() || JSON.stringify(stderr.toString())) as unknown;
    };
    expect(told("")).toEqual({ health: "ok", addresses: ["127.0.0.1", "[::1]"] });
    const without = "echo 1 > /proc/sys/net/ipv6/conf/lo/disable_ipv6 &&";
    expect(told(without)).toEqual({ health: "ok", addresses: ["127.0.0.1"] });
  },
  180_000,
);
