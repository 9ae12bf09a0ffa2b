import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "@signalbox/client";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";
import { pairDevice } from "@signalbox/testing/paired-device";
import { SeenTerminal } from "@signalbox/testing/seen-terminal";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

let hub: HubStage;
let session: { id: string; runner: string };
beforeAll(async () => {
  hub = await openHubStage();
  session = await hub.admin.createSession({ folder: hub.folder });
});
afterAll(() => hub[Symbol.asyncDispose]());

const audit = async (what: string) =>
  (await hub.admin.audit({ limit: 200 })).entries.filter((entry) => entry.what === what);

describe("shells beside a session", () => {
  test("[TM10] two shells keep their programs and screens when the hub is killed", async () => {
    const one = await hub.admin.openShell(session.id);
    const two = await hub.admin.openShell(session.id, { name: "build", cols: 60, rows: 20 });
    expect([one.name, two.name, one.folder]).toEqual(["Shell 1", "build", hub.folder]);
    using first = new SeenTerminal(hub.admin, one.id, session.runner);
    using second = new SeenTerminal(hub.admin, two.id, session.runner);
    first.type("echo first$((40+2)); cd /tmp; MARK=kept\r");
    await first.shows("first42");
    second.type("echo second$((40+3))\r");
    await second.shows("second43");
    expect(second.size).toEqual({ cols: 60, rows: 20 });

    await hub.killHub();
    await hub.serveAgain();
    first.type(""); // nothing was typed meanwhile
    await until("the first terminal is drawn again", () => first.snapshots > 1);
    await first.shows("first42");
    await until("what is typed arrives again", async () => {
      first.type("echo back-$MARK\r");
      return first.text.includes("back-kept");
    });
    await second.shows("second43");
    const listed = await hub.admin.terminals();
    expect(listed.map(({ name }) => name).toSorted()).toEqual(["Shell 1", "build"]);

    second.type("exit 3\r");
    await until("the end is listed", async () =>
      (await hub.admin.terminals()).some(({ end }) => end?.exitCode === 3),
    );
    await until(
      "its end is in the audit log, once",
      async () => (await audit("shell-ended")).length,
    );
    await hub.admin.closeTerminal(two.id);
    await until("a viewer is told that it is closed", () => second.gone);
    await hub.admin.closeTerminal(one.id);
    expect(await hub.admin.terminals()).toEqual([]);
    expect((await audit("shell-opened")).length).toBe(2);
    expect((await audit("shell-ended")).length).toBe(2);
  });

  test("[TM11] only an approver's device types; a viewer of the role driver watches", async () => {
    const shell = await hub.admin.openShell(session.id, {});
    const { code } = await hub.admin.createPairing("driver");
    hub.secrets.push(code);
    const paired = await pairDevice({ url: hub.url, code, name: "a driver" });
    using driver = connect({ url: hub.url, device: paired.credential });
    using seen = new SeenTerminal(hub.admin, shell.id, session.runner);
    using watched = new SeenTerminal(driver, shell.id, session.runner);
    await until("the driver sees the screen", () => watched.snapshots);
    watched.type("echo typed-by-driver\r");
    watched.resize({ cols: 33, rows: 11 });
    // A driver's frame and this one take the same way: after the second, the first has been refused.
    using second = connect({ url: hub.url, device: paired.credential });
    expect(await second.openShell(session.id).catch((error: Error) => error)).toMatchObject({
      status: 403,
    });
    seen.type("echo typed-by-$((1+1))-approver\r");
    await seen.shows("typed-by-2-approver");
    await watched.shows("typed-by-2-approver");
    expect(watched.text).not.toContain("typed-by-driver");
    expect(watched.size).toEqual({ cols: 100, rows: 30 });
    seen.resize({ cols: 90, rows: 25 });
    await until("viewers follow the size of who types", () => watched.size.cols === 90);
    await hub.admin.closeTerminal(shell.id);
  });

  test("[TM12] queries are answered once, by the runner, and no viewer is asked", async () => {
    const shell = await hub.admin.openShell(session.id, {});
    using one = new SeenTerminal(hub.admin, shell.id, session.runner);
    using two = new SeenTerminal(hub.admin, shell.id, session.runner);
    await until("both are there", () => one.snapshots && two.snapshots);
    one.type(
      `printf '\\e[6n'; IFS= read -rsd R answer; printf 'got %q\\n' "$answer"; IFS= read -rsn 1 more; echo "more:[$more]"\r`,
    );
    await one.shows("got $"); // the echo of what was typed has %q there
    one.type("q"); // a second answer would have been read in its place
    await one.shows("more:[q]");
    expect(one.text).toMatch(/got .*\[\d+\\?;\d+/);
    expect([...one.answers, ...two.answers]).toEqual([]);
    await hub.admin.closeTerminal(shell.id);
  });
});
