import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HubStage, openHubStage } from "@signalbox/testing/hub-stage";

setDefaultTimeout(180_000);

let hub: HubStage;
/** Outside of what `--root` allows. */
let outside: string;
beforeAll(async () => {
  hub = await openHubStage();
  outside = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-outside-")));
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  rmSync(outside, { recursive: true, force: true });
});

test("[HB85] the command line starts sessions below the allowed folders alone, and says where to allow another", async () => {
  expect(await hub.command(["new"])).toMatchObject({ exit: 0 });
  const link = join(hub.place, "way-out");
  symlinkSync(outside, link);
  for (const folder of [outside, link, "/"]) {
    const { exit, stdout, stderr } = await hub.command(["new", "--folder", folder]);
    expect([folder, exit, stdout]).toEqual([folder, 3, ""]);
    expect(stderr).toContain(`the allowed folders on this machine are ${hub.place}`);
    expect(stderr).toContain("Start the first session there on an approver's device");
    expect(stderr).toContain("under Settings, Trust");
  }
  const extra = await hub.command(["new", "--add-dir", outside]);
  expect([extra.exit, extra.stderr]).toEqual([3, expect.stringContaining(outside)]);

  await hub.admin.createSession({ folder: outside });
  expect(await hub.command(["new", "--folder", outside])).toMatchObject({ exit: 0 });
  const inside = join(outside, "inside");
  mkdirSync(inside);
  expect(await hub.command(["new", "--folder", inside])).toMatchObject({ exit: 0 });
});

test.each([
  ["--policy", "accept-edits"],
  ["--policy", "autonomous"],
  ["--mode", "acceptEdits"],
])("[HH61] the command line does not begin a session with %s %s", async (flag, value) => {
  const { exit, stdout, stderr } = await hub.command(["new", flag, value]);
  expect([exit, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("approver");
});

test("[HH62] serve --root sets them, and says what is wrong with one", async () => {
  const [machine] = await hub.admin.allowedFolders();
  expect(machine).toMatchObject({ folders: [hub.place], isDefault: false });
  const { exit, stderr } = await hub.signalbox(["serve", "--root", "/nowhere/at/all"]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining("--root: /nowhere/at/all does not")]);
});
