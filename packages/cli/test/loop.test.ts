import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { runLoop } from "@signalbox/client";
import { splitCommand } from "@signalbox/protocol/text";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

let hub: HubStage;
beforeAll(async () => void (hub = await openHubStage()));
afterAll(() => hub[Symbol.asyncDispose]());

async function allow(id: string): Promise<void> {
  const ask = (await hub.admin.asks()).find(({ session }) => session === id);
  if (ask) await hub.admin.answer(ask.id, { hash: ask.hash, decision: { behavior: "allow" } });
}

const background = '::tool Bash {"command":"sleep 1; touch later","run_in_background":true}';

test("[TP1] [TP2] [TP3] a loop waits for background work, runs until its command succeeds, and sums up; its turns are one conversation", async () => {
  const task = `Go on.\n${background}\n::say started\n::next\n::say it is there`;
  const asking = runLoop(hub.admin, {
    task,
    session: { folder: hub.folder },
    turns: 3,
    until: () => Promise.resolve(hub.has("later")),
    onAsks: ({ id }) => void allow(id),
  });
  const done = await asking;
  expect(done.why).toBe("until");
  expect(done.turns).toHaveLength(1);
  expect(done.turns[0]).toMatchObject({ nth: 1, how: "ended" });
  expect(done.costUsd).toBeGreaterThan(0);
  expect((await hub.admin.session(done.turns[0]?.session ?? "")).summary.tasks).toEqual([]);

  const twice = await hub.command(
    ["loop", "::say again", "--turns", "2", "--until", "test -e 'not there'"].concat([
      "--folder",
      hub.folder,
    ]),
  );
  expect(twice).toMatchObject({ exit: 1 });
  expect(twice.stdout).toContain("2 turns");
  expect(twice.stdout).toContain("the command never succeeded");
  expect(twice.stderr).toContain("turn 2 ended");
  expect(twice.stdout.match(/^session /gm)).toHaveLength(1);
});

test("[TP3] [TP4] [TP5] fresh turns have sessions of their own; limits on cost and time end the loop; a failure says why", async () => {
  const session = { folder: hub.folder };
  const fresh = await runLoop(hub.admin, { task: "::say hi", session, turns: 2, fresh: true });
  expect(new Set(fresh.turns.map((turn) => turn.session)).size).toBe(2);
  for (const turn of fresh.turns) {
    expect((await hub.admin.session(turn.session)).state).toBe("parked");
  }
  const dear = await runLoop(hub.admin, {
    task: "::say hi",
    session,
    turns: 5,
    maxCostUsd: 0.000001,
  });
  expect(dear).toMatchObject({ why: "cost", turns: [{ nth: 1 }] });
  // However slow the machine is, its agent has begun by then.
  const maxMs = 1000 + 3 * Math.max(...fresh.turns.map(({ ms }) => ms));
  const late = await runLoop(hub.admin, { task: "::wait 600000\n::say never", session, maxMs });
  expect(late).toMatchObject({ why: "time", turns: [{ how: "interrupted" }] });
  const busy = `${background.replace("sleep 1", "sleep 600")}\n::say started`;
  const onAsks = ({ id }: { id: string }) => void allow(id);
  const enough = new AbortController();
  const working = runLoop(hub.admin, { task: busy, session, signal: enough.signal, onAsks });
  const isBusy = async () =>
    (await hub.admin.sessions()).some(({ summary }) => summary.tasks.length > 0);
  await until(isBusy);
  enough.abort();
  const behind = await working;
  expect(behind).toMatchObject({ why: "aborted", turns: [{ how: "interrupted" }] });
  const left = await hub.admin.session(behind.turns[0]?.session ?? "");
  expect(left).toMatchObject({ state: "parked", summary: { tasks: [] } });
  const tired = new AbortController();
  const neverSure = () => {
    tired.abort();
    return new Promise<boolean>(() => {});
  };
  const unsure = await runLoop(hub.admin, {
    task: "::say hi",
    session,
    until: neverSure,
    signal: tired.signal,
  });
  expect(unsure).toMatchObject({ why: "aborted", turns: [{ how: "ended" }] });
  const refused = "::error 403 permission_error x9 not today";
  const broken = await runLoop(hub.admin, { task: refused, session, turns: 3 });
  expect(broken).toMatchObject({ why: "failed", turns: [{ how: "failed" }] });
  expect(broken.turns[0]?.problem).toContain("not today");
  const driver = "sdk-url";
  const failed = await runLoop(hub.admin, { task: "::say hi", session: { ...session, driver } });
  expect(failed.why).toBe("failed");
  expect(failed.turns[0]?.problem).toContain("--sdk-url");
});

test("[TP4] a loop that is ended while its agent starts leaves nothing that works: the message is taken back, the process given back", async () => {
  const known = new Set((await hub.admin.sessions()).map(({ id }) => id));
  const soon = new AbortController();
  const task = "::wait 600000\n::say late work";
  const early = runLoop(hub.admin, { task, session: { folder: hub.folder }, signal: soon.signal });
  await until(async () => (await hub.admin.sessions()).some(({ id }) => !known.has(id)));
  soon.abort();
  const done = await early;
  expect(done.why).toBe("aborted");
  const { id = "" } = (await hub.admin.sessions()).find((each) => !known.has(each.id)) ?? {};
  const left = await hub.admin.session(id);
  expect(left.queue).toEqual([]);
  const { items } = await hub.admin.items(id);
  const began = items.some(({ kind }) => kind === "prompt"); // a turn that never began is none
  expect(done.turns.map(({ how }) => how)).toEqual(began ? ["interrupted"] : []);
  expect([left.state, left.summary.status]).toContainEqual(
    left.state === "running" ? "idle" : "parked",
  );
});

test("[TP2] a command is split at blanks, quotes hold words together", () => {
  expect(splitCommand(`npm test -- "a b" 'c d'`)).toEqual(["npm", "test", "--", "a b", "c d"]);
});

test("[TP2] a command that is not there is told before a turn is paid", async () => {
  const before = (await hub.admin.sessions()).length;
  const refused = await hub.command(["loop", "::say hi", "--until", "no-such-program-anywhere"]);
  expect(refused.exit).toBe(2);
  expect(refused.stderr).toContain("no-such-program-anywhere");
  expect(await hub.admin.sessions()).toHaveLength(before);
});

test("[DC5] discover looks and tells, and says to the hub what to attach to", async () => {
  const { exit, stdout } = await hub.command(["discover", "--json"]);
  expect(exit).toBe(0);
  for (const line of stdout.split("\n").filter((each) => each !== "")) {
    expect(JSON.parse(line)).toMatchObject({ port: expect.any(Number) as unknown });
  }
  const refused = await hub.command(["discover", "--attach", "8766"]);
  expect(refused.exit).not.toBe(0);
  expect(refused.stderr).toContain("signalbox config relay on");
});
