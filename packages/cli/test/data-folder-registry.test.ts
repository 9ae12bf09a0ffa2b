import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { DataFolderRegistry } from "../src/hub/data-folder-registry.ts";
import { openStage } from "@signalbox/testing/cli-stage";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { readUntil } from "@signalbox/testing/read-until";
import { until } from "@signalbox/testing/until";

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

const laterTitle =
  "[DR8] an agent reads no data folder of a hub or a demo that is started after it, though none was there before";
test.skipIf(bubblewrapMissing !== undefined)(
  bubblewrapMissing === undefined ? laterTitle : `${laterTitle} (skipped: ${bubblewrapMissing})`,
  async () => {
    await using stage = await openStage();
    const places = `~/.local/share/signalbox /tmp/signalbox-demo-* "/tmp/signalbox-$(id -u)"/* $TMPDIR/signalbox-demo-*`;
    const command = `touch waits; until [ -e go ]; do sleep 0.1; done; for place in ${places}; do cat $place/identity.json; done; echo looked`;
    const prompt = `::tool Bash ${JSON.stringify({ command })}\n::say done`;
    const args = ["--allowed-tools", "Bash", "--output", "lines", prompt];
    const agent = stage.start(["run", ...stage.here, ...args]);
    const output = new Response(agent.stdout).text();
    await until(() => stage.has("waits"));
    const hubs = [
      ["serve", "--no-hold"],
      ["serve", "--demo"],
    ].map((serve) => stage.start([...serve, "--port", "0"]));
    for (const { stdout } of hubs) await readUntil(stdout.getReader(), "\n");
    writeFileSync(stage.at("go"), "");
    expect(await output).toContain("looked");
    expect(await output).not.toContain("privateKey");
    for (const hub of hubs) {
      hub.kill("SIGTERM");
      await hub.exited;
    }
    await stage.signalbox(["stop", "--all"]);
  },
);
