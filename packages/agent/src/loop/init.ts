import type { JsonObject } from "@signalbox/protocol/wire";
import type { AgentDescription, OutgoingMessage } from "../agent.ts";
import type { AgentOptions } from "../command-line/options.ts";
import { CLAUDE_CODE_VERSION } from "../version.ts";
import type { Settings } from "./control.ts";

export function initializeAnswer(
  described: AgentDescription | undefined,
  settings: Settings,
): object {
  return {
    commands: [],
    agents: [],
    output_style: "default",
    available_output_styles: ["default"],
    models: [],
    account: {},
    pid: process.pid,
    claude_code_version: CLAUDE_CODE_VERSION,
    current_permission_mode: settings.permissionMode,
    ...described?.initialize,
  };
}

export function initLine(
  described: JsonObject,
  { folder, settings, options }: { folder: string; settings: Settings; options: AgentOptions },
): OutgoingMessage {
  return {
    type: "system",
    subtype: "init",
    cwd: folder,
    tools: [],
    mcp_servers: [],
    model: settings.model ?? "",
    permissionMode: settings.permissionMode,
    slash_commands: [],
    apiKeySource: "none",
    claude_code_version: CLAUDE_CODE_VERSION,
    output_style: "default",
    agents: [],
    skills: [],
    plugins: [],
    capabilities: ["interrupt_receipt_v1", "msg_lifecycle_v1", "request_marker_lists_v1"],
    original_cwd: folder,
    additional_directories: options.addDirs,
    ...described,
  };
}
