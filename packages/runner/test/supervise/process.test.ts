import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { delayWhileAwake } from "@signalbox/host/system";
import { endOrphans } from "../../src/orphans.ts";
import { isOrphan, createOwnerMarker } from "../../src/owner.ts";
import type { FakeHub } from "../link/fake-hub.ts";
import { openProcesses } from "./processes.ts";
import { obey, openRunner, startFake } from "./runner-stage.ts";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

const marked = ({ mark }: ReturnType<typeof openProcesses>, session: string, how = "obeys") =>
  startFake(session, how, { launch: { environment: mark } });

const numbers = (hub: FakeHub, session: string) =>
  hub.texts(session, "agent").flatMap((line) => {
    const { n } = JSON.parse(line) as { n?: number };
    return n === undefined ? [] : n;
  });

describe("a runner that is killed", () => {
  test("[LK8] [LK23] while the hub is away is followed by one that delivers its lines, records the end and ends the agents", async () => {
    await using stage = openProcesses();
    const { hub } = stage;
    const first = await stage.runner();
    await hub.order(marked(stage, "s"));
    await hub.order(marked(stage, "t"));
    await hub.note("t", "run_started");
    await hub.order({ kind: "stop", session: "t", run: "run-of-t", park: false });
    await hub.order(obey("s", { spawn: ["sleep", "1000"] }));
    hub.deaf = true; // what it sends from now on never arrives
    await hub.send(obey("s", { count: 5000 }), "prompt");
    await hub.away();
    // Only what had reached the disk can be there afterwards: wait until all of it has.
    const last = '"n":5000,';
    const onDisk = () =>
      readdirSync(stage.spillFolder).some((name) =>
        readFileSync(join(stage.spillFolder, name), "utf8").includes(last),
      );
    await until(onDisk);
    first.child.kill("SIGKILL");
    await first.exited;
    expect(stage.agents().length).toBeGreaterThan(0);

    hub.deaf = false;
    hub.back();
    await stage.runner();
    expect(stage.agents()).toEqual([]);
    const ended = await hub.note("s", "run_ended");
    expect(ended).toMatchObject({ run: "run-of-s", status: "crashed", kind: "runner-crashed" });
    expect(numbers(hub, "s")).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
    expect(hub.notes("t", "run_ended")).toHaveLength(1);
    expect(hub.gaps).toBe(0);
    const [before, after] = [hub.hellos[0], hub.hellos.at(-1)];
    expect(after?.process).not.toBe(before?.process);
    expect(after?.runs).toMatchObject([{ session: "s", run: "run-of-s", alive: false }]);
  });

  test("[LK22] loses its lock", async () => {
    await using stage = openProcesses();
    const first = await stage.runner();
    const second = await stage.runner();
    await second.exited;
    expect(second.child.exitCode).toBe(3);
    expect(second.printed()).toContain(stage.dataFolder);
    expect(second.printed()).toContain("Another runner");
    first.child.kill("SIGKILL");
    await first.exited;
    const third = await stage.runner();
    expect(third.printed()).toBe("up\n");
  });

  test("[LK23] leaves agents of a running runner and of other folders alone", async () => {
    await using stage = openProcesses();
    await using other = openProcesses();
    await stage.runner();
    const dead = await other.runner();
    await stage.hub.order(marked(stage, "s"));
    await other.hub.order(marked(other, "s", "ignores TERM and the end of its input"));
    dead.child.kill("SIGKILL");
    await dead.exited;
    expect(await endOrphans(stage.dataFolder)).toBe(0);
    expect(stage.agents()).toHaveLength(1);
    expect(other.agents()).toHaveLength(1);
    expect(await endOrphans(other.dataFolder)).toBe(1);
    expect(other.agents()).toEqual([]);
    expect(stage.agents()).toHaveLength(1);
  });

  test("[LK23] is not mistaken for another process that has its process id now", () => {
    const mine = createOwnerMarker("/data");
    const [folder, pid, start, boot, space] = mine.split(",");
    expect(isOrphan("/data", mine)).toBe(false);
    expect(isOrphan("/other", mine)).toBe(false);
    expect(isOrphan("/data", [folder, pid, Number(start) - 1, boot, space].join(","))).toBe(true);
    expect(isOrphan("/data", [folder, pid, start, "last boot", space].join(","))).toBe(true);
    expect(isOrphan("/data", [folder, 2 ** 30, start, boot, space].join(","))).toBe(true);
    expect(isOrphan("/data", [folder, 2 ** 30, start, boot, "a container"].join(","))).toBe(false);
  });
});

describe("a runner that is asked to end", () => {
  test("[LK24] ends its agents, delivers their last lines, and leaves no process", async () => {
    await using stage = openProcesses();
    const { hub } = stage;
    const runner = await stage.runner();
    await hub.order(marked(stage, "s"));
    await hub.order(obey("s", { count: 100 }));
    runner.child.kill("SIGTERM");
    await runner.exited;
    expect(runner.child.exitCode).toBe(0);
    expect(runner.printed()).toContain("SIGTERM");
    expect(stage.agents()).toEqual([]);
    expect(await hub.note("s", "run_ended")).toMatchObject({ status: "ended" });
    expect(numbers(hub, "s")).toHaveLength(100);
    expect(readdirSync(stage.spillFolder)).toEqual([]);
  });

  test("[LK24] leaves the last lines to the next runner while the hub is away", async () => {
    await using stage = openProcesses();
    const { hub } = stage;
    const runner = await stage.runner();
    await hub.order(marked(stage, "s"));
    await hub.note("s", "run_started");
    await hub.away();
    runner.child.kill("SIGTERM");
    await runner.exited;
    expect(stage.agents()).toEqual([]);
    hub.back();
    await stage.runner();
    expect(await hub.note("s", "run_ended")).toMatchObject({ status: "ended", kind: "stopped" });
    expect(hub.notes("s", "run_ended")).toHaveLength(1);
  });
});

