import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { until } from "@signalbox/testing/until";
import { openStage, type Stage } from "@signalbox/testing/cli-stage";

/** The machine may be busy. */
const LIMIT = { timeout: 180_000 };
const CHOICES = "s deny and stop\n";

let stage: Stage;
beforeAll(async () => void (stage = await openStage()));
afterAll(() => stage[Symbol.asyncDispose]());

const bash = (command: string) => `::tool Bash ${JSON.stringify({ command })}`;
const lastRequest = () => JSON.stringify(stage.model.requests.at(-1));

describe("the permission dialog", () => {
  test(
    "of the demo shows the whole call; Enter alone allows nothing, y allows",
    async () => {
      const { terminal, exited } = stage.onTerminal(["run", "--demo", "hello"]);
      await terminal.until("▲ Claude wants to use Bash");
      const dialog = await terminal.until(CHOICES);
      expect(dialog).toContain(
        "  │ command: echo 'Hello from the scripted model' > signalbox-hello.txt",
      );
      expect(dialog).toContain("  │ description: Write a greeting");
      expect(dialog).toMatch(/ {2}a1 {2}always allow Bash\(echo/);
      await terminal.answer("");
      await terminal.until(CHOICES); // asked again
      expect(terminal.text).not.toContain("⎿ Hello from the scripted model");
      await terminal.answer("y");
      await terminal.until("⎿ Hello from the scripted model");
      await terminal.until("## That was a whole session");
      expect(await exited).toBe(0);
      expect(stage.leftovers()).toEqual([]);
    },
    LIMIT,
  );

  test(
    "n denies, and the agent hears why",
    async () => {
      const { terminal, exited } = stage.runOnTerminal([bash("touch denied.txt")]);
      await terminal.until(CHOICES);
      await terminal.answer("n");
      await terminal.until("Tell Claude what to do instead");
      await terminal.answer("use the other folder");
      await terminal.until("⎿ use the other folder");
      expect(await exited).toBe(3);
      expect(stage.has("denied.txt")).toBe(false);
      expect(lastRequest()).toContain("use the other folder");
    },
    LIMIT,
  );

  test(
    "e lets the command be edited before it runs",
    async () => {
      const { terminal, exited } = stage.runOnTerminal([bash("touch before.txt")]);
      await terminal.until(CHOICES);
      await terminal.answer("e");
      await terminal.until("Edit > touch before.txt");
      terminal.type("\x17touch after.txt\r"); // Ctrl-W: the last word goes
      expect(await exited).toBe(0);
      expect([stage.has("before.txt"), stage.has("after.txt")]).toEqual([false, true]);
    },
    LIMIT,
  );

  test(
    "an input with a hidden line break is not sent off by being put up for editing",
    async () => {
      const input = { file_path: stage.at("hidden.txt"), content: "one\u2028two" };
      const { terminal, exited } = stage.runOnTerminal([`::tool Write ${JSON.stringify(input)}`]);
      await terminal.until("  │ + one<U+2028>two");
      await terminal.until(CHOICES);
      await terminal.answer("e");
      await terminal.until("Edit > ");
      await terminal.until(String.raw`one\u2028two`);
      terminal.type("\x15nonsense\r"); // Ctrl-U: all of it goes
      await terminal.until("not a JSON object. Nothing was allowed");
      await terminal.until(CHOICES);
      await terminal.answer("s");
      expect(await exited).not.toBe(0);
      expect(stage.has("hidden.txt")).toBe(false);
    },
    LIMIT,
  );

  test(
    "a1 allows and remembers",
    async () => {
      const { terminal, exited } = stage.runOnTerminal([bash("mkdir kept"), "--output", "json"]);
      await terminal.until("  a1  always allow Bash(mkdir");
      await terminal.until(CHOICES);
      await terminal.answer("a1");
      expect(await exited).toBe(0);
      const kept = readFileSync(stage.at(".claude/settings.local.json"), "utf8");
      expect(kept).toContain("Bash(mkdir");
    },
    LIMIT,
  );

  test(
    "keys typed before it appears do not answer it, and are not shown",
    async () => {
      const gate = "touch waits; while [ ! -e typed ]; do sleep 0.05; done";
      writeFileSync(stage.at("gate.sh"), `#!/bin/sh\n${gate}\n`, { mode: 0o755 });
      const prompt = `x\n::say Wait.\n${bash("./gate.sh")}\n::next\n${bash("touch early.txt")}`;
      const allowed = ["--allowed-tools", "Bash(./gate.sh)"];
      const { terminal, exited } = stage.runOnTerminal([...allowed, prompt]);
      await terminal.until("Wait.");
      await until("the agent waits for the keys", () => stage.has("waits"));
      terminal.type("y\ry\ry");
      writeFileSync(stage.at("typed"), "");
      const meanwhile = await terminal.until(CHOICES);
      expect(meanwhile).not.toMatch(/^y/m);
      await terminal.until("> ");
      expect(stage.has("early.txt")).toBe(false);
      terminal.type("\r"); // the half typed y is gone too
      await terminal.until(CHOICES);
      await terminal.answer("n");
      await terminal.answer("");
      expect(await exited).toBe(3);
      expect(stage.has("early.txt")).toBe(false);
    },
    LIMIT,
  );

  test(
    "comes one after the other when several subagents ask at once",
    async () => {
      const task = (name: string) =>
        `::tool Task ${JSON.stringify({
          description: name,
          subagent_type: "general-purpose",
          run_in_background: false,
          prompt: `Go.\n${bash(`touch ${name}.txt`)}`,
        })}`;
      const before = stage.model.requests.length;
      const { terminal, exited } = stage.runOnTerminal([`x\n${task("left")}\n${task("right")}`]);
      const made: string[] = [];
      for (const answer of ["y", "n"]) {
        await terminal.until("▲ A subagent (");
        const dialog = await terminal.until(CHOICES);
        // Both subagents have their tool calls by now, so the other one asks meanwhile.
        await until(
          "both subagents called the model",
          () => stage.model.requests.length >= before + 3,
        );
        if (answer === "y") made.push(/touch (\w+)\.txt/.exec(dialog)?.[1] ?? "");
        await terminal.answer(answer);
      }
      await terminal.answer("");
      expect(await exited).toBe(3);
      for (const name of ["left", "right"]) {
        expect(stage.has(`${name}.txt`)).toBe(made.includes(name));
      }
    },
    LIMIT,
  );

  test(
    "shows an edit as a difference in colours, and fits the screen",
    async () => {
      await Bun.write(stage.at("poem.txt"), "roses\nare red\nviolets\n");
      const path = stage.at("poem.txt");
      const edit = { file_path: path, old_string: "are red", new_string: "are blue ".repeat(12) };
      const prompt = `x\n::tool Read {"file_path":"${path}"}\n::next\n::tool Edit ${JSON.stringify(edit)}`;
      const { terminal, exited } = stage.runOnTerminal([prompt], { columns: 60 });
      await terminal.until("▲ Claude wants to use Edit");
      const dialog = await terminal.until(CHOICES);
      expect(dialog).toContain("  │ - are red\n");
      expect(dialog.match(/are blue/g)).toHaveLength(12);
      expect(dialog.split("\n").every((line) => Bun.stringWidth(line) <= 60)).toBe(true);
      expect(terminal.raw).toContain("\x1b[31m- are red\x1b[39m");
      await terminal.answer("y");
      expect(await exited).toBe(0);
    },
    LIMIT,
  );

  test(
    "Ctrl-C withdraws it and interrupts, and nothing was done",
    async () => {
      const { terminal, exited } = stage.runOnTerminal([bash("touch never.txt")], { onNode: true });
      await terminal.until(CHOICES);
      await terminal.until("> ");
      terminal.type("\x03");
      await terminal.until("Interrupting…");
      expect(await exited).toBe(130);
      expect(stage.has("never.txt")).toBe(false);
      expect(stage.processes()).toEqual([]);
    },
    LIMIT,
  );

  test(
    "Ctrl-D, the end of the input, denies",
    async () => {
      const { terminal, exited } = stage.runOnTerminal([bash("touch never.txt")]);
      await terminal.until(CHOICES);
      await terminal.until("> ");
      terminal.type("\x04");
      expect(await exited).toBe(3);
      expect(stage.has("never.txt")).toBe(false);
    },
    LIMIT,
  );
});

describe("a question", () => {
  const options = (...labels: string[]) =>
    labels.map((label) => ({ label, description: `${label}!` }));
  const questions = [
    {
      question: "Which color?",
      header: "Color",
      multiSelect: false,
      options: options("Blue", "Red"),
    },
    {
      question: "Which pages?",
      header: "Pages",
      multiSelect: true,
      options: options("Home", "Shop", "Help"),
    },
    { question: "Which name?", header: "Name", multiSelect: false, options: options("Ann", "Bob") },
  ];

  test(
    "is answered by a number, by several, or in one's own words",
    async () => {
      const prompt = `x\n::tool AskUserQuestion ${JSON.stringify({ questions })}`;
      const { terminal, exited } = stage.runOnTerminal([prompt]);
      await terminal.until("? Which color? [Color]\n  1 Blue  Blue!\n  2 Red   Red!\n");
      await terminal.answer("");
      await terminal.answer("2");
      await terminal.until("? Which pages? [Pages]");
      await terminal.answer("1, 3");
      await terminal.until("? Which name? [Name]");
      await terminal.answer("Zoë the third");
      expect(await exited).toBe(0);
      const answers = ['Which color?\\"=\\"Red', 'Which pages?\\"=\\"Home, Help', "Zoë the third"];
      for (const answer of answers) expect(lastRequest()).toContain(answer);
    },
    LIMIT,
  );
});

describe("a plan", () => {
  const prompt = [
    "x",
    "::tool EnterPlanMode {}",
    "::say I write it down.",
    String.raw`::tool Write {"file_path":"{{seen plan at (\\S+)}}","content":"1. Sing\n2. Dance\n"}`,
    "::next",
    String.raw`::tool ExitPlanMode {"plan":"1. Sing\n2. Dance\n"}`,
    "::say On we go.",
  ].join("\n");

  test(
    "is approved",
    async () => {
      const { terminal, exited } = stage.runOnTerminal([prompt]);
      await terminal.until("▲ Claude has a plan\n  │ 1. Sing\n  │ 2. Dance\n");
      await terminal.answer("");
      await terminal.answer("y");
      await terminal.until("On we go.");
      expect(await exited).toBe(0);
      expect(lastRequest()).toContain("approved your plan");
    },
    LIMIT,
  );

  test(
    "is sent back with comments",
    async () => {
      const { terminal, exited } = stage.runOnTerminal([prompt]);
      await terminal.until("▲ Claude has a plan");
      await terminal.answer("n");
      await terminal.until("Tell Claude what to do instead");
      await terminal.answer("dance first");
      expect(await exited).toBe(3);
      expect(lastRequest()).toContain("dance first");
    },
    LIMIT,
  );
});

describe("the policy autonomous", () => {
  test(
    "is asked about before anything runs; whatever is no yes is a no",
    async () => {
      const { terminal, exited } = stage.runOnTerminal(["--policy", "autonomous", "x"]);
      await terminal.until("without asking");
      await terminal.answer("perhaps");
      expect(await exited).toBe(3);
      expect(terminal.text).not.toContain("working");
    },
    LIMIT,
  );
});

describe("a terminal that is closed", () => {
  test(
    "ends the run, and no process is left",
    async () => {
      const prompt = `x\n::tool Bash {"command":"sleep 302"}`;
      const { terminal, exited } = stage.runOnTerminal(["--policy", "autonomous", prompt]);
      await terminal.until("without asking");
      await terminal.answer("y");
      await terminal.until("● Bash sleep 302");
      terminal.pty.close();
      await exited;
      expect(stage.processes()).toEqual([]);
    },
    LIMIT,
  );
});
