import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import type { NewSession } from "@signalbox/api";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { plantBunSettings } from "@signalbox/testing/bun-settings";
import { Grounds } from "./grounds.ts";

setDefaultTimeout(180_000);

const starts: readonly [string, Partial<NewSession>][] = [
  ["signalbox-agent", { agent: "signalbox-agent" }],
  ["Claude Code 2.1.7", { agent: "old" }],
  ...(bubblewrapMissing === undefined
    ? [
        ["Claude Code without a network", { isolation: "no-network" }] as [
          string,
          Partial<NewSession>,
        ],
      ]
    : []),
];

test.each(starts.map(([name, options]) => [name, options] as const))(
  "[TS19] in an untrusted folder %s starts without what Bun would read there",
  async (_, options) => {
    await using grounds = await Grounds.open();
    const ground = grounds.plant({ plant: () => {} });
    const planted = plantBunSettings(ground.folder, join(ground.canaries, "ran"));
    const session = await grounds.session(ground, options);
    await grounds.run(session);
    expect(planted.ran()).toBe("");
    expect(grounds.stage.engine.sessions.get(session).summary.turns).toBe(1);
  },
);
