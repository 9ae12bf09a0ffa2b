import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import { RelayStage } from "@signalbox/testing/relay-stage";
import { tempFolder } from "@signalbox/testing/fake-agent";

setDefaultTimeout(180_000);

test("[HH63] of a session whose agent dials in nobody sees files or settings outside of the allowed folders", async () => {
  using temporary = tempFolder();
  const [inside, outside] = ["inside", "outside"].map((name) => join(temporary.path, name));
  if (!inside || !outside) throw new Error("no folders");
  for (const folder of [inside, outside]) {
    mkdirSync(join(folder, ".claude"), { recursive: true });
    writeFileSync(join(folder, "customers.txt"), "");
    writeFileSync(join(folder, ".claude/settings.json"), '{"env":{"KEY":"a-secret"}}');
  }
  await using stage = await RelayStage.open({});
  await stage.call("PUT", "/api/allowed-folders", { folders: [inside] });
  const admin = stage.token;
  const driver = await stage.paired("driver");
  const look = async (folder: string, path: string) => {
    const { session } = (await stage.call("POST", "/api/relay/agents", { folder })) as {
      session: string;
    };
    const read = stage.call("GET", `/api/sessions/${session}/${path}`);
    return read.then(
      (answer) => JSON.stringify(answer),
      ({ message }: Error) => /"code":"([\w-]+)"/.exec(message)?.[1],
    );
  };
  for (const token of [driver, admin]) {
    stage.token = token;
    expect(await look(inside, "files?query=customers")).toBe('["customers.txt"]');
    expect(await look(inside, "trust")).toContain("a-secret");
    expect(await look(outside, "files?query=customers")).toBe("folder-not-allowed");
    expect(await look(outside, "trust")).toBe("folder-not-allowed");
  }
});
