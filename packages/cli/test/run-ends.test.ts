import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { openStage, type Stage } from "@signalbox/testing/cli-stage";
import { readUntil } from "@signalbox/testing/read-until";
import { until } from "@signalbox/testing/until";

/** The machine may be busy. */
const LIMIT = { timeout: 180_000 };
/** Nobody is there to be asked whether it is wanted. */
const autonomous = ["--policy", "autonomous", "--yes-autonomous"];

let stage: Stage;
beforeAll(async () => void (stage = await openStage()));
afterAll(() => stage[Symbol.asyncDispose]());

const report = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;

describe("Ctrl-C", () => {
  for (const onNode of [false, true]) {
    test(
      `interrupts with exit code 130 and leaves no process${onNode ? ", by way of Node too" : ""}`,
      async () => {
        const prompt = 'x\n::say Going.\n::tool Bash {"command":"sleep 301"}';
        const child = stage.start(["run", ...stage.here, ...autonomous, prompt], {
          onNode,
        });
        await readUntil(child.stderr.getReader(), "● Bash sleep 301");
        expect(stage.processes().length).toBeGreaterThan(1);
        child.kill("SIGINT");
        expect(await child.exited).toBe(130);
        expect(stage.processes()).toEqual([]);
      },
      LIMIT,
    );
  }

  test(
    "before the agent has answered at all ends it",
    async () => {
      const silent = stage.at("silent.js");
      const answers =
        "if (process.argv.includes('--version')) console.log('2.1.325 (Claude Code)');";
      writeFileSync(
        silent,
        `${answers} else {
        require("node:fs").writeFileSync(${JSON.stringify(stage.at("asked"))}, "");
        process.stdin.on("data", () => {});
      }`,
      );
      const child = stage.start(["run", "--agent", silent, "hi"]);
      await until("the agent runs and says nothing", () => stage.has("asked"));
      child.kill("SIGINT");
      expect(await child.exited).toBe(130);
      expect(stage.processes()).toEqual([]);
    },
    LIMIT,
  );
});

describe("a reader that leaves", () => {
  test(
    "ends the run, and no process is left",
    async () => {
      const child = stage.start(["run", ...stage.here, "x\n::flood 100000 5000"]);
      const reader = child.stdout.getReader();
      await reader.read();
      await reader.cancel();
      await child.exited;
      expect(stage.processes()).toEqual([]);
    },
    LIMIT,
  );
});

describe("what was not found is exit code 4, and named", () => {
  const cases = [
    ["no program", ["--agent", "/nowhere/claude"], "/nowhere/claude"],
    ["not Claude Code", ["--agent", "/bin/echo"], "/bin/echo is not Claude Code"],
    ["no folder", ["--folder", "/nowhere"], "The working folder /nowhere cannot be used"],
  ] as const;
  for (const [name, args, sentence] of cases) {
    test(
      name,
      async () => {
        const { exit, stdout, stderr } = await stage.run([...args, "hi"]);
        expect([exit, stdout]).toEqual([4, ""]);
        expect(stderr).toContain(sentence);
        const json = await stage.run([...args, "--output", "json", "hi"]);
        expect(json.exit).toBe(4);
        expect(report(json.stdout)).toMatchObject({ ok: false, exit: 4, text: null });
        expect(String(report(json.stdout)["error"])).toContain(sentence);
      },
      LIMIT,
    );
  }
});

describe("wrong usage is exit code 2, with a sentence that helps", () => {
  const cases: [args: string[], sentence: string][] = [
    [[], "Usage: signalbox COMMAND"],
    [["nothing"], 'unknown command "nothing"'],
    [["run", "--wrong"], "Unknown option '--wrong'."],
    [
      ["run", "--output", "xml", "hi"],
      '--output must be one of text, json, lines, events, not "xml".',
    ],
    [["run", "--policy", "lax", "hi"], "--policy must be one of default, supervised,"],
    [["run", "--policy", "autonomous", "hi"], "Add --yes-autonomous to confirm"],
    [["loop", "--policy", "autonomous", "hi"], "change it for the session on the page"],
    [["loop", "--policy", "accept-edits", "hi"], "change it for the session on the page"],
    [["loop", "--policy", "wild", "hi"], "one of supervised, default, plan, not"],
    [["run"], "Specify a prompt"],
    [["run", "--fork", "hi"], "--fork requires --resume."],
    [["run", "--resume", "a", "--continue", "hi"], "Use either --continue or --resume."],
    [["run", "--resume"], "argument missing"],
    [["run", "--image", "/nowhere.png", "hi"], "Couldn't read the file /nowhere.png."],
    [
      ["run", "--image", "/etc/passwd", "hi"],
      "Couldn't use the file /etc/passwd: it is not PNG, JPEG, GIF, WebP or PDF.",
    ],
  ];
  for (const [args, sentence] of cases) {
    test(
      ["signalbox", ...args].join(" "),
      async () => {
        const { exit, stdout, stderr } = await stage.signalbox(args);
        expect(exit).toBe(2);
        expect(stdout + stderr).toContain(sentence);
        if (args[0] === "run") expect(stderr).toContain("Run `signalbox run --help` for usage.");
      },
      LIMIT,
    );
  }

  test(
    "also for what Claude Code itself does not accept",
    async () => {
      const { exit, stderr } = await stage.run(["--permission-mode", "lax", "hi"]);
      expect(exit).toBe(2);
      expect(stderr).toContain("Allowed choices are acceptEdits");
    },
    LIMIT,
  );
});

describe("help", () => {
  test(
    "is printed on standard output, and names every exit code",
    async () => {
      const { exit, stdout } = await stage.signalbox(["run", "--help"]);
      expect(exit).toBe(0);
      expect(stdout).toMatch(/0 success, 1 .*, 2 .*, 3 .*\n4 .*, 130 interrupted/);
      const version = await stage.signalbox(["--version"]);
      expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    },
    LIMIT,
  );
});
