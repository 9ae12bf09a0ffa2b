import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { parseDuration } from "../src/hub/times.ts";

setDefaultTimeout(180_000);

let hub: Awaited<ReturnType<typeof openHubStage>>;
beforeAll(async () => {
  hub = await openHubStage();
});
afterAll(() => hub[Symbol.asyncDispose]());

const create = (title: string) => hub.admin.createSession({ folder: hub.folder, title });

test("[HB160] signalbox edit renames, labels, pins and snoozes sessions, and ls lists those with a label", async () => {
  const [{ id: first }, { id: second }] = [await create("First"), await create("Second")];
  const both = await hub.command(["edit", first, second, "--add-label", "api", "--pin"]);
  expect(both.stderr).toBe("");
  const edit = ["edit", first, "--title", "Renamed", "--add-label", "urgent", "--snooze", "2d"];
  expect((await hub.command(edit)).stdout).toContain(
    "Renamed  (api, urgent, pinned, snoozed until",
  );
  expect((await hub.admin.session(first)).snoozedUntil).toBeGreaterThan(Date.now());
  expect((await hub.command(["ls", "--label", "urgent"])).stdout).toContain("#urgent");
  expect((await hub.command(["ls", "--label", "urgent"])).stdout).not.toContain("Second");
  await hub.command(["edit", first, "--remove-label", "api", "--unsnooze", "--unpin"]);
  expect(await hub.admin.session(first)).toMatchObject({ labels: ["urgent"], pinned: false });
  const wrong = await hub.command(["edit", first, "--snooze", "soon"]);
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining("30m, 4h, 2d or 1w")]);
});

test("[HB161] signalbox trash moves a session to the trash and takes it out again", async () => {
  const { id } = await create("Unwanted");
  expect((await hub.command(["trash", id])).stdout).toContain("moved to the trash");
  expect((await hub.command(["ls"])).stdout).not.toContain("Unwanted");
  expect((await hub.command(["trash"])).stdout).toContain("Unwanted");
  expect((await hub.command(["trash", "--restore", "Unwanted"])).exit).toBe(0);
  expect((await hub.command(["ls"])).stdout).toContain("Unwanted");
  await hub.command(["trash", id]);
  expect((await hub.command(["trash", "--empty"])).stdout).toBe("Deleted 1 session.\n");
  expect((await hub.command(["trash"])).stdout).toBe("The trash is empty.\n");
});

test("durations are a number and a unit", () => {
  expect(["30m", "4h", "2d", "1w"].map(parseDuration)).toEqual([18e5, 144e5, 1728e5, 6048e5]);
  expect(["", "0d", "2", "soon", "-1d", "1.5h"].map(parseDuration)).toEqual(
    Array(6).fill(undefined),
  );
});
