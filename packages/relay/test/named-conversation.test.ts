import { expect, setDefaultTimeout, test } from "bun:test";
import { turn } from "./foreign-relay.ts";
import { RecordedFrontEnd } from "./front-ends.ts";
import { ScriptedAgent } from "./scripted-agent.ts";
import { RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

test("[RL21] a prompt goes to the agent whose conversation it names, without a name to the agent that connected last, and with an unknown name to nobody", async () => {
  await using stage = await RelayStage.open();
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const invite = async () => {
    const { session, secret, url } = await stage.invite();
    const agent = new ScriptedAgent(url, bearer(secret));
    await stage.running(session);
    return { session, agent };
  };
  const [first, last] = [await invite(), await invite()];
  using _ = first.agent;
  using __ = last.agent;
  first.agent.say(...turn("of the first", "here I am"));
  await until(() => stage.view(first.session).summary.turns === 1);
  using front = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws"));
  await front.opened();
  const prompt = (content: string, session_id: string) =>
    front.send({ type: "user", message: { role: "user", content }, session_id });
  prompt("to nobody", "of nobody");
  const refused = await front.see(({ text }) => String(text).startsWith("refused:"));
  expect(refused["text"]).toContain("session_id");
  prompt("to the first", "of the first");
  prompt("to the last", "");
  const heard = ({ agent }: typeof first) => agent.heard.filter(({ type }) => type === "user");
  await until(() => heard(first).length === 1 && heard(last).length === 1);
  expect(JSON.stringify(heard(first))).toContain("to the first");
  expect(JSON.stringify(heard(last))).toContain("to the last");
  expect(JSON.stringify([heard(first), heard(last)])).not.toContain("to nobody");

  // Both sessions have had the conversation; of one of them the agent is there.
  first.agent.break();
  await until(() => stage.view(first.session).dialled?.connected === false);
  last.agent.say(...turn("of the first", "taken up elsewhere"));
  await until(() => stage.view(last.session).summary.turns === 1);
  prompt("to who is there", "of the first");
  await until(() => heard(last).length === 2);
  expect(JSON.stringify(heard(last))).toContain("to who is there");
});
