import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeRelay } from "../../runner/test/dial/fake-relay.ts";

setDefaultTimeout(120_000);

const MAIN = join(import.meta.dir, "../src/main.ts");
const AGENT = join(import.meta.dir, "../../runner/test/dial/speaking-agent.mjs");

test("[DL6] the exit code is the agent's, the secret goes to the relay and not to the agent, the connection is told of, and nothing stays behind", async () => {
  const place = mkdtempSync(join(tmpdir(), "signalbox-dial-"));
  using relay = new FakeRelay();
  writeFileSync(join(place, "secret"), "of-the-session\n");
  const dial = (...args: string[]) =>
    Bun.spawn([process.execPath, MAIN, "dial", ...args], {
      env: { PATH: process.env["PATH"], HOME: place, SIGNALBOX_DIAL_TOKEN: "from-outside" },
      stderr: "pipe",
      stdout: "pipe",
    });
  const data = ["--data", place, "--token-file", join(place, "secret")];
  const child = dial(...data, relay.url, "--", process.execPath, AGENT, "10");
  while (relay.stored.length < 10) await Bun.sleep(10);
  const children = await Bun.file(`/proc/${child.pid}/task/${child.pid}/children`).text();
  const environment = await Bun.file(`/proc/${children.trim()}/environ`).text();
  expect(environment).toContain("SIGNALBOX_RUN");
  expect(environment).not.toContain("from-outside");
  relay.say('{"leave":7}');
  expect(await child.exited).toBe(7);
  const told = await new Response(child.stderr).text();
  expect(told).toContain("connected to 127.0.0.1");
  expect(told).toContain("I am leaving.");
  expect(relay.requests[0]?.get("authorization")).toBe("Bearer of-the-session");
  expect(readdirSync(join(place, "dial"))).toEqual([]);

  const wrong = dial("https://example.com", "--", "claude");
  expect(await wrong.exited).toBe(2);
  const none = dial("--data", place, relay.url, "--", "no-such-program-anywhere");
  expect(await none.exited).toBe(4);
  relay.refuseWith = 401;
  const refused = dial("--data", place, relay.url, "--", process.execPath, AGENT);
  expect(await refused.exited).toBe(3);
  expect(await new Response(refused.stderr).text()).toContain("secret");
  rmSync(place, { recursive: true, force: true });
});
