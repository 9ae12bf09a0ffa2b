import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { RelayStage } from "@signalbox/testing/relay-stage";
import { ScriptedAgent } from "./scripted-agent.ts";

setDefaultTimeout(180_000);

let stage: RelayStage;
beforeAll(async () => void (stage = await RelayStage.open(null)));
afterAll(() => stage[Symbol.asyncDispose]());

const read = () => stage.call("GET", "/api/relay");
const turn = (on: boolean) => stage.call("PUT", "/api/relay", { on });
async function restart(): Promise<void> {
  await stage.hub.stop();
  await stage.start();
}

test("[RL70] an approver turns the relay on and off for the hub's next start, and the audit has each change", async () => {
  expect(await read()).toEqual({ on: false, running: false, startOption: false });
  await turn(true);
  expect(await read()).toEqual({ on: true, running: false, startOption: false });
  const isRefused = await stage.invite().catch(({ message }: Error) => message);
  expect(isRefused).toContain("no-relay");

  await restart();
  expect(await read()).toEqual({ on: true, running: true, startOption: false });
  const { session, secret, url } = await stage.invite();
  using agent = new ScriptedAgent(url, { authorization: `Bearer ${secret}` });
  await stage.running(session);
  agent.text("dialed in without --relay");
  await turn(false);
  expect(await read()).toEqual({ on: false, running: true, startOption: false });

  await restart();
  expect(await read()).toEqual({ on: false, running: false, startOption: false });
  const { entries } = (await stage.call("GET", "/api/audit?limit=100")) as {
    entries: { what: string; facts: { on?: boolean; before?: boolean } }[];
  };
  const changes = entries.filter(({ what }) => what === "relay-set");
  expect(changes.map(({ facts: { on, before } }) => [on, before])).toEqual([
    [false, true],
    [true, false],
  ]);
});

test("[RL70] a driver's device cannot turn the relay on", async () => {
  const driver = await stage.paired("driver");
  const admin = stage.token;
  stage.token = driver;
  expect(String(await turn(true).catch((error: unknown) => error))).toContain("403");
  expect(await read()).toMatchObject({ on: false });
  stage.token = admin;
});
