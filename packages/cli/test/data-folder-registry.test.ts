import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { DataFolderRegistry } from "../src/hub/data-folder-registry.ts";
import { openHubStage } from "@signalbox/testing/hub-stage";

setDefaultTimeout(180_000);

test("[DR8] data folders are remembered once each, and forgotten when they are gone", () => {
  const place = mkdtempSync(join(tmpdir(), "signalbox-known-"));
  try {
    const known = new DataFolderRegistry(join(place, "state"));
    expect(known.list()).toEqual([]);
    const [one, two] = [join(place, "one"), join(place, "two")];
    for (const folder of [one, two, one]) {
      mkdirSync(folder, { recursive: true });
      known.add(folder);
    }
    const others = join(place, "state/data-folders", "0".repeat(64));
    writeFileSync(others, "/somebody/else's");
    chmodSync(others, 0o644);
    expect(known.list().toSorted()).toEqual([one, two]);
    rmSync(two, { recursive: true });
    expect(known.list()).toEqual([one]);
    expect(readdirSync(join(place, "state/data-folders"))).toHaveLength(2);
    const unwritable = new DataFolderRegistry(join(others, "state"));
    unwritable.add(one);
    expect(unwritable.list()).toEqual([]);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});

const title =
  "[DR8] an agent that no hub has started does not read the data folder of a hub elsewhere";
test.skipIf(bubblewrapMissing !== undefined)(
  bubblewrapMissing === undefined ? title : `${title} (skipped: ${bubblewrapMissing})`,
  async () => {
    await using hub = await openHubStage();
    const command = `cat ${hub.data}/identity.json; ls ${hub.data}; echo looked`;
    const look = `::tool Bash ${JSON.stringify({ command })}\n::say done`;
    const args = ["--allowed-tools", "Bash", "--output", "lines"];
    const { stdout } = await hub.run([...args, look]);
    expect(stdout).toContain("looked");
    expect(stdout).not.toContain("privateKey");
    expect(stdout).not.toContain("signalbox.sqlite");
  },
);
