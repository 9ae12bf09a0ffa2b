import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { Dial, startDialedAgent } from "@signalbox/runner/dial";
import { agents } from "@signalbox/testing/agent-stage";
import { testedAgent } from "@signalbox/testing/tested-agent";
import { runLifecycle } from "@signalbox/testing/session-lifecycle";
import { openCutter } from "@signalbox/testing/cutter";
import { DialedAgentStage } from "./dialed-agent-stage.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

test.each([
  ["Claude Code 2.1.325", agents["2.1.325"]],
  ["signalbox-agent", join(import.meta.dir, "../../reference-agent/bin/signalbox-agent.mjs")],
])(
  "[DR1] [DL7] a session behaves through dial, with %s, as on every driver, and the command ends with its agent",
  async (_, agent) => {
    await using stage = await RelayStage.open({}, { real: true });
    await using place = new DialedAgentStage(stage, () => stage.hub.port, agent);
    await runLifecycle(place, {
      create: (text) => place.create(text),
      restart: () => place.dial(),
      park: async (id) => {
        await place.engine.sessions.park(id, person);
        expect(await place.left()).toBe(0);
      },
    });
  },
);

test("[DL7] every message arrives once and every text is complete over twenty interruptions at random places", async () => {
  await using stage = await RelayStage.open({}, { real: true });
  await using cutter = await openCutter(stage.hub.port);
  const { session, secret } = await stage.invite("dialed");
  const { process: agent, about } = await startDialedAgent({
    command: [testedAgent],
    folder: stage.folder,
    environment: stage.agentEnvironment,
  });
  const dial = new Dial({
    url: `ws://127.0.0.1:${cutter.port}/ws/cli/${session}`,
    token: secret,
    process: agent,
    about,
    dataFolder: join(stage.data, "dial"),
    firstMs: 50,
  });
  await stage.running(session);
  const said: string[] = [];
  while (cutter.cuts < 20) {
    cutter.cutWithin(Math.floor(Math.random() * 6000));
    said.push(`Part ${said.length + 1} ${"and so on ".repeat(30)}`.trim());
    await stage.turn(session, `::say ${said.at(-1)}`);
  }
  await until(() => stage.view(session).queue.length === 0);
  expect(await stage.texts(session)).toEqual(said);
  const lines = await stage.engine.history.listLines(session, { after: 0, limit: 5000 });
  const uuids = lines.flatMap(({ text, from }) => {
    const uuid = from === "agent" ? /"uuid":"([^"]+)"/.exec(text ?? "")?.[1] : undefined;
    return uuid === undefined ? [] : [uuid];
  });
  expect(uuids).toHaveLength(new Set(uuids).size);
  await stage.engine.sessions.stop(session, person);
  expect(await dial.done).toEqual({ kind: "delivered" });
  await agent.close();
});
