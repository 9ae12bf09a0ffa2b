import { expect, setDefaultTimeout, test } from "bun:test";
import type { Item } from "@signalbox/timeline";
import { EngineStage, person } from "@signalbox/testing/engine-stage";
import { refusal } from "./bench.ts";

setDefaultTimeout(180_000);

test("[HB68] a session goes back to an earlier message in place, what came after it stays as a branch, and the branch can be continued", async () => {
  await using stage = await EngineStage.open();
  const { sessions } = stage.engine;
  const { id } = await stage.create({ prompt: { text: "::say First." } });
  await stage.turns(id, 1);
  await stage.send(id, "::say Second.");
  await stage.turns(id, 2);
  const prompts = (await stage.items(id)).filter(
    (item): item is Extract<Item, { kind: "prompt" }> => item.kind === "prompt",
  );
  const second = prompts[1];
  await sessions.rewind(id, { before: second?.uuid ?? second?.id ?? "" }, person);
  expect(sessions.get(id).state).toBe("parked");
  await stage.send(id, "::say Third.");
  await stage.turns(id, 3);
  const last = () => stage.requests.at(-1) ?? "";
  expect([last().includes("First."), last().includes("Second.")]).toEqual([true, false]);

  const { branches } = await sessions.listBranches(id);
  expect(branches.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  const [, left] = branches;
  expect(left).toMatchObject({ text: "::say Second.", messages: 2, isReachable: true });
  await sessions.rewind(id, { at: left?.end ?? "" }, person);
  await stage.send(id, "::say Fourth.");
  await stage.turns(id, 4);
  expect(["First.", "Second.", "Third."].map((text) => last().includes(text))).toEqual([
    true,
    true,
    false,
  ]);
  expect(await stage.texts(id)).toEqual(["First.", "Second.", "Third.", "Fourth."]);
  expect((await sessions.listBranches(id)).branches).toHaveLength(2);
  expect((await refusal(sessions.rewind(id, { at: "nothing" }, person))).code).toBe(
    "no-such-message",
  );
  expect(sessions.list()).toHaveLength(1);
});
