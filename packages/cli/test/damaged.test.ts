import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openHubStage } from "@signalbox/testing/hub-stage";

setDefaultTimeout(180_000);

interface Report {
  readonly checks: readonly {
    readonly what: string;
    readonly state: string;
    readonly detail: string;
  }[];
}

test("a database is checked on request, and one that is damaged is said to be at the start and left as it is", async () => {
  await using hub = await openHubStage();
  const database = join(hub.data, "signalbox.sqlite");
  const looked = async () => {
    const { stdout } = await hub.command(["doctor", "--database", "--json"]);
    const { checks } = JSON.parse(stdout) as Report;
    return checks.find(({ what }) => what === "database");
  };
  expect(await looked()).toMatchObject({ state: "ok", detail: "no errors" });
  await hub.stopHub();
  expect(await looked()).toMatchObject({ state: "ok", detail: "no errors (checked now)" });
  const sound = readFileSync(database);

  truncateSync(database, sound.length >> 1);
  const cut = readFileSync(database);
  expect(await looked()).toMatchObject({ state: "problem" });
  await hub.serveElsewhere();
  expect(hub.serving.line).not.toContain("#pair="); // nobody could be let in: it cannot be stored
  const said = await hub.stopHub();
  expect(said).toContain(`The database ${database} is damaged`);
  expect(said).toContain("It was left unchanged");
  expect(readFileSync(database).equals(cut)).toBe(true);
});
