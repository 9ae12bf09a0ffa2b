import { dotPicture } from "@signalbox/testing/programs";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Ask, Decision, PromptImage } from "@signalbox/host";
import { openStage } from "@signalbox/testing/agent-stage";
import { everyVersion, furtherTest } from "@signalbox/testing/agent-versions";

const PATIENCE = 180_000;
const bash = (command: string) =>
  `::tool Bash ${JSON.stringify({ command, description: "run it" })}`;

/** Notes what is asked, and decides by the given rule. */
function decider(decide: (ask: Ask) => Decision) {
  const asks: Ask[] = [];
  const onAsk = (ask: Ask) => {
    asks.push(ask);
    return decide(ask);
  };
  return { asks, onAsk };
}
const allow = (): Decision => ({ behavior: "allow" });

describe.each(everyVersion)("Claude Code %s", (version) => {
  const further = furtherTest(version);

  test(
    "a plain turn: the prompt is replayed, the answer told, the result success",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version);
      const { uuid } = await talk.host.prompt({ text: "::say All is well." });
      const result = await talk.result();
      expect(result.subtype).toBe("success");
      expect(result.result).toBe("All is well.");
      expect(talk.all("user").find((user) => user.isReplay)?.uuid).toBe(uuid);
      expect(talk.system("init")[0]?.claude_code_version).toBe(version);
      expect(talk.host.run.agent).toMatchObject({ version, versionClass: "tested" });
      expect(talk.lines.filter((line) => line.kind === "drifted")).toEqual([]);
      expect(await talk.host.stop()).toMatchObject({ kind: "stopped" });
    },
    PATIENCE,
  );

  further(
    "a turn streams: the deltas add up to the text, thinking too",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version);
      await talk.turn("::think First this.\n::say One two three four five.");
      const deltas = talk.all("stream_event").flatMap(({ event }) => {
        return event.type === "content_block_delta"
          ? [event["delta"] as Record<string, string>]
          : [];
      });
      const text = deltas.map((delta) => delta["text"] ?? "").join("");
      const thinking = deltas.map((delta) => delta["thinking"] ?? "").join("");
      expect(text).toBe("One two three four five.");
      expect(thinking).toBe("First this.");
      expect(deltas.length).toBeGreaterThan(4);
    },
    PATIENCE,
  );

  test(
    "a tool that was allowed runs, and our answer printed back is known as an echo",
    async () => {
      await using stage = await openStage();
      const { asks, onAsk } = decider(allow);
      const talk = await stage.start(version, {}, { onAsk });
      await talk.turn(`${bash("touch made.txt")}\n::say done`);
      expect(asks).toMatchObject([
        { kind: "permission", tool: "Bash", input: { command: "touch made.txt" } },
      ]);
      expect(stage.has("made.txt")).toBe(true);
      expect(talk.lines.filter((line) => talk.host.getLineRole(line) === "echo")).toHaveLength(1);
      expect(talk.lines.filter((line) => talk.host.getLineRole(line) === "stray")).toEqual([]);
    },
    PATIENCE,
  );

  further(
    "a tool that was denied does not run, and the agent hears the words",
    async () => {
      await using stage = await openStage();
      const { onAsk } = decider(() => ({ behavior: "deny", message: "Not this file, please." }));
      const talk = await stage.start(version, {}, { onAsk });
      const result = await talk.turn(`${bash("touch made.txt")}\n::say I see.`);
      expect(stage.has("made.txt")).toBe(false);
      expect(talk.toolResults).toContain("Not this file, please.");
      expect(result.permission_denials).toMatchObject([{ tool_name: "Bash" }]);
      expect(result.result).toBe("I see.");
    },
    PATIENCE,
  );

  further(
    "a tool that was denied with stop ends the turn",
    async () => {
      await using stage = await openStage();
      const { onAsk } = decider(() => ({ behavior: "deny", message: "Stop here.", stop: true }));
      const talk = await stage.start(version, {}, { onAsk });
      await talk.turn(`${bash("touch made.txt")}\n::say never said`);
      expect(
        talk.all("assistant").some((said) => JSON.stringify(said).includes("never said")),
      ).toBe(false);
    },
    PATIENCE,
  );

  further(
    "a tool whose input was edited runs with the edited input",
    async () => {
      await using stage = await openStage();
      const { onAsk } = decider(() => ({
        behavior: "allow",
        input: { command: "touch edited.txt" },
      }));
      const talk = await stage.start(version, {}, { onAsk });
      await talk.turn(`${bash("touch made.txt")}\n::say done`);
      expect([stage.has("made.txt"), stage.has("edited.txt")]).toEqual([false, true]);
    },
    PATIENCE,
  );

  further(
    "a suggestion that was taken is not asked again",
    async () => {
      await using stage = await openStage();
      const { asks, onAsk } = decider((ask) => {
        const remember = "suggestions" in ask ? ask.suggestions : [];
        return { behavior: "allow", remember };
      });
      const talk = await stage.start(version, {}, { onAsk });
      const write = (name: string) =>
        `::tool Write ${JSON.stringify({ file_path: stage.at(name), content: "x" })}\n::say ok`;
      await talk.turn(write("one.txt"));
      await talk.turn(write("two.txt"));
      expect(asks).toHaveLength(1);
      expect([stage.has("one.txt"), stage.has("two.txt")]).toEqual([true, true]);
    },
    PATIENCE,
  );

  further(
    "a question is answered with a choice, with several, and with words of one's own",
    async () => {
      await using stage = await openStage();
      const { asks, onAsk } = decider(() => ({
        behavior: "answer",
        answers: { "Which color?": "Blue", "Which sizes?": ["S", "L"], "Name?": "something else" },
      }));
      const talk = await stage.start(version, {}, { onAsk });
      const question = (text: string, multiSelect: boolean, ...labels: string[]) => ({
        question: text,
        header: "Pick",
        multiSelect,
        options: labels.map((label) => ({ label, description: label })),
      });
      const questions = [
        question("Which color?", false, "Red", "Blue"),
        question("Which sizes?", true, "S", "M", "L"),
        question("Name?", false, "A", "B"),
      ];
      await talk.turn(`::tool AskUserQuestion ${JSON.stringify({ questions })}\n::say thanks`);
      expect(asks).toMatchObject([
        { kind: "question", questions: [{ question: "Which color?" }, {}, {}] },
      ]);
      for (const heard of ["Blue", "S, L", "something else"])
        expect(talk.toolResults).toContain(heard);
    },
    PATIENCE,
  );

  further(
    "a plan is sent back with comments, then approved",
    async () => {
      await using stage = await openStage();
      let round = 0;
      const { asks, onAsk } = decider((ask) => {
        if (ask.kind !== "plan" || ++round > 1) return { behavior: "allow" };
        return { behavior: "deny", message: "Add a test first." };
      });
      const talk = await stage.start(version, { permissionMode: "plan" }, { onAsk });
      const exit = `::tool ExitPlanMode ${JSON.stringify({ plan: "# Do it\n1. now" })}`;
      await talk.turn(`${exit}\n::say revised\n${exit}\n::say approved`);
      expect(asks.filter((ask) => ask.kind === "plan")).toHaveLength(2);
      expect(talk.toolResults).toContain("Add a test first.");
      expect(talk.toolResults).toMatch(/approved/i);
    },
    PATIENCE,
  );

  further(
    "a hook that asks leads to a permission with its reason",
    async () => {
      await using stage = await openStage();
      const { asks, onAsk } = decider(allow);
      const seen: string[] = [];
      const hooks = [
        {
          event: "PreToolUse",
          matcher: "Bash",
          run: (input: Record<string, unknown>) => {
            seen.push(String(input["tool_name"]));
            return {
              hookSpecificOutput: {
                hookEventName: "PreToolUse",
                permissionDecision: "ask",
                permissionDecisionReason: "please ask",
              },
            };
          },
        },
      ];
      const talk = await stage.start(version, {}, { onAsk, hooks });
      await talk.turn(`${bash("touch made.txt")}\n::say done`);
      expect(seen).toEqual(["Bash"]);
      expect(asks).toMatchObject([{ kind: "permission", tool: "Bash" }]);
      // 2.1.7 asks as well, but does not pass the reason on.
      if (version !== "2.1.7")
        expect(asks[0]?.request).toMatchObject({ decision_reason: "please ask" });
      expect(stage.has("made.txt")).toBe(true);
    },
    PATIENCE,
  );

  test(
    "an interrupt with an open permission withdraws it and ends the turn",
    async () => {
      await using stage = await openStage();
      const asked = Promise.withResolvers<void>();
      const withdrawn = Promise.withResolvers<void>();
      const onAsk = (_ask: Ask, signal: AbortSignal) => {
        asked.resolve();
        return new Promise<Decision>((resolve) => {
          signal.addEventListener("abort", () => {
            withdrawn.resolve();
            resolve({ behavior: "allow" });
          });
        });
      };
      const talk = await stage.start(version, {}, { onAsk });
      await talk.host.prompt({ text: `${bash("touch made.txt")}\n::say never` });
      await asked.promise;
      await talk.host.interrupt();
      await withdrawn.promise;
      const result = await talk.result();
      expect(result.subtype).not.toBe("success");
      expect(stage.has("made.txt")).toBe(false);
      expect((await talk.turn("::say still here")).result).toBe("still here");
    },
    PATIENCE,
  );

  further(
    "an image reaches the model as an image",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version);
      const images: PromptImage[] = [{ data: readFileSync(dotPicture), name: "dot.png" }];
      await talk.host.prompt({ text: "::say I see a dot.", images });
      await talk.result();
      const bodies = JSON.stringify(stage.model.requests);
      expect(bodies).toContain('"type":"image"');
      expect(bodies).toContain('"media_type":"image/png"');
    },
    PATIENCE,
  );

  further(
    "[HB33] a PDF reaches the model as a document",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version);
      const data = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n");
      await talk.host.prompt({ text: "::say I see a plan.", images: [{ data, name: "plan.pdf" }] });
      await talk.result();
      const bodies = JSON.stringify(stage.model.requests);
      expect(bodies).toContain('"type":"document"');
      expect(bodies).toContain('"media_type":"application/pdf"');
      expect(bodies).toContain(data.toString("base64"));
    },
    PATIENCE,
  );

  further(
    "/compact tells of compaction and keeps the conversation going",
    async () => {
      await using stage = await openStage();
      const talk = await stage.start(version);
      await talk.turn("::say Something to be summed up.");
      await talk.turn("/compact");
      expect(talk.system("compact_boundary")).toHaveLength(1);
      expect(talk.system("status").some(({ status }) => status === "compacting")).toBe(true);
      expect((await talk.turn("::say after")).result).toBe("after");
    },
    PATIENCE,
  );

  further(
    "a subagent's work is told apart by the tool call it runs under, and its asks are asked",
    async () => {
      await using stage = await openStage();
      const { asks, onAsk } = decider(allow);
      const talk = await stage.start(version, {}, { onAsk });
      const prompt = `${bash("touch by-sub.txt")}\n::say sub done`;
      const input = { description: "sub work", prompt, subagent_type: "general-purpose" };
      await talk.host.prompt({ text: `::tool Task ${JSON.stringify(input)}\n::say launched` });
      await talk.next(
        "user",
        (user) => user.parent_tool_use_id != null && JSON.stringify(user).includes("tool_result"),
      );
      const blocks = talk.all("assistant").flatMap(({ message }) => {
        return typeof message.content === "string" ? [] : message.content;
      });
      // 2.1.325 offers the tool as Agent and tells of it as Task.
      const call = blocks.find((block) => ["Task", "Agent"].includes(String(block["name"])));
      const nested = talk.all("assistant").filter((said) => said.parent_tool_use_id);
      expect(nested.length).toBeGreaterThan(0);
      for (const said of nested) expect(said.parent_tool_use_id).toBe(String(call?.["id"]));
      expect(asks).toMatchObject([
        { kind: "permission", tool: "Bash", agentId: expect.any(String) },
      ]);
      expect(stage.has("by-sub.txt")).toBe(true);
    },
    PATIENCE,
  );
});
