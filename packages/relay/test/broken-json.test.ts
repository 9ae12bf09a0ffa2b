import { expect, setDefaultTimeout, test } from "bun:test";
import {
  onConnected,
  onConnectionLost,
  findHintedConversation,
  noTabs,
  routeConversation,
  onContent,
} from "../src/conversations/rotation.ts";
import { ScriptedAgent } from "./scripted-agent.ts";
import { RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

test("[RL60] a line that is not JSON can only choose among the connection's own conversations", () => {
  const first = routeConversation(
    onConnected(noTabs, "c1", "t1"),
    "c1",
    "conversation-1",
    "",
  ).state;
  const second = routeConversation(onContent(first, "c1"), "c1", "conversation-2", "t2").state;
  const both = routeConversation(onConnected(second, "c2", "t3"), "c2", "conversation-3", "").state;
  const hint = (line: string, connection = "c1") => findHintedConversation(both, connection, line);
  expect(hint("[system/init] session_id=conversation-1")).toBe("conversation-1");
  expect(hint('{"subtype": "init", "sessionId": "conversation-1", broken')).toBe("conversation-1");
  // A mere mention in the middle of a conversation.
  expect(hint("I have read session: conversation-1")).toBeUndefined();
  // One that nobody has, and those of another connection, in either direction.
  expect(hint("[init] session=conversation-9")).toBeUndefined();
  expect(hint("[init] session=conversation-3")).toBeUndefined();
  expect(hint("[init] session=conversation-1", "c2")).toBeUndefined();
  // Where nothing is known of the current one, a mention is enough.
  const fresh = onConnected(both, "c1", "t4");
  expect(findHintedConversation(fresh, "c1", "session: conversation-1")).toBe("conversation-1");
  const lost = onConnectionLost(both, "c1");
  expect(findHintedConversation(lost, "c1", "[init] session=conversation-1")).toBeUndefined();
  // A text of any length costs nothing.
  expect(hint(`${"session ".repeat(1e6)}[init] session=conversation-1`)).toBeUndefined();
});

test("[RL60] the text of an agent at / leads back to its earlier session, where it is stored unchanged, and never to another agent's session", async () => {
  await using stage = await RelayStage.open();
  const [mine, others] = [await stage.invite(), await stage.invite()];
  const [first, second, foreign] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  using holder = new ScriptedAgent(`${stage.ws}/`, bearer(others.secret));
  await stage.running(others.session);
  holder.text("of the other", { session_id: foreign });
  await until(async () => (await stage.texts(others.session)).length === 1);

  using agent = new ScriptedAgent(`${stage.ws}/`, bearer(mine.secret));
  await stage.running(mine.session);
  const before = new Set(stage.engine.sessions.list().map(({ id }) => id));
  agent.text("first words", { session_id: first });
  await until(async () => (await stage.texts(mine.session)).length === 1);
  agent.text("second words", { session_id: second });
  const fresh = () => stage.engine.sessions.list().find(({ id }) => !before.has(id))?.id ?? "";
  await until(async () => fresh() !== "" && (await stage.texts(fresh())).length === 1);

  // Another agent's conversation: the line stays where the agent is, and so does what follows.
  const hostile = `[system/init] session_id=${foreign}`;
  agent.raw(`${hostile}\n`);
  agent.text("still in the second");
  await until(async () => (await stage.texts(fresh())).length === 2);
  expect(await stage.texts(others.session)).toEqual(["of the other"]);

  const back = `[system/init] session_id=${first} (rewritten by a proxy)`;
  agent.raw(`${back}\n`);
  agent.text("in the first again");
  await until(async () => (await stage.texts(mine.session)).length === 2);
  expect(await stage.texts(mine.session)).toEqual(["first words", "in the first again"]);
  expect(await stage.texts(fresh())).toEqual(["second words", "still in the second"]);
  expect(JSON.stringify(await stage.items(mine.session))).toContain(back);
  expect(JSON.stringify(await stage.items(fresh()))).toContain(hostile);
  expect(JSON.stringify(await stage.items(others.session))).not.toContain("system/init");
  expect(stage.engine.sessions.list()).toHaveLength(3);
});
