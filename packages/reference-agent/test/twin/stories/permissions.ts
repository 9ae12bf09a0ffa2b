import { bash, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";

const touch = prompt(
  "Make the file",
  say("I make it."),
  bash("touch made.txt", "Create an empty file"),
  say("So it went."),
);
const plan = "## Plan\n\n1. Write `greeting.txt`\n";

/** The agent's questions, and the effects of the answers. */
export const permissions: Story[] = [
  {
    name: "a tool that is allowed",
    async play(stage) {
      await stage.open({ canUseTool: allow }).turn(touch);
    },
  },
  {
    name: "a tool that is denied",
    async play(stage) {
      const talk = stage.open({
        canUseTool: () => Promise.resolve({ behavior: "deny", message: "Not here, please." }),
      });
      await talk.turn(touch);
    },
  },
  {
    name: "a tool that is denied, and the turn with it",
    async play(stage) {
      const talk = stage.open({
        canUseTool: () =>
          Promise.resolve({ behavior: "deny", message: "Stop here.", interrupt: true }),
      });
      await talk.turn(touch);
      await talk.turn(prompt("Are you there?", say("I am.")));
    },
  },
  {
    name: "a tool whose input is changed",
    async play(stage) {
      const updatedInput = { command: "touch other.txt", description: "Create another file" };
      const talk = stage.open({
        canUseTool: () => Promise.resolve({ behavior: "allow", updatedInput }),
      });
      await talk.turn(touch);
    },
  },
  {
    name: "answers that are none, and inputs that do not fit",
    async play(stage) {
      const rewrite = (updatedInput: Record<string, unknown>) => {
        const hookSpecificOutput = { hookEventName: "PreToolUse", updatedInput } as const;
        return Promise.resolve({ hookSpecificOutput });
      };
      const answers: Record<string, () => unknown> = {
        Throw: () => {
          throw new Error("out of order");
        },
        Mumble: () => ({ behavior: "perhaps" }),
        Mistype: () => ({ behavior: "allow", updatedInput: { command: 5 } }),
        Forget: () => ({ behavior: "allow", updatedInput: { description: "Nothing" } }),
        Add: () => ({ behavior: "allow", updatedInput: { command: "ls", color: "red" } }),
      };
      const talk = stage.open({
        canUseTool: async (_tool, { description }) => answers[String(description)]?.() as never,
        hooks: {
          PreToolUse: [
            {
              hooks: [
                (input) => {
                  const isMeant = JSON.stringify(input).includes("Hooked");
                  return isMeant ? rewrite({ command: ["ls"] }) : Promise.resolve({});
                },
              ],
            },
          ],
        },
      });
      const calls = [...Object.keys(answers), "Hooked"].flatMap((description) => [
        bash("touch made.txt", description),
        next,
      ]);
      const ofTheModel = tool("Bash", { command: "ls", timeout: "long", color: "red" });
      await talk.turn(prompt("Try it", ...calls, ofTheModel, say("So it went.")));
    },
  },
  {
    name: "a tool that is allowed for good",
    async play(stage) {
      const talk = stage.open({
        canUseTool: (_tool, updatedInput, { suggestions = [] }) =>
          Promise.resolve({ behavior: "allow", updatedInput, updatedPermissions: suggestions }),
      });
      await talk.turn(
        prompt(
          "The first",
          tool("Write", { file_path: "first.txt", content: "1\n" }),
          say("Written."),
        ),
      );
      await talk.turn(
        prompt(
          "The second",
          tool("Write", { file_path: "second.txt", content: "2\n" }),
          say("Written."),
        ),
      );
    },
  },
  {
    name: "nobody to ask",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Read"] });
      await talk.turn(touch);
      const look = [bash("(ls)", "Look"), next, bash("ls &", "Look")];
      await talk.turn(prompt("Look", ...look, say("So it went.")));
      const lines = [
        "cat ../x.txt",
        "ls /etc",
        "grep a < /etc/hostname",
        "cd .. && ls",
        "tee b.txt",
        "mv a.txt ../b.txt",
        "echo a > ../c.txt",
        "echo a > c.txt",
        "chmod 600 a.txt",
        "npm install && make",
        "touch a; touch b",
        "cat ../x.txt | grep a",
      ];
      const calls = [
        ...lines.map((line) => bash(line, "Try")),
        tool("Write", { file_path: "a.txt", content: "a" }),
        tool("Write", { file_path: "../new.txt", content: "a" }),
        tool("WebFetch", { url: "http://127.0.0.1:1/", prompt: "What?" }),
      ];
      const inTurn = calls.flatMap((call) => [call, next]);
      await talk.turn(prompt("Try", ...inTurn, say("So it went.")));
    },
  },
  {
    name: "rules of the command line",
    async play(stage) {
      const talk = stage.open({ allowedTools: ["Bash(touch:*)"], disallowedTools: ["Write"] });
      await talk.turn(touch);
      await talk.turn(
        prompt("Write", tool("Write", { file_path: "a.txt", content: "a" }), say("So it went.")),
      );
    },
  },
  {
    name: "several calls at once that are refused without looking",
    files: {
      "a.txt": "one",
      "kept.txt": "two",
      ".claude/settings.json": JSON.stringify({ permissions: { deny: ["Read(kept.txt)"] } }),
    },
    async play(stage) {
      const read = (name: string) => tool("Read", { file_path: `${stage.folder}/${name}` });
      const wrong = [tool("Read", {}), tool("Nothing", {}), tool("Read", { file_path: 3 })];
      const refused = [read("kept.txt"), ...wrong, read("kept.txt")];
      const talk = stage.open({ canUseTool: allow });
      await talk.turn(prompt("Look", ...refused, next, read("a.txt"), ...refused, say("Well.")));
    },
  },
  {
    name: "questions",
    async play(stage) {
      const question = "Which colour should it have?";
      const options = [
        { label: "Blue", description: "Calm" },
        { label: "Red", description: "Loud" },
      ];
      const questions = [{ question, header: "Colour", multiSelect: false, options }];
      const talk = stage.open({
        canUseTool: (_tool, input) =>
          Promise.resolve({
            behavior: "allow",
            updatedInput: { ...input, answers: { [question]: "Blue" } },
          }),
      });
      await talk.turn(
        prompt("A button", tool("AskUserQuestion", { questions }), say("Blue it is.")),
      );
    },
  },
  {
    name: "a plan that is sent back once",
    async play(stage) {
      let rounds = 0;
      const talk = stage.open({
        permissionMode: "plan",
        settings: { useAutoModeDuringPlan: false } as never,
        canUseTool: (name, updatedInput) =>
          Promise.resolve(
            name === "ExitPlanMode" && ++rounds === 1
              ? { behavior: "deny", message: "Add a test first." }
              : { behavior: "allow", updatedInput },
          ),
      });
      await talk.turn(
        prompt(
          "Plan a greeting",
          tool("ExitPlanMode", { plan }),
          say("I add it."),
          tool("ExitPlanMode", { plan: `${plan}2. Test it\n` }),
          say("Then I begin."),
        ),
      );
    },
  },
  {
    name: "a plan holds whatever is allowed",
    async play(stage) {
      const hook = () =>
        Promise.resolve({
          hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } as const,
        });
      const write = (name: string) => tool("Write", { file_path: name, content: "x\n" });
      const talk = stage.open({
        allowedTools: ["Write", "Edit", "Task"],
        settings: { useAutoModeDuringPlan: false } as never,
        hooks: { PreToolUse: [{ matcher: "Write", hooks: [hook] }] },
      });
      await talk.turn(prompt("Write", write("before.txt"), say("Written.")));
      await talk.idle(1);
      await talk.query.setPermissionMode("plan");
      const edit = { file_path: "before.txt", old_string: "x", new_string: "y" };
      await talk.turn(
        prompt(
          "A",
          write("no.txt"),
          next,
          write("../no.txt"),
          next,
          tool("Edit", edit),
          say("I see."),
        ),
      );
      await talk.end();
      const asked = stage.open({
        permissionMode: "plan",
        settings: { useAutoModeDuringPlan: false, permissions: { allow: ["Write"] } } as never,
        canUseTool: () => Promise.resolve({ behavior: "deny", message: "Plan first." }),
      });
      await asked.turn(prompt("Write", write("no.txt"), next, write("../no.txt"), say("I plan.")));
    },
  },
  {
    name: "the mode is set in mid-session",
    async play(stage) {
      const talk = stage.open({ canUseTool: allow });
      const write = (name: string) =>
        prompt("Write", tool("Write", { file_path: name, content: "x\n" }), say("Written."));
      await talk.turn(write("asked.txt"));
      await talk.idle(1);
      await talk.query.setPermissionMode("acceptEdits");
      await talk.turn(write("unasked.txt"));
      await talk.idle(2);
      await talk.query.setPermissionMode("dontAsk");
      await talk.turn(
        prompt("Run", bash("touch no.txt", "Create an empty file"), say("So it went.")),
      );
    },
  },
  {
    name: "an interrupt while a permission is open",
    async play(stage) {
      let asked = () => {};
      const isAsked = new Promise<void>((resolve) => (asked = resolve));
      const talk = stage.open({
        includePartialMessages: true,
        canUseTool: (_tool, _input, { signal }) => {
          asked();
          return new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("withdrawn")));
          });
        },
      });
      talk.say(touch);
      await isAsked;
      await talk.answered();
      await talk.query.interrupt();
      await talk.result();
      await talk.turn(prompt("Are you there?", say("I am.")));
    },
  },
  {
    name: "tools beyond the folder",
    files: { "../outside/secret.txt": "secret\n" },
    async play(stage) {
      const talk = stage.open({
        canUseTool: () => Promise.resolve({ behavior: "deny", message: "Stay inside." }),
      });
      await talk.turn(
        prompt(
          "Look outside",
          tool("Read", { file_path: `${stage.folder}/../outside/secret.txt` }),
          next,
          tool("Write", { file_path: `${stage.folder}/../outside/new.txt`, content: "x" }),
          say("So it went."),
        ),
      );
    },
  },
];
