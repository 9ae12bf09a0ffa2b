import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { describeCall, describeResult, findToolKind, toolTitle } from "../src/tools/index.ts";
import { growthFromTenth } from "@signalbox/testing/cpu";

const names = [
  "Read Edit Write NotebookEdit MultiEdit Glob Grep LS Bash WebFetch WebSearch Task Agent",
  "TaskCreate TaskUpdate TaskList TodoWrite AskUserQuestion ExitPlanMode EnterPlanMode Skill",
  "SlashCommand TaskOutput BashOutput KillShell TaskStop Monitor EnterWorktree ExitWorktree",
  "CronCreate CronDelete CronList ScheduleWakeup Workflow ListAgents SendMessage ReportFindings",
  "ToolSearch mcp__a__b Nobody __proto__",
].flatMap((line) => line.split(" "));
const name = fc.oneof(fc.constantFrom(...names), fc.string());

const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Arbitrary JSON is seldom what a tool reads; these are the fields it does. */
const keys = [
  "file_path notebook_path old_string new_string edits content command timeout pattern path url",
  "query prompt description subagent_type todos taskId subject questions answers plan skill args",
  "task_id shell_id cron id delaySeconds script findings to message type file filePath base64",
  "structuredPatch originalFile userModified stdout stderr interrupted filenames numFiles mode",
  "results result code status agentId task tasks newTodos jobs output oldStart lines text source",
  "data question options label cells pages structuredContent success error replace_all edit_mode",
].flatMap((line) => line.split(" "));
/** As JSON writes it: there -0 is 0. */
const json = (size?: { maxDepth: number }) => fc.jsonValue(size).map(roundTrip);
const leaf = fc.oneof(
  fc.constantFrom(
    "",
    "text",
    "image",
    "create",
    "notebook",
    "parts",
    "completed",
    "Exit code 1\nx",
  ),
  fc.constantFrom("a\n\tb\n", "<status>x</status>", '{"message":1}', "x:1:y", "<tool_use_error>"),
  json({ maxDepth: 1 }),
);
const { value: shaped } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, leaf, tie("list"), tie("object")),
  list: fc.array(tie("value"), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...keys), tie("value"), {
    maxKeys: 8,
    noNullPrototype: true,
  }),
}));
const anything = fc.oneof(shaped, json(), fc.constant(undefined));
const result = fc.record({ content: anything, structured: anything, isError: fc.boolean() });

describe("whatever a tool is given or gives", () => {
  test("[TL83] nothing throws, the kind stays, and the payload is plain JSON", () => {
    const law = fc.property(name, anything, result, (tool, input, answer) => {
      const call = describeCall(tool, input);
      const done = describeResult(call, answer);
      expect(call.kind).toBe(findToolKind(tool));
      expect(done.kind).toBe(call.kind);
      expect(done.error !== undefined || !answer.isError).toBe(true);
      for (const payload of [call, done]) {
        expect(payload).toStrictEqual(roundTrip(payload) as typeof payload);
        const title = toolTitle(tool, payload);
        expect(title).not.toBe("");
        expect(title).not.toContain("\n");
      }
    });
    fc.assert(law, { numRuns: 3000 });
  });

  test("[TL83] describing a result leaves the payload it began with as it was", () => {
    const law = fc.property(name, anything, result, (tool, input, answer) => {
      const call = describeCall(tool, input);
      const before = JSON.stringify(call);
      expect(describeResult(call, answer)).toEqual(describeResult(call, answer));
      expect(JSON.stringify(call)).toBe(before);
    });
    fc.assert(law, { numRuns: 500 });
  });

  test("[TL83] long texts are kept whole, and quickly", () => {
    const describeAll = (long: string) => {
      for (const tool of names) {
        const fields = {
          file_path: long,
          content: long,
          command: long,
          old_string: long,
          prompt: long,
        };
        const call = describeCall(tool, { ...fields, new_string: `${long}y`, description: long });
        toolTitle(tool, call);
        describeResult(call, { content: long, isError: false });
        describeResult(call, { content: long, isError: true });
      }
    };
    const long = "x \t\n".repeat(1_000_000);
    const grows = growthFromTenth(
      () => describeAll("x \t\n".repeat(100_000)),
      () => describeAll(long),
    );
    expect(describeCall("Bash", { command: long })).toMatchObject({ command: long });
    expect(grows).toBeLessThan(50);
  }, 180_000);
});
