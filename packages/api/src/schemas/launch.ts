import * as z from "zod";
import { isolationProfile, mcpServerConfig } from "./session-options.ts";

/** Everything with which the hub lets a runner start an agent. Only the folder is required. */
export const launchOptions = z.object({
  folder: z.string().describe("The folder in which the agent works."),
  agentPath: z
    .string()
    .exactOptional()
    .describe("The program to run. Without it the usual places are searched."),
  agentPackage: z
    .string()
    .exactOptional()
    .describe(
      "In place of a path: an npm package with its exact version, which the runner installs.",
    ),
  flags: z
    .array(z.string())
    .exactOptional()
    .describe("More options for the program's command line, before ours."),
  environment: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe("Variables that are added to the agent's environment."),
  allowUnsupported: z
    .boolean()
    .exactOptional()
    .describe("Start also a version that is too old for Signalbox."),
  isolation: isolationProfile.exactOptional(),
  model: z.string().exactOptional(),
  fallbackModel: z.string().exactOptional(),
  effort: z.string().exactOptional(),
  maxThinkingTokens: z.number().exactOptional(),
  maxTurns: z.number().exactOptional(),
  maxBudgetUsd: z.number().exactOptional(),
  systemPrompt: z.string().exactOptional(),
  appendSystemPrompt: z.string().exactOptional(),
  renewSystemPrompt: z
    .boolean()
    .exactOptional()
    .describe(
      "Use these system prompts in a conversation that was begun with others. Without it, Claude Code from 2.1.325 on keeps those it was begun with.",
    ),
  jsonSchema: z.record(z.string(), z.unknown()).exactOptional(),
  permissionMode: z.string().exactOptional(),
  dangerouslySkipPermissions: z.boolean().exactOptional(),
  allowedTools: z.array(z.string()).exactOptional(),
  disallowedTools: z.array(z.string()).exactOptional(),
  addDirs: z.array(z.string()).exactOptional().describe("Folders beside its own."),
  settings: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .exactOptional()
    .describe("The path of a settings file, or the settings."),
  settingSources: z.array(z.string()).exactOptional(),
  strictMcpConfig: z
    .boolean()
    .exactOptional()
    .describe("Use no MCP servers but those of `mcpServers`."),
  mcpServers: z.record(z.string(), mcpServerConfig).exactOptional(),
  continue: z
    .boolean()
    .exactOptional()
    .describe("Continue the newest conversation of this folder."),
  resume: z
    .object({
      id: z.string(),
      at: z.string().exactOptional().describe("Cut the conversation after this message."),
      fork: z.boolean().exactOptional().describe("Continue as a copy under a new id."),
    })
    .exactOptional()
    .describe("Continue this conversation."),
  sessionId: z.string().exactOptional().describe("The id of a new conversation."),
  partialMessages: z.boolean().exactOptional().describe("Send text while it is written."),
  replayUserMessages: z.boolean().exactOptional().describe("Print prompts back."),
  forwardSubagentText: z.boolean().exactOptional().describe("Send what subagents say."),
  includeHookEvents: z.boolean().exactOptional().describe("Send what hooks of the settings do."),
  fileCheckpoints: z
    .boolean()
    .exactOptional()
    .describe("Keep files as they were at each message, so that they can be rewound."),
});
export type LaunchOptions = z.infer<typeof launchOptions>;
