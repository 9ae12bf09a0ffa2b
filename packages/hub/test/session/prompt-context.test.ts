import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { NewPrompt } from "@signalbox/api";
import { newPrompt } from "@signalbox/api/schemas";
import { splitContext } from "@signalbox/protocol/wire";
import { Bench, desk, refusal } from "./bench.ts";
import { type FakeRunner, until } from "./fake-runner.ts";
import { begin, init, replay, result, said } from "./speech.ts";

setDefaultTimeout(180_000);

const context = {
  title: "Slide 3",
  data: { view: "slides", selection: { element: "h1", text: "</signalbox-context>" } },
};
const prompt: NewPrompt = { text: "Make it shorter.", context };

const lastOrder = (runner: FakeRunner) => runner.orders("prompt").at(-1)?.text ?? "";

async function promptItems(bench: Bench, id: string) {
  const items = await bench.engine.history.listItems(id, undefined, 1000);
  return items.flatMap((item) =>
    item.kind === "prompt" ? [{ content: item.content, context: item.context }] : [],
  );
}

test("[HB140] the context of a message waits with it, reaches the agent before it, and stays with its item", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "first");
  runner.say(id, init(), ...begin("m1"));
  await bench.stored(runner, id);
  const waiting = crypto.randomUUID();
  await bench.engine.prompts.send(id, waiting, prompt, desk);
  const queue = () => bench.engine.sessions.get(id).queue;
  expect(queue()).toMatchObject([{ id: waiting, text: prompt.text, contextTitle: "Slide 3" }]);
  await bench.closeHub();
  await bench.openHub();
  expect(await bench.engine.prompts.get(id, waiting)).toEqual(prompt);

  const back = await bench.runner(runner);
  back.say(id, said("m1", "hi"), result());
  await until(() => splitContext(lastOrder(back)) !== undefined);
  expect(splitContext(lastOrder(back))).toEqual({ context, text: prompt.text });
  back.say(id, replay(waiting, lastOrder(back)), ...begin("m2"), said("m2", "Done."), result());
  await until(() => queue().length === 0);
  await bench.stored(back, id);
  const shown = [{ content: "first" }, { content: prompt.text, context }];
  expect(await promptItems(bench, id)).toMatchObject(shown);

  await bench.closeHub();
  const name = readdirSync(bench.data).find((file) => /\.(db|sqlite)$/.test(file)) ?? "";
  {
    using database = new Database(join(bench.data, name), { strict: true });
    database.run("DELETE FROM items");
  }
  await bench.openHub();
  expect(await promptItems(bench, id)).toMatchObject(shown);

  const later = await bench.runner(back);
  const before = later.orders("prompt").length;
  await bench.engine.sessions.retry(id, desk, { fresh: true });
  await until(() => later.orders("prompt").length > before);
  expect(splitContext(lastOrder(later))).toEqual({ context, text: prompt.text });
});

test("[HB141] a context that cannot be used is refused with the name of its field, and one with a command, too", async () => {
  const problem = (given: unknown) =>
    newPrompt
      .safeParse({ text: "go", context: given })
      .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)
      .join();
  expect(problem(context)).toBeUndefined();
  expect(problem({ data: {} })).toContain("context.title: ");
  expect(problem({ title: "a", data: [] })).toContain("context.data: ");
  expect(problem({ title: "a", data: {}, view: "b" })).toContain("view");
  const long = { title: "a", data: { text: "x".repeat(32 * 1024) } };
  expect(problem(long)).toBe("context.data: must not be longer than 32768 characters as JSON");

  await using bench = await Bench.open();
  const id = await bench.running(await bench.runner());
  const send = (text: string) =>
    bench.engine.prompts.send(id, crypto.randomUUID(), { text, context }, desk);
  expect(await refusal(send("/compact"))).toEqual({ status: 422, code: "context-with-command" });
  await send("/tmp/a.txt is missing");
});
