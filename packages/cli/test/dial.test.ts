import { signalboxMain, speakingAgent } from "@signalbox/testing/programs";
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testedAgent } from "@signalbox/testing/tested-agent";
import { FakeRelay } from "@signalbox/testing/fake-relay";
import { agentLines, difference, recorded, settled } from "./faults/recorder.ts";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { readUntil } from "@signalbox/testing/read-until";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

test("[DL6] the exit code is the agent's, the secret goes to the relay and not to the agent, the connection is told of, and nothing stays behind", async () => {
  const place = mkdtempSync(join(tmpdir(), "signalbox-dial-"));
  using relay = new FakeRelay();
  writeFileSync(join(place, "secret"), "of-the-session\n");
  const dial = (...args: string[]) =>
    Bun.spawn([process.execPath, signalboxMain, "dial", ...args], {
      env: { PATH: process.env["PATH"], HOME: place, SIGNALBOX_DIAL_TOKEN: "from-outside" },
      stderr: "pipe",
      stdout: "pipe",
    });
  const data = ["--data", place, "--token-file", join(place, "secret")];
  const child = dial(...data, relay.url, "--", process.execPath, speakingAgent, "10");
  await until(() => relay.stored.length >= 10);
  const children = await Bun.file(`/proc/${child.pid}/task/${child.pid}/children`).text();
  const environment = await Bun.file(`/proc/${children.trim()}/environ`).text();
  expect(environment).toContain("SIGNALBOX_RUN");
  expect(environment).not.toContain("from-outside");
  relay.say('{"leave":7}');
  expect(await child.exited).toBe(7);
  const told = await new Response(child.stderr).text();
  expect(told).toContain("Connected to 127.0.0.1");
  expect(told).toContain("I am leaving.");
  expect(relay.requests[0]?.get("authorization")).toBe("Bearer of-the-session");
  expect(readdirSync(join(place, "dial"))).toEqual([]);

  const wrong = dial("https://example.com", "--", "claude");
  expect(await wrong.exited).toBe(2);
  const none = dial("--data", place, relay.url, "--", "no-such-program-anywhere");
  expect(await none.exited).toBe(4);
  expect(await new Response(none.stderr).text()).toContain(
    "The program no-such-program-anywhere was not found.",
  );
  relay.refuseWith = 401;
  const refused = dial("--data", place, relay.url, "--", process.execPath, speakingAgent);
  expect(await refused.exited).toBe(3);
  expect(await new Response(refused.stderr).text()).toContain("secret");
  rmSync(place, { recursive: true, force: true });
});

test("[DL2] what waited on the disk when the command was killed is delivered by the next one to the same address, before its own, with the word that the agent is over", async () => {
  const place = mkdtempSync(join(tmpdir(), "signalbox-dial-"));
  using relay = new FakeRelay();
  const dial = (count: string) =>
    Bun.spawn(
      [
        process.execPath,
        signalboxMain,
        "dial",
        "--data",
        place,
        relay.url,
        "--",
        process.execPath,
        speakingAgent,
        count,
      ],
      { env: { PATH: process.env["PATH"], HOME: place }, stdio: ["ignore", "ignore", "ignore"] },
    );
  const spilled = () => {
    const files = readdirSync(place, { recursive: true, encoding: "utf8" });
    const spills = files.filter((file) => file.endsWith(".spill"));
    return spills.map((file) => readFileSync(join(place, file), "latin1")).join("");
  };
  const said = (lines: readonly string[]) =>
    lines.map((line) => (JSON.parse(line) as { nth: number }).nth);
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  const first = dial("2000");
  await until(() => relay.stored.length >= 2000);
  await relay.close();
  first.kill("SIGKILL");
  await first.exited;
  const second = dial("700"); // it delivers what the first one left: nothing, but that it is over
  await until(() => spilled().includes('"nth":700,'));
  second.kill("SIGKILL");
  await second.exited;
  relay.open();
  const third = dial("3");
  await until(() => relay.past.length >= 2 && relay.stored.length >= 3);
  expect(relay.past.map(({ stored }) => said(stored))).toEqual([upTo(2000), upTo(700)]);
  expect(relay.past.map(({ ended }) => ended)).toEqual([
    expect.objectContaining({ code: null, stderr: expect.stringContaining("unexpectedly") }),
    expect.objectContaining({ code: null, stderr: expect.stringContaining("unexpectedly") }),
  ] as never);
  expect(said(relay.stored)).toEqual(upTo(3));
  relay.say('{"leave":0}');
  expect(await third.exited).toBe(0);
  expect(readdirSync(join(place, "dial"))).toEqual([]);
  rmSync(place, { recursive: true, force: true });
});

