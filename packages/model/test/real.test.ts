import { exampleScript, parseScript, startModel, type ScriptStep } from "@signalbox/model";
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { blocks, type Line, programs, RealHost } from "./real-host.ts";

const limitMs = 180_000;

/** Tools that must fail, and the reason that is theirs. */
const failures: Record<string, RegExp> = {
  WebFetch: /Unable to verify if domain/,
  Teleport: /No such tool available: Teleport/,
};

/** Many examples in one script: each is a scene for the prompt that has its name in brackets. */
function scenes(names: string[]): string {
  return names.map((name) => `== <${name}>\n${exampleScript(name)}`).join("\n");
}
function listSteps(name: string): ScriptStep[] {
  return parseScript(exampleScript(name)).scenes.flatMap((scene) =>
    scene.messages.flatMap((message) => message.steps),
  );
}
const saysSomething = (line: Line, text: string) =>
  blocks([line], "assistant").some((block) => String(block.text).includes(text));

/** Plays an example up to the result after its last words, and returns what was said till then. */
async function play(host: RealHost, name: string, prompt = `<${name}>`): Promise<Line[]> {
  const since = host.lines.length;
  const last = listSteps(name).findLast((step) => step.do === "say")?.text ?? "";
  const [ending = ""] = last.split("{{");
  host.prompt(prompt);
  const said = await host.until((line) => saysSomething(line, ending), since);
  const end = await host.until((line) => line.type === "result", said);
  return host.lines.slice(since, end + 1);
}

/** Every call of the script was made, and its input was taken. */
function expectToolsToWork(name: string, lines: Line[]): void {
  const calls = blocks(lines, "assistant").filter(({ type }) => type === "tool_use");
  const scripted = listSteps(name).flatMap((step) => (step.do === "tool" ? step.name : []));
  const offered = calls.map((call) => (call.name === "Agent" ? "Task" : call.name));
  expect(offered, name).toEqual(scripted);
  for (const call of calls) {
    const answer = blocks(lines, "user").find(({ tool_use_id }) => tool_use_id === call.id);
    const text = JSON.stringify(answer?.content);
    const expected = failures[String(call.name)];
    expect(text, `${name}: ${String(call.name)}`).toBeString();
    expect(answer?.is_error === true, `${name}: ${text}`).toBe(expected !== undefined);
    if (expected) expect(text).toMatch(expected);
  }
}

const everywhere = `bash files notebook-edit ask-user-question plan-mode parallel-tools unknown-tool
  subagent mcp-tool web-fetch web-search thinking demo`.split(/\s+/);
const recent =
  "cron schedule-wakeup skill tool-search report-findings worktree task-stop task-list".split(" ");
/** What reports later, and perhaps more than once: each has a program of its own, so that no report comes
 * in the middle of another example. */
const reporting = "background-bash background-agents send-message monitor workflow".split(" ");
const old = "glob grep todo-write kill-shell task-output mcp-search".split(" ");

function repository(cwd: string): void {
  const as = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", ["init", "-q"], { cwd, env });
  execFileSync("git", [...as, "commit", "-q", "--allow-empty", "-m", "start"], { cwd, env });
}

describe("2.1.325 plays", () => {
  const program = programs["2.1.325"];
  const real = test.skipIf(!program);

  for (const [what, names] of Object.entries({
    "its common tools": everywhere,
    "its newer tools": recent,
  })) {
    real(
      `the examples of ${what}`,
      async () => {
        await using model = await startModel({ script: scenes(names) });
        await using host = new RealHost(program ?? [], model, repository);
        for (const name of names) expectToolsToWork(name, await play(host, name));
      },
      limitMs,
    );
  }
  real.each(reporting)(
    "the example of what reports later: %s",
    async (name) => {
      await using model = await startModel({ script: scenes([name]) });
      await using host = new RealHost(program ?? [], model);
      expectToolsToWork(name, await play(host, name));
    },
    limitMs,
  );
  real(
    "the examples of long streams, to the last word",
    async () => {
      await using model = await startModel({ script: scenes(["flood", "steady", "long-line"]) });
      await using host = new RealHost(program ?? [], model);
      const getResult = async (prompt: string) => {
        const since = host.lines.length;
        host.prompt(prompt);
        return String(host.lines[await host.until(({ type }) => type === "result", since)]?.result);
      };
      expect(await getResult("<flood>")).toEndWith(" w19999 w20000");
      expect(await getResult("<steady>")).toEndWith(" w399 w400");
      expect(await getResult("<long-line>")).toHaveLength(1_048_576);
    },
    limitMs,
  );
  real(
    "the examples of errors, each in its own way",
    async () => {
      await using model = await startModel({ script: exampleScript("errors") });
      await using host = new RealHost(program ?? [], model);
      const getEnd = async (prompt: string) => {
        const since = host.lines.length;
        host.prompt(prompt);
        const end = await host.until(({ type }) => type === "result", since);
        const retried = host.lines
          .slice(since, end)
          .filter(({ subtype }) => subtype === "api_retry");
        return [retried.map(({ error_status }) => error_status), host.lines[end]?.result];
      };
      expect(await getEnd("overload")).toEqual([[529, 529], "The third try went through."]);
      expect(await getEnd("rate limit")).toEqual([[429], "After a pause it went through."]);
      expect(await getEnd("broken")).toEqual([[500], "The second try went through."]);
      expect(await getEnd("forbidden")).toEqual([
        [],
        expect.stringContaining("may not use this model"),
      ]);
      // Words that it has not taken in when the connection drops are lost to it: then it asks again.
      const [retries, ending] = await getEnd("cut");
      const kept = Array.isArray(retries) && retries.length === 0;
      const words = kept
        ? "and this is how it went on."
        : "This much arrived before the connection was";
      expect(ending).toBe(words);
      expect(await getEnd("halfway")).toEqual([[], "And this is how it went on."]);
    },
    limitMs,
  );
  real(
    "the examples in which it goes on by itself, and a stall that is interrupted",
    async () => {
      const names = ["compaction", "stall"];
      await using model = await startModel({
        script: scenes(names) + exampleScript("stop-reasons"),
      });
      await using host = new RealHost(program ?? [], model);
      await play(host, "stop-reasons", "anything");
      const summedUp = await play(host, "compaction");
      expect(summedUp.some(({ subtype }) => subtype === "compact_boundary")).toBe(true);
      const since = host.lines.length;
      host.prompt("<stall>");
      await host.until((line) => saysSomething(line, "Let me see"), since);
      host.interrupt();
      const end = await host.until(({ type }) => type === "result", since);
      expect(host.lines[end]).toMatchObject({ subtype: "error_during_execution" });
    },
    limitMs,
  );
});

test.skipIf(!programs["2.1.7"])(
  "2.1.7 plays the examples of its tools",
  async () => {
    const names = [...everywhere, ...old];
    await using model = await startModel({ script: scenes(names) });
    await using host = new RealHost(programs["2.1.7"] ?? [], model, repository);
    for (const name of names) expectToolsToWork(name, await play(host, name));
  },
  limitMs,
);
