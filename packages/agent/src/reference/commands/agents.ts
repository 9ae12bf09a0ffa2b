import { join } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import { type PermissionMode, permissionModes } from "../../command-line/options.ts";
import { type Effort, efforts } from "../model/effort.ts";
import { isRecord } from "../tools/schema.ts";
import { readFrontMatter } from "./front-matter.ts";
import { type DefinitionFolder, markdownFiles } from "./markdown-files.ts";

/** A kind of subagent. */
export interface AgentDefinition {
  readonly type: string;
  /** When to send one, for the model. */
  readonly description: string;
  readonly prompt: string;
  /** Whose it is; absent: ours. */
  readonly source?: DefinitionFolder["source"] | "flagSettings";
  /** The only tools it has; absent: all. */
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly maxTurns?: number;
  readonly effort?: Effort;
}

const own: readonly AgentDefinition[] = [
  {
    type: "general-purpose",
    description:
      "For questions and tasks of several steps that are better done apart from the conversation.",
    prompt:
      "You are sent by another agent to do one task. Do all of it and nothing else, then report what you found and did, briefly and with the paths that matter. Nobody reads along: your last message is everything that arrives.",
  },
  {
    type: "Explore",
    description:
      "For finding one's way in a code base: looks, reads and searches, and changes nothing.",
    prompt:
      "You are sent to look around in a code base and change nothing. Search widely, read what matters, and report where things are and how they hang together, with paths.",
    tools: ["Read", "Glob", "Grep", "Bash", "WebFetch", "WebSearch"],
  },
  {
    type: "Plan",
    description: "For working out how something should be built before it is built.",
    prompt:
      "You are sent to plan and change nothing. Read what there is, weigh the ways to do it, and report a plan of steps with the files that each one touches.",
    tools: ["Read", "Glob", "Grep", "Bash", "WebFetch", "WebSearch"],
  },
];

/** Own kinds, those of `.claude/agents` (the user's, then the project's) and those the host brought. */
export async function findAgents(
  folders: readonly DefinitionFolder[],
  fromHost: Readonly<Record<string, unknown>>,
): Promise<AgentDefinition[]> {
  const written = await Promise.all(
    folders.map(async ({ folder, source }) => {
      const files = await markdownFiles(join(folder, "agents"));
      return files.flatMap(({ text }) => fromFile(text, source));
    }),
  );
  const brought = Object.entries(fromHost).flatMap(([type, definition]) =>
    isRecord(definition) ? [fromObject(type, definition)] : [],
  );
  return [
    ...new Map([...own, ...written.flat(), ...brought].map((one) => [one.type, one])).values(),
  ];
}

function fromFile(whole: string, source: DefinitionFolder["source"]): AgentDefinition[] {
  const { head, body } = readFrontMatter(whole);
  if (!head["name"] || !head["description"]) return [];
  return [
    {
      type: head["name"],
      description: head["description"],
      prompt: body.trim(),
      source,
      ...listed("tools", head["tools"]),
      ...listed("disallowedTools", head["disallowedTools"]),
      ...(head["model"] ? { model: head["model"] } : {}),
      ...limits(head["permissionMode"], Number(head["maxTurns"]), head["effort"]),
    },
  ];
}

function fromObject(type: string, definition: JsonObject): AgentDefinition {
  const { description, prompt, tools, disallowedTools, model } = definition;
  const { permissionMode, maxTurns, effort } = definition;
  return {
    type,
    description: typeof description === "string" ? description : type,
    prompt: typeof prompt === "string" ? prompt : "",
    source: "flagSettings",
    ...(Array.isArray(tools) ? { tools: tools.map(String) } : {}),
    ...(Array.isArray(disallowedTools) ? { disallowedTools: disallowedTools.map(String) } : {}),
    ...(typeof model === "string" ? { model } : {}),
    ...limits(permissionMode, maxTurns, effort),
  };
}

function limits(
  mode: unknown,
  turns: unknown,
  wanted: unknown,
): Pick<AgentDefinition, "permissionMode" | "maxTurns" | "effort"> {
  const permissionMode = permissionModes.find((one) => one === mode);
  const effort = efforts.find((one) => one === wanted);
  const isCount = Number.isSafeInteger(turns) && Number(turns) > 0;
  return {
    ...(permissionMode ? { permissionMode } : {}),
    ...(isCount ? { maxTurns: Number(turns) } : {}),
    ...(effort ? { effort } : {}),
  };
}

function listed(name: "tools" | "disallowedTools", text: string | undefined): object {
  if (text === undefined || text === "" || text === "*") return {};
  return {
    [name]: text
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean),
  };
}
