import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@signalbox/client";
import { pairDevice } from "@signalbox/testing/paired-device";
import { until } from "@signalbox/testing/until";
import { hasIpv6 } from "@signalbox/testing/machine";
import { holdInProcess } from "@signalbox/testing/held-sockets";
import { findParent } from "@signalbox/testing/process-facts";
import { noSquatter, startSquatter } from "@signalbox/testing/squatter";
import { readActivatedSockets } from "../src/serve/inherited-sockets.ts";
import { serve } from "@signalbox/testing/held-hub";
import { openStage } from "@signalbox/testing/cli-stage";

setDefaultTimeout(180_000);

/** The inodes of the sockets that listen on a port, with the addresses as /proc writes them. */
function listeners(port: number): Map<string, string> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"]
    .flatMap((path) => readFileSync(path, "utf8").split("\n"))
    .map((row) => row.trim().split(/\s+/))
    .filter((row) => row[3] === "0A" && row[1]?.endsWith(`:${hex}`));
  return new Map(rows.map((row) => [`socket:[${row[9]}]`, row[1]?.split(":")[0] ?? ""]));
}

function getSockets(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return []; // closed by now
    }
  });
}

const kill = (pid: number) => process.kill(pid, "SIGKILL");

test("[HH70] a killed hub is started again on the same sockets; who asks meanwhile is answered", async () => {
  await using stage = await openStage();
  const served = await serve(stage);
  const { port } = served;
  const planned = ["0100007F", ...(hasIpv6() ? ["00000000000000000000000001000000"] : [])];
  expect([...listeners(port).values()].toSorted()).toEqual(planned.toSorted());
  const sockets = [...listeners(port).keys()];
  for (let round = 1; round <= 3; round++) {
    const hub = await served.hub();
    kill(hub);
    for (const host of ["127.0.0.1", ...(hasIpv6() ? ["[::1]"] : [])]) {
      expect(await (await fetch(`http://${host}:${port}/health`)).text()).toBe("ok");
    }
    expect(await served.hub()).not.toBe(hub);
    await until("the next says where it is", () => served.starts() > round);
  }
  expect([...listeners(port).keys()]).toEqual(sockets);
  expect(served.lines.err).toContain(
    "The hub ended unexpectedly (killed by SIGKILL). Restarting in 0.1 s; the port stays open meanwhile.",
  );
  expect(served.lines.err).not.toContain("another user of this machine");
  expect(await served.end()).toBe(0);
  expect(listeners(port).size).toBe(0);
});

test.skipIf(noSquatter !== undefined)(
  `[HH70] while the hub is killed again and again another user never gets its port${noSquatter === undefined ? "" : ` (${noSquatter})`}`,
  async () => {
    await using stage = await openStage();
    const served = await serve(stage);
    using squatter = startSquatter(served.port);
    for (let round = 1; round <= 3; round++) {
      kill(await served.hub());
      await until("the next hub says where it is", () => served.starts() > round);
    }
    const { tries, taken } = await squatter.end();
    expect(tries).toBeGreaterThan(100);
    expect(taken).toBe(0);
    await served.end();
    // The same program gets a port that nobody holds.
    using control = startSquatter(served.port);
    await until("it is free", () => listeners(served.port).size > 0);
    expect((await control.end()).taken).toBeGreaterThan(0);
  },
);

test("[HH73] neither the runner nor its agents have the listening sockets", async () => {
  await using stage = await openStage();
  const served = await serve(stage);
  const { origin, hash } = served.link;
  const { credential: device } = await pairDevice({
    url: origin,
    code: hash.replace("#pair=", ""),
    name: "one",
  });
  using admin = connect({ url: origin, device });
  using board = admin.watchBoard();
  await until("the runner is there", () => board.view.runners.some(({ online }) => online));
  const agent = { name: "claude-code", path: "/bin/cat", driver: "stdio", models: [], flags: [] };
  await admin.setAgents([agent]);
  await admin.createSession({ folder: stage.folder, prompt: { text: "Hello" } }).catch(() => {});
  const hub = await served.hub();
  const held = [...listeners(served.port).keys()];
  expect(getSockets(hub)).toEqual(expect.arrayContaining(held));
  const others = stage.processes().filter((pid) => pid !== hub && pid !== served.holder.pid);
  expect(others.length).toBeGreaterThan(0);
  for (const pid of others) {
    const sockets = existsSync(`/proc/${pid}/fd`) ? getSockets(pid) : [];
    expect(sockets.filter((each) => held.includes(each))).toEqual([]);
  }
  await served.end();
});