describe("a runner that has no more files", () => {
  test("[LK31] reports a failed start that the system refuses, and keeps running", async () => {
    await using stage = openProcesses();
    const { hub } = stage;
    await stage.runner({}, ["prlimit", "--nofile=48"]);
    const sessions = Array.from({ length: 16 }, (_, n) => `s${n}`);
    const refused: string[] = [];
    for (const session of sessions) {
      const { problem } = await hub.order(marked(stage, session));
      if (!problem) continue;
      expect(problem.detail).toContain("EMFILE");
      refused.push(session);
    }
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(16);
    for (const session of refused) {
      expect(await hub.note(session, "run_ended")).toMatchObject({ status: "crashed" });
    }
    for (const session of sessions.filter((name) => !refused.includes(name))) {
      const stop = { kind: "stop", session, run: `run-of-${session}`, park: false } as const;
      expect(await hub.order(stop)).not.toHaveProperty("problem");
    }
    expect(await hub.order(marked(stage, "again"))).not.toHaveProperty("problem");
    expect(hub.gaps).toBe(0);
  });
});

/** Another runner that is idle from now on has ended because its hub stayed away for so long. */
async function waitForIdleEnd(idleMs: number): Promise<void> {
  await using idle = await openRunner({ idleMs });
  await idle.hub.connected();
  await idle.hub.away();
  expect(await idle.runner.closed).toContain("unreachable");
}

describe("a runner and its hub", () => {
  test("[LK25] a hub's own runner ends automatically when the hub stays away and nothing runs", async () => {
    await using stage = await openRunner({ idleMs: 200 });
    const { hub, runner } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.away();
    let isOver = false;
    void runner.closed.then(() => (isOver = true));
    await waitForIdleEnd(200);
    expect(isOver).toBe(false);
    hub.back();
    await hub.order({ kind: "stop", session: "s", run: "run-of-s", park: false });
    await hub.away();
    expect(await runner.closed).toContain("unreachable");
  });

  test("[LK25] a runner with lines that the hub has not stored waits longer for the hub than an idle one", async () => {
    await using stage = await openRunner({ idleMs: 2000 });
    const { hub, runner } = stage;
    await hub.order(startFake("s", "obeys"));
    hub.deaf = true; // what the runner sends from now on never arrives
    await hub.send({ kind: "stop", session: "s", run: "run-of-s", park: false }, "stop");
    await hub.away();
    let isOver = false;
    void runner.closed.then(() => (isOver = true));
    await waitForIdleEnd(2000);
    expect(isOver).toBe(false);
    hub.deaf = false;
    hub.back();
    expect(await hub.note("s", "run_ended")).toMatchObject({ kind: "stopped" });
    await hub.away();
    expect(await runner.closed).toContain("unreachable");
  });

  test("[LK26] a runner that was paused for a long time continues with its agents", async () => {
    await using stage = openProcesses();
    const { hub } = stage;
    const runner = await stage.runner();
    await hub.order(marked(stage, "s"));
    await hub.order(marked(stage, "t"));
    const agents = stage.agents();
    runner.child.kill("SIGSTOP");
    await hub.send(obey("s", { count: 3 }), "prompt");
    await Bun.sleep(3000);
    runner.child.kill("SIGCONT");
    await hub.done("prompt");
    await hub.until(() => numbers(hub, "s").length === 3);
    expect(stage.agents()).toEqual(agents);
    expect(hub.notes("s", "run_ended")).toEqual([]);
    expect(hub.notes("t", "run_ended")).toEqual([]);
  });

  test("[LK26] a time limit counts only the time in which this process ran", async () => {
    let over = false;
    const waited = delayWhileAwake(1000).then(() => (over = true));
    Bun.sleepSync(2000); // as if it had been stopped
    await Bun.sleep(0);
    expect(over).toBe(false);
    await waited;
  });

  test("[LK27] no agent has a file or socket of the runner open, and the runner's key appears nowhere", async () => {
    await using stage = openProcesses();
    const { hub } = stage;
    const runner = await stage.runner();
    await hub.order(marked(stage, "s"));
    await hub.note("s", "run_started");
    await hub.away();
    const [agent = 0] = stage.agents();
    const open = (pid: number) =>
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
        } catch {
          return []; // closed meanwhile
        }
      });
    expect(open(runner.pid).some((path) => path.endsWith("runner.lock"))).toBe(true);
    const ours = new Set(open(runner.pid));
    const nameless = /^(\/dev\/|anon_inode:)/; // the same name is not the same thing
    const shared = open(agent).filter((path) => ours.has(path) && !nameless.test(path));
    expect(shared.filter((path) => path.startsWith("/"))).toEqual([]);
    expect(shared.length).toBeLessThanOrEqual(3); // its stdin, stdout and stderr have two ends
    for (const pid of [runner.pid, agent]) {
      for (const file of ["environ", "cmdline"]) {
        expect(readFileSync(`/proc/${pid}/${file}`, "utf8")).not.toContain(hub.proving.key.pkcs8);
      }
    }
  });
});
