import type { HookCallback, PreToolUseHookSpecificOutput } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";
import { hooked } from "./hooks.ts";

const written = {
  "CLAUDE.md": "Be kind. @other.md",
  "other.md": "Be brief.",
  "CLAUDE.local.md": "Be here.",
  "home/.claude/CLAUDE.md": "Be yourself.",
  ".claude/rules/all.md": "For all.",
  ".claude/rules/sub.md": "---\npaths: sub/**\n---\nFor some.",
  "sub/CLAUDE.md": "Below. @more.md",
  "sub/more.md": "More.",
  "sub/a.txt": "a\n",
};
const commands = {
  ".claude/commands/greet.md": "Greet $ARGUMENTS\n::say Hello {{seen sky is (\\w+)}}.",
  ".claude/commands/hidden.md": "Hidden\n::say Never.",
  ".claude/commands/stopped.md": "Stopped\n::say Never.",
  ".claude/skills/wave/SKILL.md": "---\ndescription: Waves\n---\nWave $ARGUMENTS\n::say Waved.",
};
const task = errand("general-purpose", "Count", bash("touch counted", "Count"), say("Counted."));

/** Hooks for events that have more to report than to decide. */
export const hookEvents: Story[] = [
  {
    name: "hooks of the host that see batches, commands, instructions and texts",
    files: { ...written, ...commands },
    async play(stage) {
      const answer: HookCallback = (input) => {
        if (input.hook_event_name !== "MessageDisplay" || !input.delta.includes("secret"))
          return Promise.resolve({});
        const hookSpecificOutput = {
          hookEventName: "MessageDisplay",
          displayContent: "It is not shown.",
        } as const;
        return Promise.resolve({ hookSpecificOutput });
      };
      const events = [
        ...(["PostToolBatch", "UserPromptSubmit", "UserPromptExpansion"] as const),
        ...(["CwdChanged", "InstructionsLoaded", "MessageDisplay"] as const),
      ];
      const talk = stage.open({ canUseTool: allow, ...hooked(stage, events, answer) });
      await talk.turn(prompt("Have it counted", tool("Task", task), say("So.")));
      await talk.turn(
        prompt(
          "Look",
          say("I look."),
          bash("echo hi", "Greet"),
          bash("exit 3", "Fail"),
          next,
          tool("Read", { file_path: "sub/a.txt" }),
          next,
          bash("cd sub", "Go"),
          next,
          bash("cd ..", "Come back"),
          say("The secret word."),
        ),
      );
      await talk.turn("/greet you there");
      await talk.turn("/wave now");
      await talk.turn("/compact");
      await talk.turn("Thanks");
    },
  },
  {
    name: "hooks of settings that end a turn after its calls, keep commands back, and follow the shell",
    files: { ...commands, "sub/a.txt": "a\n" },
    async play(stage) {
      const hook = (command: string, matcher?: string) => ({
        ...(matcher === undefined ? {} : { matcher }),
        hooks: [{ type: "command", command }],
      });
      const json = (value: object) => `cat > /dev/null; echo '${JSON.stringify(value)}'`;
      const special = (hookEventName: string, more: object) => ({
        hookSpecificOutput: { hookEventName, ...more },
      });
      const noted = {
        systemMessage: "Noted.",
        ...special("PostToolBatch", { additionalContext: "The sky is blue" }),
      };
      const hidden = special("UserPromptExpansion", { suppressOriginalPrompt: true });
      const hooks = {
        CwdChanged: [hook('cat > went.json; echo "export WENT=there" >> "$CLAUDE_ENV_FILE"', "x")],
        PostToolBatch: [
          hook(`if grep -q 'touch ended'; then echo Enough. >&2; exit 2; fi; ${json(noted)}`),
        ],
        UserPromptExpansion: [
          hook("echo The sky is green", "greet"),
          hook(json({ decision: "block", reason: "Not this.", ...hidden }), "hidden"),
          hook(json({ continue: false, stopReason: "Halt." }), "stopped"),
          hook("echo No waving. >&2; exit 2", "wave"),
        ],
        MessageDisplay: [hook("exit 2", "x")],
        Stop: [hook("touch stopped", "x")],
      };
      const talk = stage.open({
        canUseTool: allow,
        includeHookEvents: true,
        settings: JSON.stringify({ hooks }) as never,
      });
      await talk.turn(
        prompt(
          "Go",
          bash("cd sub", "Go"),
          next,
          bash("echo $WENT > went.txt; cd ..", "Come back"),
          say("The sky is {{seen sky is (\\w+)}}."),
        ),
      );
      for (const name of ["greet", "hidden", "stopped", "wave"]) await talk.turn(`/${name} you`);
      const ending = errand("general-purpose", "End", bash("touch ended", "Make"), say("Never."));
      await talk.turn(prompt("Have it ended", tool("Task", ending), say("Never.")));
    },
  },
  {
    name: "hooks around subagents that add, come late, deny, and hear of failures",
    async play(stage) {
      const deny = {
        hookEventName: "PermissionRequest",
        decision: { behavior: "deny", message: "No way.", interrupt: true },
      } as const;
      const context = {
        hookEventName: "SubagentStart",
        additionalContext: "The sky is blue",
      } as const;
      let starts = 0;
      const answer: HookCallback = (input) => {
        if (input.hook_event_name === "PermissionRequest")
          return Promise.resolve({ hookSpecificOutput: deny });
        if (input.hook_event_name !== "SubagentStart") return Promise.resolve({});
        return ++starts === 2
          ? new Promise(() => {})
          : Promise.resolve({ hookSpecificOutput: context });
      };
      const events = [
        ...(["SubagentStart", "StopFailure"] as const),
        ...(["TaskCreated", "TaskCompleted", "PermissionRequest"] as const),
      ];
      const { hooks } = hooked(stage, events, answer);
      for (const matcher of hooks["SubagentStart"] ?? []) Object.assign(matcher, { timeout: 1 });
      const talk = stage.open({ hooks, env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" } });
      const send = (...lines: string[]) =>
        talk.turn(
          prompt("Send", tool("Task", errand("general-purpose", "Go", ...lines)), say("So.")),
        );
      await send(say("The sky is {{seen sky is (\\w+)}}."));
      await send(say("Never."));
      await send("::error 400 x9");
      await send(
        tool("TaskCreate", { subject: "s", description: "d" }),
        next,
        tool("TaskUpdate", { taskId: "1", status: "completed" }),
        say("Done."),
      );
      await send(bash("touch denied", "Make a file"), say("Never."));
      await talk.turn(prompt("Make it", bash("touch denied", "Make a file"), say("Never.")));
    },
  },
  {
    name: "hooks around a summary, in their order and with what they have to say",
    files: {
      "home/.claude/settings.json": JSON.stringify({
        hooks: {
          PreCompact: [{ hooks: [{ type: "command", command: "echo Keep the numbers." }] }],
          PostCompact: [
            { hooks: [{ type: "command", command: "echo No room >&2; exit 1" }] },
            { hooks: [{ type: "command", command: "exit 1" }] },
          ],
        },
      }),
    },
    async play(stage) {
      let wishes = 0;
      const answer: HookCallback = ({ hook_event_name: event }) => {
        if (event === "PostCompact") return Promise.resolve({ systemMessage: "It is short." });
        const isFirst = event === "PreCompact" && wishes++ === 0;
        return Promise.resolve(isFirst ? { decision: "block", reason: "Not now." } : {});
      };
      const events = ["SessionStart", "PreCompact", "PostCompact", "SubagentStop"] as const;
      const talk = stage.open({ canUseTool: allow, ...hooked(stage, [...events], answer) });
      await talk.turn(prompt("Count", bash("echo 1", "Count"), next, say("One.")));
      await talk.turn("/compact");
      await talk.turn(prompt("Go on", say("Two.")));
      await talk.turn("/compact");
      stage.note("kept", JSON.stringify(stage.requests.at(-1)).includes("Keep the numbers."));
      await talk.turn(
        prompt(
          "Fill the window",
          "::usage input=990000 output=1000",
          bash("echo before", "Count"),
          next,
          say("After."),
          "::usage input=2000",
        ),
      );
    },
  },
  {
    name: "hooks of a call with a word for the person, with no reason, with another output",
    async play(stage) {
      const before: Readonly<Record<string, PreToolUseHookSpecificOutput>> = {
        "touch asked": { hookEventName: "PreToolUse", permissionDecision: "ask" },
        "touch allowed": { hookEventName: "PreToolUse", permissionDecision: "allow" },
        "touch denied": { hookEventName: "PreToolUse", permissionDecision: "deny" },
      };
      const stdout = "Replaced.";
      const after: Readonly<Record<string, unknown>> = {
        "echo one": { stdout, stderr: "", interrupted: false },
        "echo two": { stdout, stderr: "Noise.", interrupted: true, more: 1 },
        "echo three": { stdout },
        "echo four": stdout,
      };
      const answer: HookCallback = (input) => {
        if (input.hook_event_name === "PreToolUse") {
          const special = before[readCommand(input.tool_input)];
          const more = special ? { hookSpecificOutput: special } : {};
          return Promise.resolve({ systemMessage: "Look here.", ...more });
        }
        if (input.hook_event_name !== "PostToolUse") return Promise.resolve({});
        const updatedToolOutput = after[readCommand(input.tool_input)];
        if (updatedToolOutput === undefined) return Promise.resolve({});
        return Promise.resolve({
          hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput },
        });
      };
      const events = ["PreToolUse", "PostToolUse"] as const;
      const talk = stage.open({ canUseTool: allow, ...hooked(stage, [...events], answer) });
      for (const command of ["touch undecided", ...Object.keys(before), ...Object.keys(after)]) {
        await talk.turn(prompt("Do it", bash(command, "Do it"), next, say("Done.")));
      }
    },
  },
];

const readCommand = (input: unknown): string => String((input as { command?: unknown }).command);
