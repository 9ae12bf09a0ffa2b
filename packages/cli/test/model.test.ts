import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { openStage, type Stage } from "@signalbox/testing/cli-stage";

/** The machine may be busy. */
const LIMIT = { timeout: 180_000 };

let stage: Stage;
beforeAll(async () => void (stage = await openStage()));
afterAll(() => stage[Symbol.asyncDispose]());

describe("signalbox model", () => {
  for (const [signal, onNode] of [
    ["SIGTERM", false],
    ["SIGINT", true],
  ] as const) {
    test(
      `prints its address, answers from a script, and ends at ${signal}${onNode ? ", by way of Node too" : ""}`,
      async () => {
        writeFileSync(stage.at("hello.script"), "say Good morning.\n");
        const args = ["model", "--script", stage.at("hello.script")];
        const child = stage.start(args, { onNode });
        const { value } = await child.stdout.getReader().read();
        const url = new TextDecoder().decode(value).trim();
        expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
        const messages = [{ role: "user", content: "hi" }];
        const answer = await fetch(`${url}/v1/messages`, {
          method: "POST",
          body: JSON.stringify({ model: "any", max_tokens: 10, messages }),
        });
        expect(await answer.json()).toMatchObject({ content: [{ text: "Good morning." }] });
        child.kill(signal);
        expect(await child.exited).toBe(0);
        expect(await new Response(child.stderr).text()).toContain("/v1/messages");
      },
      LIMIT,
    );
  }

  test(
    "a script that makes no sense is exit code 2, with the line",
    async () => {
      writeFileSync(stage.at("bad.script"), "say Hello\n\nshout Hello\n");
      const { exit, stderr } = await stage.signalbox(["model", "--script", stage.at("bad.script")]);
      expect(exit).toBe(2);
      expect(stderr).toContain("line 3");
      expect(stderr).toContain('unknown directive "shout"');
    },
    LIMIT,
  );

  test(
    "--list names the examples and --show prints one",
    async () => {
      const list = await stage.signalbox(["model", "--list"]);
      expect(list.exit).toBe(0);
      expect(list.stdout.split("\n")).toContain("demo");
      const shown = await stage.signalbox(["model", "--show", "bash"]);
      expect(shown.stdout).toContain("tool Bash");
      const missing = await stage.signalbox(["model", "--show", "nothing"]);
      expect(missing.exit).toBe(2);
      expect(missing.stderr).toContain('No example is called "nothing". Use --list to list them.');
    },
    LIMIT,
  );

  test(
    "wrong usage is exit code 2",
    async () => {
      const cases: [args: string[], sentence: string][] = [
        [["--port", "70000"], '--port must be a whole number from 0 to 65535, not "70000".'],
        [["--script", "/nowhere"], "Couldn't read the script /nowhere."],
        [["--script", "a", "--example", "bash"], "Use either --script or --example."],
        [["--port", String(stage.model.port)], `Port ${stage.model.port} is in use.`],
      ];
      for (const [args, sentence] of cases) {
        const { exit, stderr } = await stage.signalbox(["model", ...args]);
        expect([exit, stderr]).toEqual([2, expect.stringContaining(sentence)]);
      }
    },
    LIMIT,
  );
});
