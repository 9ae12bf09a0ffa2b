import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Driver, sdkDriver, sdkUrlDriver, stdioDriver } from "@signalbox/host";
import { Isolation } from "@signalbox/host/isolation";
import { type AgentVersion, openStage } from "@signalbox/testing/agent-stage";
import {
  attackScript,
  bubblewrapMissing,
  everyAttack,
  openDataFolder,
} from "@signalbox/testing/attacks";

setDefaultTimeout(180_000);

const isRoot = process.getuid?.() === 0;

/** The real agent runs the attacks in a command that was allowed. Gives those that succeeded. */
async function attackBy(
  make: (isolation: Isolation) => Driver,
  version: AgentVersion,
  profile?: string,
): Promise<{ succeeded: string[]; isolated: boolean | undefined; planted: boolean }> {
  using hidden = openDataFolder();
  const isolation = new Isolation({ hide: [hidden.data] });
  await using stage = await openStage("", make(isolation));
  const launch = profile === undefined ? {} : { isolation: profile };
  const talk = await stage.start(version, launch, { onAsk: () => ({ behavior: "allow" }) });
  const command = `sh ${attackScript} ${hidden.data} ${process.pid}`;
  await talk.turn(`::tool Bash ${JSON.stringify({ command })}\n::say done`);
  const printed = talk.toolResults;
  expect(printed).toContain("finished");
  const succeeded = everyAttack.filter((name) => printed.includes(name));
  const others = ["unmount", "mount over", "enter a process"].filter((name) =>
    printed.includes(name),
  );
  const planted = existsSync(join(hidden.data, "planted"));
  const isolated = talk.host.run.isolation?.isolated;
  return { succeeded: [...succeeded, ...others], isolated, planted };
}

describe("an agent that attacks from within an allowed command", () => {
  const drivers = [
    ["stdio", stdioDriver, "2.1.325"],
    ["sdk", sdkDriver, "2.1.325"],
    ["sdk-url", sdkUrlDriver, "2.1.7"],
  ] as const;

  test.if(bubblewrapMissing === undefined).each(drivers)(
    "[DR8] through %s: reads nothing of Signalbox's, and signals and traces none of its processes",
    async (_, driver, version) => {
      const found = await attackBy((isolation) => driver({ isolation }), version);
      expect(found).toEqual({ succeeded: [], isolated: true, planted: false });
    },
  );

  test.if(isRoot)("[DR8] succeeds with all of it where the isolation is off", async () => {
    const found = await attackBy((isolation) => stdioDriver({ isolation }), "2.1.325", "off");
    expect(found.isolated).toBe(false);
    expect(found.planted).toBe(true);
    expect(found.succeeded).toEqual(expect.arrayContaining([...everyAttack]));
  });
});
