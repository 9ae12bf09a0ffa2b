import type { CanUseTool, HookCallback, HookEvent } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Stage, type Story } from "../story.ts";

const EVENTS: readonly HookEvent[] = [
  ...([
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "SessionStart",
  ] as const),
  ...(["Stop", "SubagentStart", "SubagentStop", "PreCompact", "PermissionRequest"] as const),
];

/** Creates host hooks for these events, each of which notes its input. */
export function hooked(
  stage: Stage,
  events: readonly HookEvent[],
  answer: HookCallback = () => Promise.resolve({}),
) {
  const noted: HookCallback = (input, toolUseId, options) => {
    stage.note(`hook ${input.hook_event_name}`, { input, hasToolUseId: toolUseId !== undefined });
    return answer(input, toolUseId, options);
  };
  return { hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [noted] }]])) };
}

const touch = prompt(
  "Make the file",
  bash("touch made.txt", "Create an empty file"),
  bash("exit 3", "Fail"),
  say("So it went."),
);

/** Hooks of the host and of settings. */
export const hooks: Story[] = [
  {
    name: "the host's hooks around a tool",
    async play(stage) {
      // Whether an answer comes before the second call is reported would otherwise be random.
      const bothTold = () => talk.said("assistant", 2);
      const answer: HookCallback = async ({ hook_event_name }) => {
        if (hook_event_name === "PreToolUse") await bothTold();
        return {};
      };
      const talk = stage.open({ canUseTool: allow, ...hooked(stage, EVENTS, answer) });
      await talk.turn(touch);
    },
  },
  {
    name: "the host's hooks around a subagent and a compaction",
    async play(stage) {
      const talk = stage.open({
        canUseTool: allow,
        ...hooked(stage, ["SubagentStart", "SubagentStop", "PreCompact", "Stop"]),
      });
      const task = errand("general-purpose", "Count", say("I have counted."));
      await talk.turn(prompt("Have it counted", tool("Task", task), say("They have counted.")));
      await talk.turn("/compact");
    },
  },
  {
    name: "whoever does not answer is notified",
    async play(stage) {
      let notified = () => {};
      const isNotified = new Promise<void>((resolve) => (notified = resolve));
      const talk = stage.open({
        ...hooked(stage, ["Notification"], () => {
          notified();
          return Promise.resolve({});
        }),
        canUseTool: async (name, input, more) => {
          await isNotified;
          return allow(name, input, more);
        },
      });
      await talk.turn(prompt("Make it", bash("touch made.txt", "Make a file"), say("Made.")));
    },
  },
  {
    name: "a hook that denies, one that adds, one that blocks the prompt",
    async play(stage) {
      const answer: HookCallback = (input) => {
        if (input.hook_event_name === "PreToolUse") {
          const hookSpecificOutput = {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: "Not today.",
          } as const;
          return Promise.resolve({ hookSpecificOutput });
        }
        if (input.hook_event_name !== "UserPromptSubmit") return Promise.resolve({});
        if (input.prompt.includes("forbidden"))
          return Promise.resolve({ decision: "block", reason: "Such prompts are not sent." });
        const hookSpecificOutput = {
          hookEventName: "UserPromptSubmit",
          additionalContext: "The sky is blue.",
        } as const;
        return Promise.resolve({ hookSpecificOutput });
      };
      const talk = stage.open({
        canUseTool: allow,
        ...hooked(stage, ["PreToolUse", "UserPromptSubmit"], answer),
      });
      await talk.turn(
        prompt(
          "Make the file",
          bash("touch made.txt", "Create an empty file"),
          say("I know: {{seen sky is (\\w+)}}."),
        ),
      );
      await talk.turn("This is forbidden");
    },
  },
  {
    name: "a hook that asks, and a stop hook that goes on once",
    async play(stage) {
      let stops = 0;
      const answer: HookCallback = (input) => {
        if (input.hook_event_name === "Stop") {
          return Promise.resolve(++stops === 1 ? { decision: "block", reason: "Not yet." } : {});
        }
        const hookSpecificOutput = {
          hookEventName: "PreToolUse",
          permissionDecision: "ask",
          permissionDecisionReason: "It writes.",
        } as const;
        return Promise.resolve({ hookSpecificOutput });
      };
      const talk = stage.open({
        canUseTool: allow,
        ...hooked(stage, ["PreToolUse", "Stop"], answer),
      });
      await talk.turn(
        prompt(
          "Make the file",
          bash("touch made.txt", "Create an empty file"),
          say("Done."),
          next,
          say("Now really."),
        ),
      );
    },
  },
  {
    name: "hooks of settings that refuse, and what they are told of a session's start and end",
    async play(stage) {
      const hook = (command: string) => [{ hooks: [{ type: "command", command }] }];
      const settings = {
        hooks: {
          SessionStart: hook("cat > start.json"),
          SessionEnd: hook("cat > end.json"),
          UserPromptSubmit: hook("if grep -q forbidden; then echo Not so. >&2; exit 2; fi"),
          PreToolUse: hook("exit 2"),
          Stop: hook("if [ ! -e stopped ]; then touch stopped; echo Go on. >&2; exit 2; fi"),
          PreCompact: hook("echo Not now. >&2; exit 2"),
        },
      };
      const talk = stage.open({ settings: JSON.stringify(settings) as never });
      await talk.turn("This is forbidden");
      const lines = [bash("ls", "Look"), say("Done."), next, say("Now really.")];
      await talk.turn(prompt("Look around", ...lines));
      await talk.turn("/compact");
      await talk.end();
    },
  },
  {
    name: "hooks of settings, with their events",
    async play(stage) {
      const hook = (command: string) => [{ hooks: [{ type: "command", command }] }];
      const settings = {
        hooks: {
          SessionStart: hook("echo The session starts."),
          PreToolUse: hook("echo A tool is due."),
          PostToolUse: hook("cat > told.json; echo It was done."),
        },
      };
      const talk = stage.open({
        canUseTool: allow,
        includeHookEvents: true,
        settings: JSON.stringify(settings) as never,
      });
      await talk.turn(
        prompt("Make the file", bash("touch made.txt", "Create an empty file"), say("So it went.")),
      );
      stage.write("told.json", "");
    },
  },
  {
    name: "hooks of settings that run for some calls, hide an output, add to a stop and stop a prompt",
    files: { ".claude/settings.json": JSON.stringify({ hooks: { PreToolUse: [guard("seen")] } }) },
    async play(stage) {
      const answer = (value: object) => `cat > /dev/null; echo '${JSON.stringify(value)}'`;
      const hidden = { stdout: "hidden", stderr: "", interrupted: false, isImage: false };
      const hook = (command: string, more: object = {}) => [
        { hooks: [{ type: "command", command, ...more }] },
      ];
      const settings = {
        hooks: {
          SessionStart: hook('echo "export GREETING=hello" >> "$CLAUDE_ENV_FILE"'),
          PreToolUse: [guard("seen"), ...hook("echo unsure >> unsure.txt", { if: "Bash(rm *)" })],
          PostToolUse: hook(
            answer({
              systemMessage: "It is hidden.",
              hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: hidden },
            }),
          ),
          Stop: hook(
            `if [ ! -e stopped ]; then touch stopped; ${answer({
              hookSpecificOutput: { hookEventName: "Stop", additionalContext: "One more." },
            })}; fi`,
          ),
          UserPromptSubmit: hook(
            `if grep -q forbidden; then echo '${JSON.stringify({ continue: false, stopReason: "Halt." })}'; fi`,
          ),
        },
      };
      const talk = stage.open({ canUseTool: allow, settings: JSON.stringify(settings) as never });
      const lines = [
        bash("echo $GREETING > greeting.txt", "Greet"),
        say("Done."),
        next,
        say("Now."),
      ];
      await talk.turn(prompt("Greet", ...lines));
      await talk.turn("This is forbidden");
    },
  },
  {
    name: "hooks of settings that give no answer, and one that ends the turn",
    async play(stage) {
      const nobody = { type: "http", url: "http://127.0.0.1:9/" };
      const ending = JSON.stringify({ continue: false, stopReason: "Enough." });
      const end = { type: "command", command: `echo '${ending}'`, if: "Bash(touch *)" };
      const settings = { hooks: { PreToolUse: [{ hooks: [nobody, end] }] } };
      const talk = stage.open({ canUseTool: allow, settings: JSON.stringify(settings) as never });
      await talk.turn(prompt("Make it", bash("touch made.txt", "Make a file"), say("Made.")));
    },
  },
  {
    name: "hooks that end the turn: its other calls run, and what others deny or what fails goes on",
    async play(stage) {
      let told = 0;
      const ends: HookCallback = async (input) => {
        await talk.said("assistant", told); // All calls are reported before this one continues.
        const isMeant = JSON.stringify(input).includes(`end ${input.hook_event_name}`);
        return isMeant ? { continue: false, stopReason: "Enough." } : {};
      };
      const hooks = Object.fromEntries(
        ["PreToolUse", "PostToolUse", "PostToolUseFailure"].map((name) => [
          name,
          [{ hooks: [ends] }],
        ]),
      );
      const canUseTool: CanUseTool = (_tool, input) =>
        Promise.resolve(
          JSON.stringify(input).includes("denied")
            ? { behavior: "deny", message: "Not this." }
            : { behavior: "allow", updatedInput: input },
        );
      const talk = stage.open({ canUseTool, hooks });
      const turn = async (...commands: string[]) => {
        told += commands.length;
        const calls = commands.map((command) => bash(command, "Do it"));
        const ended = await talk.turn(prompt("Do it", ...calls, next, say("Done.")));
        if ("terminal_reason" in ended && ended.terminal_reason === "completed") told++;
      };
      await turn("touch one # end PreToolUse", "touch two");
      await turn("echo one # end PostToolUse", "touch three");
      await turn("false # end PreToolUse", "touch four");
      await turn("false # end PostToolUseFailure");
      await turn("touch denied # end PreToolUse");
    },
  },
];

/** Writes a line for every call that it sees. */
function guard(name: string) {
  const hooks = [{ type: "command", command: `echo ${name} >> ${name}.txt` }];
  return { matcher: "Write, Bash", hooks };
}
