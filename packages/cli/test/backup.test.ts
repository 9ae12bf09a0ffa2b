import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openHubStage } from "@signalbox/testing/hub-stage";

setDefaultTimeout(180_000);

interface Report {
  readonly checks: readonly {
    readonly what: string;
    readonly state: string;
    readonly detail: string;
    readonly remedy?: string;
  }[];
}

test("a hub is backed up while it runs, loses its database, and is restored with its devices and sessions", async () => {
  await using hub = await openHubStage();
  const doctor = async (what: string) => {
    const { stdout } = await hub.command(["doctor", "--json"]);
    return (JSON.parse(stdout) as Report).checks.find((check) => check.what === what);
  };
  expect(await doctor("backup")).toMatchObject({ detail: "no backup known" });
  expect(await doctor("database")).toMatchObject({ state: "ok" });
  expect((await doctor("database"))?.detail).toStartWith("no errors (checked ");
  await hub.admin.createSession({ folder: hub.folder, title: "kept" });
  const file = join(hub.place, "hub.backup");
  const made = await hub.command(["backup", file]);
  expect(made).toMatchObject({ exit: 0, stderr: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await doctor("backup"))?.detail).toStartWith(`${file}, made `);
  const again = await hub.command(["backup", file]);
  expect(again.exit).toBe(3);
  expect(again.stderr).toContain("already exists");

  const refused = await hub.command(["restore", file]);
  expect(refused.exit).toBe(3);
  expect(refused.stderr).toContain("signalbox stop --all");
  await hub.stopHub();
  await hub.command(["stop", "--all"]);
  for (const end of ["", "-wal", "-shm"]) {
    rmSync(join(hub.data, `signalbox.sqlite${end}`), { force: true });
  }
  const start = await hub.command(["serve", "--port", "0"]);
  expect(start.exit).toBe(3);
  expect(start.stderr).toContain("signalbox restore FILE");

  const restored = await hub.command(["restore", file]);
  expect(restored).toMatchObject({ exit: 0, stderr: "" });
  expect(existsSync(join(hub.data, "signalbox.sqlite"))).toBe(true);
  expect(readdirSync(hub.data).some((name) => name.startsWith("before-restore-"))).toBe(true);
  await hub.serveAgain();
  expect((await hub.admin.sessions()).map(({ title }) => title)).toEqual(["kept"]);

  // Where the hub's keys are not, nobody who was let in before knows it: the first pairing is offered.
  const elsewhere = join(hub.place, "elsewhere");
  const moved = await hub.signalbox(["restore", file, "--data", elsewhere]);
  expect(moved).toMatchObject({ exit: 0, stderr: "" });
  expect(moved.stdout).toContain("Pair every browser, machine and program again");
  const other = hub.start(["serve", "--no-hold", "--port", "0", "--data", elsewhere]);
  try {
    const { value } = await other.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toContain("#pair=");
  } finally {
    other.kill("SIGTERM");
    await other.exited;
    await hub.signalbox(["stop", "--all", "--data", elsewhere]);
  }
});
