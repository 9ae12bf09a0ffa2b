import { dotPicture } from "@signalbox/testing/programs";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { openStage, type Stage } from "@signalbox/testing/cli-stage";

/** The machine may be busy. */
const LIMIT = { timeout: 180_000 };
/** Nobody is there to be asked whether it is wanted. */
const autonomous = ["--policy", "autonomous", "--yes-autonomous"];

let stage: Stage;
beforeAll(async () => void (stage = await openStage()));
afterAll(() => stage[Symbol.asyncDispose]());

/** The last request for an answer, as the model got it. */
const lastRequest = () => JSON.stringify(stage.model.requests.at(-1));
const report = (stdout: string) => JSON.parse(stdout) as Record<string, unknown>;

describe("signalbox run", () => {
  test(
    "--demo, started by Node with no terminal, shows its whole story and leaves nothing behind",
    async () => {
      const args = ["run", "--demo", "hello"];
      const { exit, stdout, stderr } = await stage.signalbox(args, { onNode: true });
      expect(exit).toBe(0);
      expect(stdout).toStartWith("Hello, and welcome!");
      expect(stdout).toContain("this folder.\n\nNow I would like"); // paragraphs of one text
      expect(stdout).toContain("## That was a whole session");
      expect(stdout).not.toContain("● Bash");
      expect(stderr).toContain(
        "No terminal to ask on: the demo can edit files in its own folder.\n",
      );
      expect(stderr).toContain("✻ A newcomer.");
      expect(stderr).toContain("● Bash ls -la\n  ⎿ total");
      expect(stderr).toContain("  ⎿ Hello from the scripted model\n");
      expect(stderr).not.toContain("$0"); // a script costs nothing
      expect(stdout + stderr).not.toContain("\x1b");
      expect(stage.leftovers()).toEqual([]);
    },
    LIMIT,
  );

  test(
    "--demo asks as usual where a policy, a mode or a folder was named",
    async () => {
      const args = ["run", "--demo", "--policy", "default", '::tool Bash {"command":"touch x"}'];
      const { exit, stderr } = await stage.signalbox(args);
      expect(exit).toBe(3);
      expect(stderr).not.toContain("can edit");
    },
    LIMIT,
  );

  test(
    "reads the prompt from standard input, and says what the agent does beside the answer",
    async () => {
      const stdin =
        'go\n::think Hm.\n::say One.\n::tool Bash {"command":"echo two; cat missing"}\n';
      const { exit, stdout, stderr } = await stage.run([], { stdin });
      expect(exit).toBe(0);
      expect(stdout).toBe("One.\n\nDone.\n");
      expect(stderr).toContain("✻ Hm.\n");
      expect(stderr).toContain("● Bash echo two; cat missing\n  ⎿ Exit code 1\n    two\n    cat: ");
      expect(stderr).toMatch(/\d tokens in, \d+ out\n$/);
    },
    LIMIT,
  );

  test(
    "--output json prints one object",
    async () => {
      const { exit, stdout } = await stage.run([
        "--output",
        "json",
        "--model",
        "claude-made-up",
        "hi",
      ]);
      expect(exit).toBe(0);
      expect(stdout.trim().split("\n")).toHaveLength(1);
      const { sessionId, end, agent, costUsd, ...rest } = report(stdout);
      expect(rest).toMatchObject({ ok: true, exit: 0, text: "Echo: hi", error: null, refused: [] });
      expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
      expect(end).toMatchObject({ kind: "stopped" });
      expect(agent).toMatchObject({ version: "2.1.325", class: "tested" });
      expect(costUsd).toBeNumber();
      expect(lastRequest()).toContain('"model":"claude-made-up"');
    },
    LIMIT,
  );

  test(
    "--output lines prints every line of the agent's as it came",
    async () => {
      const { exit, stdout } = await stage.run(["--output", "lines", "hi"]);
      expect(exit).toBe(0);
      const lines = stdout.trimEnd().split("\n").map(report);
      const kinds = lines.map(({ type, subtype }) => [type, subtype].filter(Boolean).join("/"));
      expect(kinds[0]).toBe("control_response");
      const telling = kinds.filter((kind) => /^(system\/init|user|assistant|result)/.test(kind));
      expect(telling).toEqual(["system/init", "user", "assistant", "result/success"]);
      expect(kinds).toContain("stream_event");
    },
    LIMIT,
  );

  test.if(bubblewrapMissing === undefined)(
    "[DR8] isolates the agent unless it is told not to",
    async () => {
      const look = '::tool Bash {"command":"cat /proc/1/comm"}\n::say done';
      const args = ["--allowed-tools", "Bash", "--output", "lines"];
      const isolated = await stage.run([...args, look]);
      expect(isolated.stdout).toContain('"content":"bwrap"');
      const open = await stage.run([...args, "--isolation", "off", look]);
      expect(open.stdout).toContain('"tool_result"');
      expect(open.stdout).not.toContain('"content":"bwrap"');
    },
    LIMIT,
  );

  test(
    "--output events tells live what the lines mean",
    async () => {
      const { exit, stdout } = await stage.run(["--output", "events", "hi"]);
      expect(exit).toBe(0);
      const types = stdout
        .trimEnd()
        .split("\n")
        .map(report)
        .map(({ type }) => type);
      const telling = types.filter((type) =>
        /^(turn|user|session|block-settled)/.test(String(type)),
      );
      expect(telling).toEqual([
        "user-said",
        "turn-started",
        "session-started",
        "user-replayed",
        "block-settled",
        "turn-ended",
      ]);
    },
    LIMIT,
  );

  test(
    "--output events tells how a run began, and its end also when the agent dies in its turn",
    async () => {
      const events = async (...args: string[]) =>
        (await stage.run(["--output", "events", ...args])).stdout.trimEnd().split("\n").map(report);
      const of = (told: Record<string, unknown>[], type: string) =>
        told.filter((event) => event["type"] === type);
      const first = await events("hi");
      const [session] = of(first, "session-started");
      expect(session).toMatchObject({ status: "new" });
      expect(of(first, "run-started")).toMatchObject([{ status: "new" }]);
      expect(first.at(-1)).toMatchObject({ type: "activity-changed", activity: "ended" });
      expect(of(first, "run-ended")).toMatchObject([{ status: "ended" }]);
      const again = await events("--resume", String(session?.["sessionId"]), "and on");
      expect(of(again, "session-started")).toMatchObject([{ status: "resumed" }]);
      const death = '::tool Bash {"command":"kill -9 $PPID; sleep 60"}';
      const died = await events("--allowed-tools", "Bash", death);
      expect(of(died, "tool-updated")).toMatchObject([{ status: "interrupted" }]);
      expect(of(died, "turn-ended")).toMatchObject([{ status: "crashed" }]);
      expect(of(died, "run-ended")).toMatchObject([{ status: "crashed" }]);
    },
    LIMIT,
  );

  test(
    "--resume goes on with a conversation, --fork with a copy, --continue with the newest",
    async () => {
      const told = async (...args: string[]) =>
        report((await stage.run(["--output", "json", ...args])).stdout);
      const { sessionId } = await told("the word is bassoon");
      const id = String(sessionId);
      expect(await told("--resume", id, "and on")).toMatchObject({ ok: true, sessionId: id });
      expect(lastRequest()).toContain("bassoon");
      const copy = await told("--resume", id, "--fork", "a copy");
      expect(copy).toMatchObject({ ok: true });
      expect(copy["sessionId"]).not.toBe(id);
      expect(await told("--continue", "last")).toMatchObject({ sessionId: copy["sessionId"] });
      expect(lastRequest()).toContain("a copy");
    },
    LIMIT,
  );

  test(
    "a conversation that does not exist is exit code 4",
    async () => {
      const id = "11111111-1111-4111-8111-111111111111";
      const { exit, stdout, stderr } = await stage.run(["--resume", id, "hi"]);
      expect(exit).toBe(4);
      expect(stdout).toBe("");
      expect(stderr).toContain(`The conversation ${id} could not be taken up again`);
      expect(stderr.match(/No conversation found/g)).toHaveLength(1); // said once
    },
    LIMIT,
  );

  test(
    "what needs permission is denied where nobody can be asked, and is exit code 3",
    async () => {
      const prompt = '::tool Bash {"command":"touch made.txt"}';
      const text = await stage.run([prompt]);
      expect(text.exit).toBe(3);
      expect(text.stderr).toContain("! Denied Bash: there is no terminal to ask on.");
      expect(lastRequest()).toContain("there is no terminal to ask on");
      const json = await stage.run(["--output", "json", prompt]);
      expect(json.exit).toBe(3);
      expect(report(json.stdout)).toMatchObject({ ok: false, exit: 3, refused: ["Bash"] });
      expect(stage.has("made.txt")).toBe(false);
    },
    LIMIT,
  );

  test(
    "what a mode refuses without asking is exit code 3 too",
    async () => {
      const prompt = '::tool Bash {"command":"touch made.txt"}';
      const { exit, stdout } = await stage.run([
        "--permission-mode",
        "dontAsk",
        "--output",
        "json",
        prompt,
      ]);
      expect(exit).toBe(3);
      expect(report(stdout)).toMatchObject({ refused: ["Bash"] });
      expect(stage.has("made.txt")).toBe(false);
    },
    LIMIT,
  );

  test(
    "--allowed-tools and --permission-mode let it pass",
    async () => {
      const touch = '::tool Bash {"command":"touch allowed.txt"}';
      expect((await stage.run(["--allowed-tools", "Bash(touch *),Grep", touch])).exit).toBe(0);
      expect(stage.has("allowed.txt")).toBe(true);
      const write = `::tool Write {"file_path":"${stage.at("written.txt")}","content":"a\\nb\\n"}`;
      const { exit, stderr } = await stage.run(["--permission-mode", "acceptEdits", write]);
      expect(exit).toBe(0);
      expect(stage.has("written.txt")).toBe(true);
      expect(stderr).toContain("● Write written.txt\n    + a\n    + b\n  ⎿ ");
    },
    LIMIT,
  );

  test(
    "--image goes along with the prompt",
    async () => {
      copyFileSync(dotPicture, stage.at("dot.png"));
      const { exit } = await stage.run(["--image", stage.at("dot.png"), "look"]);
      expect(exit).toBe(0);
      expect(lastRequest()).toContain('"media_type":"image/png"');
    },
    LIMIT,
  );

  test(
    "an error of the model's is exit code 1, with the model's words",
    async () => {
      const prompt = "x\n::error 400 invalid_request_error x9 nope";
      const { exit, stderr } = await stage.run([prompt]);
      expect(exit).toBe(1);
      expect(stderr).toContain("✗ API Error: 400 nope");
      const json = await stage.run(["--output", "json", prompt]);
      expect(json.exit).toBe(1);
      expect(report(json.stdout)).toMatchObject({ ok: false, error: "API Error: 400 nope" });
    },
    LIMIT,
  );

  test(
    "an agent's text cannot steer the terminal or hide",
    async () => {
      const hostile = JSON.stringify({ command: "printf '\\033[2J\\u202egone'" });
      const prompt = `x\n::think \x1b]0;title\x07\n::say \x1b[31mred\u202e\n::tool Bash ${hostile}\n::tool \x1b[1mBad {}`;
      const { stdout, stderr } = await stage.run([...autonomous], { stdin: prompt });
      expect(stdout).toContain("␛[31mred<U+202E>");
      expect(stderr).toContain("✻ ␛]0;title␇");
      expect(stderr).toContain("  ⎿ ␛[2J");
      for (const char of "\x1b\x07\u202e") expect(stdout + stderr).not.toContain(char);
    },
    LIMIT,
  );

  test(
    "the calls of one message and their results are told apart",
    async () => {
      const prompt = 'x\n::tool Bash {"command":"echo one"}\n::tool Bash {"command":"echo two"}';
      const { stderr } = await stage.run([prompt]);
      expect(stderr).toMatch(/[●↳] Bash echo one\n {2}⎿ one\n/); // whichever ends first
      expect(stderr).toMatch(/[●↳] Bash echo two\n {2}⎿ two\n/);
    },
    LIMIT,
  );

  test(
    "a subagent's work is set in under its call",
    async () => {
      const input = {
        description: "Look around",
        subagent_type: "general-purpose",
        run_in_background: false,
        prompt: 'Look.\n::tool Bash {"command":"echo seen"}\n::say All is well.',
      };
      const { stderr } = await stage.run([`x\n::tool Task ${JSON.stringify(input)}`]);
      expect(stderr).toContain(
        "● Agent Look around\n    ● Bash echo seen\n      ⎿ seen\n    ○ All is well.\n  ⎿ done\n",
      );
      expect(stderr).not.toMatch(/background/i);
    },
    LIMIT,
  );

  test(
    "trouble with the model is told while it lasts",
    async () => {
      const { exit, stdout, stderr } = await stage.run(["x\n::overload x1\n::say Fine now."]);
      expect(exit).toBe(0);
      expect(stdout).toBe("Fine now.\n");
      expect(stderr).toMatch(
        /! The model answered 529\. Retrying in \d\.\d s \(attempt 1 of \d+\)…/,
      );
    },
    LIMIT,
  );
});
