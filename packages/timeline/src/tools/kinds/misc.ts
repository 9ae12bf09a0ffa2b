import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { extractImages, extractText } from "../../tool-payload/content.ts";
import type { Detail, Misc, ToolResult } from "../../tool-payload/payload.ts";
import {
  toFields,
  omitUndefined,
  toList,
  stringify,
  nonEmptyString,
} from "../../tool-payload/values.ts";

/** What each tool does, and its most informative input fields, in order. */
const tools: { [name: string]: readonly [label: string, ...fields: string[]] } = {
  Artifact: ["Artifact", "action", "title", "file_path", "url", "prompt"],
  ClaudeDesign: ["Design", "operation", "arguments"],
  Config: ["Setting", "setting", "value"],
  ListAgents: ["List agents"],
  ListMcpResources: ["List MCP resources", "server"],
  LSP: ["Language server", "operation", "filePath", "line", "character"],
  MCPSearch: ["Find MCP tools", "query"],
  OfferChromeSetup: ["Offer Chrome setup", "reason"],
  Projects: ["Project", "method", "path", "query"],
  ProposeGoal: ["Propose a goal", "condition"],
  ProposeSkills: ["Propose skills", "proposals"],
  PushNotification: ["Notify", "message"],
  ReadMcpResource: ["Read MCP resource", "uri", "server"],
  ReadMcpResourceDir: ["List MCP resource folder", "uri", "server"],
  ReadNotifications: ["Read notifications"],
  RefreshMcpTools: ["Refresh MCP tools", "server"],
  RemoteTrigger: ["Remote trigger", "action", "trigger_id", "session_id", "body"],
  ReportFindings: ["Report findings", "level"],
  SendFeedback: ["Send feedback", "type", "title", "details"],
  SendMessage: ["Send message", "summary", "to", "message"],
  SendUserFile: ["Send file", "file_path"],
  SendUserMessage: ["Message", "message"],
  ShowOnboardingRolePicker: ["Choose a role"],
  Sleep: ["Sleep", "duration_ms", "seconds"],
  StructuredOutput: ["Structured output"],
  TeamCreate: ["Create team", "team_name", "description"],
  TeamDelete: ["Delete team", "team_name"],
  ToolSearch: ["Find tools", "query"],
  WaitForMcpServers: ["Wait for MCP servers"],
};

export function miscCall(name: string, input: JsonObject): Misc {
  const known = name.replace(/Tool$/, "");
  const [label, ...fields] = Object.hasOwn(tools, known) ? (tools[known] ?? [name]) : [name];
  const chosen = fields.flatMap((field) => detail(field, input[field]));
  const rest = Object.keys(input).filter((key) => !fields.includes(key) && !isRedundant(name, key));
  const others = rest.flatMap((key) => detail(key, input[key]));
  const findings = name === "ReportFindings" ? toList(input["findings"]).map(finding) : [];
  return { kind: "misc", label, details: [...findings, ...chosen, ...others] };
}

/** Findings are shown separately, and SendMessage of 2.1.325 contains recipient and text twice. */
function isRedundant(name: string, field: string): boolean {
  if (name === "ReportFindings") return field === "findings";
  return name === "SendMessage" && ["recipient", "recipient_kind", "content"].includes(field);
}

function detail(name: string, value: unknown): Detail[] {
  const shown = stringify(value);
  return shown === "" ? [] : [{ name, value: shown }];
}

function finding(value: unknown): Detail {
  const { file, line, summary, short_summary } = toFields(value);
  const name = line === undefined ? stringify(file) : `${stringify(file)}:${stringify(line)}`;
  return { name, value: stringify(summary ?? short_summary) };
}

export function miscResult(payload: Misc, { content, structured }: ToolResult): Misc {
  const { success, display, message } = toFields(structured);
  const images = extractImages(content);
  const text = extractText(content);
  const answer = text === "" && isObject(structured) ? stringify(structured) : text;
  // The text result of SendMessage is JSON; its display or message is a sentence.
  const output =
    nonEmptyString(display) ??
    (success === undefined ? answer : (nonEmptyString(message) ?? answer));
  const refusal = success === false ? output : undefined;
  return omitUndefined({ ...payload, output, images, error: refusal });
}
