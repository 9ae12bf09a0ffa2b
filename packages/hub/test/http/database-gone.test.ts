import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startHub } from "@signalbox/hub";
import type { PairedDevice } from "@signalbox/api";
import { until } from "@signalbox/testing/until";
import { openFolder } from "../store/rows.ts";
import { newDevice } from "@signalbox/testing/signed-requests";
import { caller } from "@signalbox/testing/whole-hub";

setDefaultTimeout(180_000);

test("[LG21] a hub whose database is deleted accepts no session of twenty, says why, and has saved the rest", async () => {
  await using place = await openFolder();
  const data = join(place.path, "data");
  await using hub = await startHub({ data, version: "0.0.0", port: 0 });
  const { code } = hub.firstPairing() ?? {};
  const { publicKey, createKey } = newDevice();
  const paired = await caller(hub, "x")("POST", "/api/pair", { code, name: "desk", publicKey });
  const admin = caller(hub, createKey((paired.body as PairedDevice).device.id));
  const make = () => admin("POST", "/api/sessions", { folder: place.path });
  expect((await make()).status).toBe(201);
  for (const end of ["", "-wal", "-shm"]) rmSync(join(data, `signalbox.sqlite${end}`));
  const answers = await Promise.all(Array.from({ length: 20 }, make));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
  expect(answers[0]?.body).toMatchObject({ code: "store-failed" });
  const { trouble } = (await admin("GET", "/api/hub")).body as { trouble: string };
  expect(trouble).toContain("was deleted or moved away");
  await until("what was stored is saved", () => hub.trouble?.includes("signalbox-saved-"));
});
