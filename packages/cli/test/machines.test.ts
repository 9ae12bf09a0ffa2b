import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";

setDefaultTimeout(180_000);

let hub: HubStage;
beforeAll(async () => {
  hub = await openHubStage();
});
afterAll(() => hub[Symbol.asyncDispose]());

/** Confirms the terminal that waits, as a person does in the browser. */
async function confirmTerminal(confirm = true): Promise<void> {
  using board = hub.admin.watchBoard();
  const terminal = await until("a terminal waits to be confirmed", () => board.view.elevations[0]);
  await hub.admin.decideElevation(terminal, confirm);
}

const machineNamed = async (name: string) =>
  (await hub.admin.runners()).find(({ machine }) => machine === name);
const online = (name: string) =>
  until(`the machine ${name} is connected`, async () => (await machineNamed(name))?.online);

describe("a second machine", () => {
  test("[MC2] a command without a terminal, and a code for another role, say where a machine is added", async () => {
    const add = await hub.command(["machines", "add"]);
    expect(add.exit).toBe(3);
    expect(add.stderr).toContain("Settings, Machines");
    const { code } = await hub.admin.createPairing("driver");
    hub.secrets.push(code);
    const data = join(hub.place, "wrong");
    const args = ["runner", "--hub", hub.url, "--data", data];
    const wrong = await hub.signalbox(args, { stdin: code });
    expect(wrong.exit).toBe(3);
    expect(wrong.stderr).toContain("signalbox machines add");
  });

  test("[MC2] [MC3] [MC4] is added from a terminal that a browser confirmed, chosen by name, and removed", async () => {
    const { terminal, exited } = hub.commandOnTerminal(["machines", "add"]);
    await terminal.until("Confirm this terminal");
    await confirmTerminal();
    await terminal.until(`npx signalbox runner --hub http://127.0.0.1:${hub.port}`);
    await terminal.until("expires in 5 minutes):\n");
    const [, code = ""] =
      (await terminal.until("This hub only listens")).match(/([0-9A-Z-]{20,})/) ?? [];
    hub.secrets.push(code);
    expect(await exited).toBe(0);

    // Another data folder and the same paths: as far as the hub goes, another machine.
    const data = join(hub.place, "attic");
    const args = ["runner", "--hub", hub.url, "--name", "attic", "--data", data];
    const runner = hub.start(args, { stdin: `${code}\n` });
    await online("attic");
    const listed = await hub.command(["machines"]);
    expect(listed.stdout).toMatch(/hub's machine\n/);
    expect(listed.stdout).toMatch(/ attic +connected +0 running\b/);

    const home = join(hub.place, "home"); // below it the command line may start sessions
    const folder = join(home, "project");
    mkdirSync(folder);
    const near = await hub.command(["new", "--folder", folder, "--title", "Near"]);
    expect(near.exit).toBe(0);
    const far = ["new", "--machine", "attic", "--title", "Far", "Hello.\n::say From the attic."];
    const nameless = await hub.command(far);
    expect(nameless.exit).toBe(2);
    expect(nameless.stderr).toContain("--folder must be an absolute path on attic");
    const gone = await hub.command([...far, "--folder", join(home, "gone")]);
    expect(gone.stderr).toContain("gone does not exist");
    const unknown = await hub.command([...far.with(2, "cellar"), "--folder", folder]);
    expect(unknown.exit).toBe(4);
    expect(unknown.stderr).toContain('No machine matches "cellar"');
    const begun = await hub.command([...far, "--folder", folder]);
    const id = begun.stdout.trim();
    const { stdout } = await hub.command(["attach", id, "--until-idle"]);
    expect(stdout).toContain("From the attic.");

    const attic = await machineNamed("attic");
    expect((await hub.admin.session(id)).runner).toBe(attic?.id ?? "");
    expect(attic?.runs).toBe(1);
    const own = (await hub.admin.runners()).find((one) => one.own);
    const projects = (await hub.admin.projects()).filter((one) => one.folder === folder);
    expect(projects.map((one) => one.runner).toSorted()).toEqual(
      [attic?.id ?? "", own?.id ?? ""].toSorted(),
    );
    const { stdout: table } = await hub.command(["ls"]);
    expect(table).toMatch(/Far +attic +\S*project/);
    const json = await hub.command(["ls", "--json"]);
    const rows = json.stdout
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row) as { title: string });
    expect(rows.find(({ title }) => title === "Far")).toMatchObject({ machine: "attic" });

    const removing = hub.commandOnTerminal(["machines", "remove", "attic"]);
    await removing.terminal.until("Confirm this terminal");
    await confirmTerminal(false);
    await removing.terminal.until("was not confirmed");
    expect(await removing.exited).toBe(3);
    const again = hub.commandOnTerminal(["machines", "remove", "attic"]);
    await again.terminal.until("Confirm this terminal");
    await confirmTerminal();
    await again.terminal.until("Removed attic.");
    expect(await again.exited).toBe(0);
    expect(await runner.exited).toBe(3);
    expect(await machineNamed("attic")).toBeUndefined();
  });
});
