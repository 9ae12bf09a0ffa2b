import type { HookCallback } from "@anthropic-ai/claude-agent-sdk";
import { bash, errand, next, prompt, say, tool } from "../script.ts";
import { allow, type Story } from "../story.ts";

const settings = JSON.stringify({
  permissions: {
    allow: ["Bash(touch:*)", "Write"],
    deny: ["Bash(mkdir:*)"],
    additionalDirectories: ["/usr"],
    defaultMode: "bypassPermissions",
  },
});

/** Who may extend what is allowed, and what happens if nobody can decide. */
export const trust: Story[] = [
  {
    name: "a folder that nobody trusts",
    files: { ".claude/settings.json": settings },
    async play(stage) {
      await stage
        .open()
        .turn(
          prompt(
            "Make the file",
            bash("touch made.txt", "Create an empty file"),
            next,
            tool("Read", { file_path: "/usr/lib/os-release" }),
            next,
            bash("mkdir made", "Create a folder"),
            next,
            say("Nothing was made."),
          ),
        );
    },
  },
  {
    name: "settings forbid the mode in which nobody is asked",
    files: {
      "home/.claude/settings.json": JSON.stringify({
        permissions: { disableBypassPermissionsMode: "disable" },
      }),
      ".claude/agents/bold.md":
        "---\nname: bold\ndescription: Asks nobody\npermissionMode: bypassPermissions\n---\nDo it.",
    },
    async play(stage) {
      const talk = stage.open({
        canUseTool: allow,
        permissionMode: "bypassPermissions",
        allowDangerouslySkipPermissions: true,
        env: { IS_SANDBOX: "1" }, // Without it neither program starts in this mode as root.
      });
      await talk.turn(prompt("Make it", bash("touch a", "Make"), next, say("Made.")));
      const refused = await talk.query.setPermissionMode("bypassPermissions").catch(String);
      stage.note("the mode", refused);
      const errandOf = errand("bold", "Make it", bash("touch b", "Make"), next, say("Made."));
      await talk.turn(prompt("Have it made", tool("Task", errandOf), next, say("It is.")));
    },
  },
  {
    name: "a host's hook that does not answer, and one that fails",
    async play(stage) {
      const never: HookCallback = () => new Promise(() => {});
      const fails: HookCallback = () => Promise.reject(new Error("It broke."));
      const allowedTools = ["Bash"];
      const silent = stage.open({
        allowedTools,
        hooks: { PreToolUse: [{ hooks: [never], timeout: 1 }] },
      });
      const touch = (name: string) => bash(`touch ${name}`, "Create an empty file");
      await silent.turn(prompt("Make the file", touch("unjudged.txt"), next, say("Not made.")));
      await silent.end();
      const unheard = stage.open({
        allowedTools,
        hooks: { UserPromptSubmit: [{ hooks: [never], timeout: 1 }] },
      });
      await unheard.turn(prompt("Make the file", touch("unheard.txt"), next, say("Not made.")));
      await unheard.end();
      const broken = stage.open({ allowedTools, hooks: { PreToolUse: [{ hooks: [fails] }] } });
      await broken.turn(prompt("Make the file", touch("made.txt"), next, say("Made.")));
    },
  },
];
