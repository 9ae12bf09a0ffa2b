import type { SlashCommand } from "./commands.ts";

/** Commands that the agent runs by itself, as hosts see them. */
export const builtIn = [
  { name: "agents", description: "Where the definitions of subagents are", argumentHint: "" },
  {
    name: "clear",
    description: "End this conversation and begin an empty one",
    argumentHint: "[name of the old one]",
  },
  {
    name: "compact",
    description: "Sum up the conversation and go on from the summary",
    argumentHint: "<what to keep>",
  },
  { name: "context", description: "Show what fills the model's window", argumentHint: "" },
  { name: "cost", description: "Show what this session has cost", argumentHint: "" },
  {
    name: "effort",
    description: "Say how hard the model is to think",
    argumentHint: "<low|medium|high|xhigh|max|auto>",
  },
  { name: "mcp", description: "How the MCP servers are", argumentHint: "" },
  { name: "model", description: "Show or change the model", argumentHint: "[model]" },
  { name: "reload-skills", description: "Read commands and skills again", argumentHint: "" },
  { name: "rename", description: "Give this session a title", argumentHint: "<title>" },
  { name: "usage", description: "Show what this session has cost", argumentHint: "" },
] as const;

/** Aliases of these commands. */
export const sameAs: Readonly<Record<string, string>> = {
  cost: "usage",
  stats: "usage",
  new: "clear",
  reset: "clear",
};

/**
 * Commands that need Claude Code's own screen. Anywhere else Claude Code says so and does not ask
 * the model.
 */
export const forScreens = new Set(
  `add-dir advisor allowed-tools android app background bashes bedrock bg branch brief btw bug cd
  checkpoint chrome continue copy desktop diff exit export extra-usage feedback fork help
  hooks ide install-github-app install-slack-app ios keybindings login logout marketplace
  memory mobile passes permissions plan plugin plugins powerup privacy-settings pro-trial-
  expired project quit radio rate-limit-options rc release-notes remote-control remote-env
  resume rewind sandbox schedule scroll-speed session setup setup- setup-vertex share skills
  status statusline stickers stop tasks teleport terminal- theme tui ultraplan ultrareview
  undo upgrade usage-credits vim voice web-setup workflows`.split(/\s+/),
);

const prompt = (name: string, description: string, body: string): SlashCommand => ({
  name,
  description,
  argumentHint: "",
  body,
  kind: "command",
  source: "userSettings",
  allowedTools: [],
  forModel: false,
  forPeople: true,
});

/** Commands whose text goes to the model. */
export const builtInPrompts: readonly SlashCommand[] = [
  prompt(
    "init",
    "Write a CLAUDE.md for this project",
    `Look at this project and write a CLAUDE.md at its root: what somebody who works here for the first time has to know and cannot see at a glance.

It says:
- the commands for building, checking and testing, and how a single test is run;
- how the whole is put together: what only shows after reading several files.

If there is a CLAUDE.md already, improve it. Take over what matters from README, .cursor/rules, .cursorrules and .github/copilot-instructions.md. Leave out lists of files that anybody can list, advice that holds everywhere, and whatever you did not see in the project itself.

It begins with:

# CLAUDE.md

What an agent needs to know to work in this repository.`,
  ),
  prompt(
    "security-review",
    "Look for security holes in what is not merged yet",
    `Look through the changes of this branch (git diff against the branch it came from, and what is not committed) for security holes that they bring in.

Look for: input that reaches a shell, a query, a path, a template or a parser unchecked; checks of identity or permission that are missing or can be passed by; secrets in code or logs; weak or home-made cryptography; data that somebody gets to see who should not.

Report only what you can show a way to exploit, and follow each suspicion through the code before you report it. Leave out what was there before, missing hardening, denial of service and matters of style. For each finding: the place as path:line, how bad it is, how it is exploited, how it is mended. If there is none, say so.`,
  ),
];