test("[DL6] while lines of an earlier command wait for a relay that is away, a signal ends the command, and they stay", async () => {
  const place = mkdtempSync(join(tmpdir(), "signalbox-dial-"));
  using relay = new FakeRelay();
  const dial = () =>
    Bun.spawn(
      [process.execPath, signalboxMain, "dial", "--data", place, relay.url, "--"].concat([
        process.execPath,
        speakingAgent,
        "1",
      ]),
      { env: { PATH: process.env["PATH"], HOME: place }, stderr: "pipe", stdout: "ignore" },
    );
  const folders = () => readdirSync(join(place, "dial"));
  const first = dial();
  await until(() => relay.stored.length >= 1);
  await relay.close();
  first.kill("SIGKILL");
  await first.exited;
  const left = folders();
  expect(left).toHaveLength(1);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const next = dial();
    const reader = next.stderr.getReader();
    await readUntil(reader, "No connection");
    // The first one ends the agent, a further one does not wait for the relay.
    await until(`dial ends on ${signal}`, () => {
      next.kill(signal);
      return next.exitCode !== null || next.signalCode !== null;
    }).finally(() => next.kill("SIGKILL"));
    expect(folders()).toEqual(expect.arrayContaining(left));
  }
  rmSync(place, { recursive: true, force: true });
});

test("[DL4] what an agent has said when its life is over for the hub stays on the disk, and it is said where", async () => {
  const place = mkdtempSync(join(tmpdir(), "signalbox-dial-"));
  using relay = new FakeRelay();
  const dial = (count: string) =>
    Bun.spawn(
      [process.execPath, signalboxMain, "dial", "--data", place, relay.url, "--"].concat([
        process.execPath,
        speakingAgent,
        count,
        "20",
      ]),
      { env: { PATH: process.env["PATH"], HOME: place }, stderr: "pipe" },
    );
  const waits = () => readdirSync(place, { recursive: true, encoding: "utf8" }).join();
  const nth = (line: string) => (JSON.parse(line) as { nth: number }).nth;
  const child = dial("20000");
  await until(() => relay.stored.length >= 100);
  await relay.close();
  await until(() => waits().includes(".spill"));
  relay.refuseWith = 410;
  relay.open();
  expect(await child.exited).toBe(3);
  const told = await new Response(child.stderr).text();
  const file = /kept in (\S+)\./.exec(told)?.[1] ?? "";
  const kept = readFileSync(file, "utf8").trim().split("\n");
  const first = nth(kept[0] ?? "");
  expect(first).toBeLessThanOrEqual(relay.stored.length + 1);
  expect(kept.map(nth)).toEqual(kept.map((_, at) => first + at));
  relay.refuseWith = undefined;
  const next = dial("1"); // which has nothing to do with it
  await until(() => relay.stored.length > 0 && relay.past.length > 0);
  expect(relay.stored.map(nth)).toEqual([1]);
  relay.say('{"leave":0}');
  expect(await next.exited).toBe(0);
  expect(readFileSync(file, "utf8").trim().split("\n")).toEqual(kept);
  rmSync(place, { recursive: true, force: true });
});

test("[DL7] a hub that is killed in mid-turn, and started again, has every line of an agent that is dialed in once and in order", async () => {
  await using hub = await openHubStage(undefined, ["--relay"]);
  const agent = recorded(testedAgent, hub.folder);
  const [url = "", secret = ""] = (await hub.command(["relay"])).stdout.split("\n");
  const [id = ""] = url.split("/").slice(-1);
  const file = join(hub.data, "secret");
  writeFileSync(file, secret, { mode: 0o600 });
  const dial = hub.start(["dial", "--data", hub.data, "--token-file", file, url, "--", agent.path]);
  const view = () => hub.admin.session(id);
  await until(async () => (await view()).state === "running");
  await hub.admin.send(id, { text: "::flood 200 50\n::say Over." });
  await until(async () => (await view()).summary.status === "active");
  await hub.killHub();
  await hub.serveAgain();
  await until(async () => {
    const { summary, queue } = await view();
    return summary.turns >= 1 && queue.length === 0;
  });
  const both = await settled(async () => {
    const stored = await agentLines(hub.admin, id);
    return [agent.lines(), stored];
  });
  expect(difference(...both)).toEqual({ lost: 0, doubled: 0, reordered: 0 });
  await hub.admin.stop(id);
  expect(await dial.exited).toBe(0);
});
