import { expect, test } from "bun:test";
import { openStore } from "@signalbox/hub/store";
import { digestParts } from "../../src/devices/audited-settings.ts";
import { Settings } from "../../src/services/settings.ts";
import { listVariables, SALT } from "../../src/services/stored-environments.ts";
import { audit, openFolder } from "../store/rows.ts";
import { RunnerLinks } from "../../src/link/runner-links.ts";
import { DriverCatalog } from "../../src/services/driver-catalog.ts";

const drivers = new DriverCatalog(new RunnerLinks());

test("[LG29] when two hubs of one store set their first environments, both digest them with the salt that was added first", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path);
  const hubs = [new Settings(store, drivers), new Settings(store, drivers)];
  for (const hub of hubs) await hub.load();
  const variables = { work: { KEY: "secret" } };
  for (const hub of hubs) {
    await hub.setEnvironments(variables, (facts) => audit("environments-set", facts));
  }
  const salt = await store.setting(SALT);
  const expected = digestParts(listVariables(variables), salt);
  const entries = await store.audit(0, 10);
  expect(entries.map(({ facts }) => facts)).toEqual([expected, expected]);
});
