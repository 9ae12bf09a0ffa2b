import type { Ask, Decision } from "@signalbox/host";
import { allow, bash, call, type Stories, type Story } from "../story.ts";

const touch = `
say I make the file.
${bash("touch made.txt", "Create an empty file")}
say That is how it went.`;

function decided(decide: (ask: Ask) => Decision): Story {
  const play: Story["play"] = async (stage) => {
    const talk = await stage.start({}, { onAsk: decide });
    await talk.turn("Please make the file");
  };
  return { script: touch, play };
}

const plan = "## Plan\n\n1. Write `greeting.txt`\n2. Read it back\n";

/** What the agent asks, and how it can be answered. */
export const permissions: Stories = {
  "tool-allowed": decided(allow),
  "tool-denied": decided(() => ({ behavior: "deny", message: "Not in this folder, please." })),
  "tool-denied-and-stopped": decided(() => {
    return { behavior: "deny", message: "Stop here.", stop: true };
  }),
  "tool-edited": decided(() => {
    const input = { command: "touch edited.txt", description: "Create an empty file" };
    return { behavior: "allow", input };
  }),
  "tool-allowed-always": {
    script: `
== second
${call("Write", { file_path: "second.txt", content: "2\n" })}
say Nobody was asked for the second.
== *
${call("Write", { file_path: "first.txt", content: "1\n" })}
say The first is written.`,
    async play(stage) {
      const remembering = (ask: Ask): Decision => {
        return { behavior: "allow", remember: "suggestions" in ask ? ask.suggestions : [] };
      };
      const talk = await stage.start({}, { onAsk: remembering });
      await talk.turn("Write the first file");
      await talk.turn("Write the second file");
    },
  },
  question: {
    script: `
say Before I start I would like to know two things.
tool AskUserQuestion <<END
{"questions":[
  {"question":"Which color should the button have?","header":"Color","multiSelect":false,"options":[
    {"label":"Blue","description":"Calm, and easy to see"},
    {"label":"Red","description":"For things that delete"}]},
  {"question":"Which pages need it?","header":"Pages","multiSelect":true,"options":[
    {"label":"Home","description":"The first page"},
    {"label":"Settings","description":"The page with the switches"}]}
]}
END
say Thank you, I will do as you chose.`,
    async play(stage) {
      const answers = {
        "Which color should the button have?": "Blue",
        "Which pages need it?": ["Home", "Settings"],
      };
      const onAsk = () => ({ behavior: "answer", answers }) as const;
      const talk = await stage.start({}, { onAsk });
      await talk.turn("Make me a button");
    },
  },
  plan: {
    script: `
${call("EnterPlanMode", {})}
say I have looked around, and write down what I would do.
${call("Write", { file_path: "{{seen plan at (\\S+)}}", content: plan })}
next
${call("ExitPlanMode", { plan })}
say I add what is missing.
${call("ExitPlanMode", { plan: `${plan}3. Test it\n` })}
say Then I begin.`,
    async play(stage) {
      let round = 0;
      const onAsk = (ask: Ask): Decision => {
        if (ask.kind !== "plan" || ++round > 1) return { behavior: "allow" };
        return { behavior: "deny", message: "Add a test first." };
      };
      const talk = await stage.start({}, { onAsk });
      await talk.turn("Plan a greeting");
    },
  },
  "hook-asked": {
    script: touch,
    async play(stage) {
      const asks = { permissionDecision: "ask", permissionDecisionReason: "It writes a file." };
      const run = () => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...asks } });
      const hooks = [{ event: "PreToolUse", matcher: "Bash", run }];
      const talk = await stage.start({}, { onAsk: allow, hooks });
      await talk.turn("Please make the file");
    },
  },
  "supervised-hooks": {
    script: `
${call("Read", { file_path: "notes.txt" })}
next
${bash("echo changed >> notes.txt", "Change the notes")}
say The notes are changed.
next
say They should stay as they are: the change is a draft.`,
    async play(stage) {
      stage.write("notes.txt", "Read me.\n");
      stage.commit();
      const talk = await stage.start({}, { policy: "supervised", onAsk: allow });
      await talk.turn("Change the notes");
    },
  },
  "settings-hooks": {
    script: touch,
    async play(stage) {
      const hook = (command: string) => [{ hooks: [{ type: "command", command }] }];
      const hooks = {
        SessionStart: hook("echo The session starts."),
        PreToolUse: hook("echo A tool is due."),
        Stop: hook("echo It stops >&2; exit 1"),
      };
      const talk = await stage.start({ settings: { hooks } }, { onAsk: allow });
      await talk.turn("Please make the file");
    },
  },
  "interrupt-open-permission": {
    script: `
== still
say I am still here.
== *${touch}`,
    async play(stage) {
      const asked = Promise.withResolvers<void>();
      const onAsk = (_: Ask, signal: AbortSignal) => {
        asked.resolve();
        return new Promise<Decision>((resolve) => {
          signal.addEventListener("abort", () => resolve({ behavior: "allow" }));
        });
      };
      const talk = await stage.start({}, { onAsk });
      await talk.host.prompt({ text: "Please make the file" });
      await asked.promise;
      await talk.host.interrupt();
      await talk.result();
      await talk.turn("Are you still there?");
    },
  },
};