test("[HH71] a hub whose holder is killed stops in order, and its port is free", async () => {
  await using stage = await openStage();
  const served = await serve(stage);
  const hub = await served.hub();
  kill(served.holder.pid);
  await until("the hub is gone", () => !stage.processes().includes(hub));
  await until("it has said why", () => served.lines.err.includes("The hub has stopped."));
  expect(served.lines.err).toContain("The process that holds the port has ended");
  expect(readdirSync(served.data)).not.toContain("hub.json");
  expect(listeners(served.port).size).toBe(0);
  await stage.signalbox(["stop", "--all", "--data", served.data]);
});

test("[HH71] signals and exit codes pass through launcher and holder", async () => {
  await using stage = await openStage();
  const served = await serve(stage, [], { onNode: true });
  served.holder.kill("SIGHUP"); // a closed terminal ends nothing
  expect(await (await fetch(`${served.link.origin}/health`)).text()).toBe("ok");
  const second = await stage.signalbox(["serve", "--port", "0", "--data", served.data], {
    onNode: true,
  });
  // It held a port of its own, and its hub was refused the folder: that is not tried again.
  expect(second).toMatchObject({ exit: 3, stdout: "" });
  expect(second.stderr).toContain("A hub is already running");
  expect(second.stderr).not.toContain("Restarting");
  expect(await served.end()).toBe(0);
  expect(served.lines.err).toContain("The hub has stopped.");
  expect(stage.processes()).toEqual([]);
});

test("[HH73] sockets of a service manager are used, and stay when the hub ends", async () => {
  await using stage = await openStage();
  using held = holdInProcess();
  const data = join(stage.folder, "../data");
  const start = (fds: readonly number[]) => {
    const command = stage.command(["serve", "--data", data], true);
    const script = `LISTEN_PID=$$ LISTEN_FDS=${fds.length} exec "$@"`;
    return stage.startWith(["sh", "-c", script, "sh", ...command], fds);
  };
  for (let round = 0; round < 2; round++) {
    const asked = fetch(`http://127.0.0.1:${held.port}/health`);
    const child = start(held.fds);
    expect(await (await asked).text()).toBe("ok");
    await child.spoke;
    const hubs = stage.processes().filter((pid) => findParent(pid) === child.pid);
    expect(hubs).toHaveLength(1);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  }
  await stage.signalbox(["stop", "--all", "--data", data]);
  if (hasIpv6()) expect(await start(held.fds.slice(0, 1)).exited).toBe(3);
});

test("[HH73] what tells of a service manager's sockets counts for its own process, and is passed on to none", () => {
  const told = (pid: number) => {
    const environment = {
      LISTEN_PID: String(pid),
      LISTEN_FDS: "2",
      LISTEN_FDNAMES: "a:b",
      HOME: "/",
    };
    return [readActivatedSockets(environment), environment] as const;
  };
  expect(told(process.pid)).toEqual([[3, 4], { HOME: "/" }] as never);
  expect(told(process.ppid)).toEqual([[3, 4], { HOME: "/" }] as never);
  expect(told(1)).toEqual([undefined, { HOME: "/" }] as never);
});

test("[HH74] a hub that does not hold its port says what that means", async () => {
  await using stage = await openStage();
  const served = await serve(stage, ["--no-hold"]);
  await until("it is said", () => served.lines.err.includes("another user of this machine"));
  expect(stage.processes().filter((pid) => findParent(pid) === served.holder.pid)).toEqual([]);
  expect(await served.end()).toBe(0);
});
