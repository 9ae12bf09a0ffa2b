import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { openWhole, settle } from "@signalbox/testing/whole-hub";

setDefaultTimeout(180_000);

test("[HH63] a driver reads no settings outside of the allowed folders: neither as further folders, nor through a session whose folder was replaced by a link", async () => {
  using temporary = tempFolder();
  const outside = join(temporary.path, "private");
  mkdirSync(join(outside, ".claude"), { recursive: true });
  writeFileSync(join(outside, ".claude/settings.json"), '{"env":{"KEY":"a-secret"}}');
  await using whole = await openWhole();
  const { folder } = whole;
  const { driver } = await settle(whole);
  const refused = { status: 403, body: { code: "folder-not-allowed" } };

  const further = { folder, addDirs: [outside] };
  expect(await driver("POST", "/api/trust/revoke", further)).toMatchObject(refused);

  const made = await driver("POST", "/api/sessions", { folder });
  const { id } = made.body as { id: string };
  const path = `/api/sessions/${id}/trust`;
  expect(await driver("GET", path)).toMatchObject({ status: 200, body: { findings: [] } });
  renameSync(folder, `${folder}-before`);
  symlinkSync(outside, folder);
  expect(await driver("GET", path)).toMatchObject(refused);
});
