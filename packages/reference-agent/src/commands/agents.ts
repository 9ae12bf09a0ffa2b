import { join } from "node:path";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { PermissionMode } from "@signalbox/agent";
import { permissionModes } from "@signalbox/agent/command-line";
import { type Effort, efforts } from "../model/effort.ts";
import { splitRules } from "../permission/rule.ts";
import { readFrontMatter } from "../markdown/front-matter.ts";
import { type DefinitionFolder, markdownFiles } from "../markdown/markdown-files.ts";
import { ownAgents } from "./own-agents.ts";

/** A kind of subagent. */
export interface AgentDefinition {
  readonly type: string;
  /** When to use it, for the model. */
  readonly description: string;
  readonly prompt: string;
  /** Where the definition is from; undefined for a built-in kind. */
  readonly source?: DefinitionFolder["source"] | "flagSettings";
  /** The only tools it has; undefined: all. */
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly maxTurns?: number;
  readonly effort?: Effort;
  /** It always runs in the background. */
  readonly background?: boolean;
  /** It does not get the memory files (`CLAUDE.md`). */
  readonly omitClaudeMd?: boolean;
  /** Where it stores its own memory. */
  readonly memory?: MemoryScope;
  /** Skills whose text it gets at the start. */
  readonly skills?: readonly string[];
  /** The first prompt of a session that this kind leads. */
  readonly initialPrompt?: string;
  /** Hooks in the format of settings, active while an agent of this kind works. */
  readonly hooks?: JsonObject;
}

const memoryScopes = ["user", "project", "local"] as const;
export type MemoryScope = (typeof memoryScopes)[number];

/**
 * Finds the built-in kinds, those of `.claude/agents` (the user's, then the project's) and those
 * from the host.
 */
export async function findAgents(
  folders: readonly DefinitionFolder[],
  fromHost: Readonly<Record<string, unknown>>,
  report: (sentence: string) => void,
): Promise<AgentDefinition[]> {
  const written = await Promise.all(
    folders.map(async ({ folder, source }) => {
      const files = await markdownFiles(join(folder, "agents"));
      const definitions = files.map(async ({ text, path }) => {
        try {
          return await fromFile(text, source);
        } catch (cause) {
          report(`${path} is not used: ${(cause as Error).message}`);
          return [];
        }
      });
      return (await Promise.all(definitions)).flat();
    }),
  );
  const brought = Object.entries(fromHost).flatMap(([type, definition]) =>
    isObject(definition) ? [fromObject(type, definition)] : [],
  );
  return [
    ...new Map(
      [...ownAgents, ...written.flat(), ...brought].map((one) => [one.type, one]),
    ).values(),
  ];
}

async function fromFile(
  whole: string,
  source: DefinitionFolder["source"],
): Promise<AgentDefinition[]> {
  const { head, body, readFields: readTypedFields } = await readFrontMatter(whole);
  const { name, description } = head;
  if (!name || !description) return [];
  const fields = {
    ...head,
    tools: splitNames(head["tools"]),
    disallowedTools: splitNames(head["disallowedTools"]),
    skills: splitNames(head["skills"]),
    maxTurns: Number(head["maxTurns"]),
    background: head["background"] === "true",
    omitClaudeMd: head["omitClaudeMd"] === "true",
    hooks: hooksIn(readTypedFields()),
  };
  return [{ type: name, description, prompt: body.trim(), source, ...readFields(fields) }];
}

/**
 * Reads the hooks. A kind whose hooks cannot be read is refused, because without them it might do
 * what they should prevent.
 */
function hooksIn({ hooks }: JsonObject): unknown {
  if (hooks === undefined || hooks === null || isObject(hooks)) return hooks;
  throw new Error("its hooks are not named by events");
}

function fromObject(type: string, definition: JsonObject): AgentDefinition {
  const { description, prompt } = definition;
  return {
    type,
    description: typeof description === "string" ? description : type,
    prompt: typeof prompt === "string" ? prompt : "",
    source: "flagSettings",
    ...readFields(definition),
  };
}

/** Reads the fields and ignores invalid ones. */
function readFields(fields: JsonObject): Partial<AgentDefinition> {
  const { model, initialPrompt, maxTurns, background, omitClaudeMd, hooks } = fields;
  const permissionMode = permissionModes.find((one) => one === fields["permissionMode"]);
  const effort = efforts.find((one) => one === fields["effort"]);
  const memory = memoryScopes.find((one) => one === fields["memory"]);
  return {
    ...texts("tools", fields),
    ...texts("disallowedTools", fields),
    ...texts("skills", fields),
    ...(typeof model === "string" && model !== "" && { model }),
    ...(typeof initialPrompt === "string" && initialPrompt !== "" && { initialPrompt }),
    ...(permissionMode && { permissionMode }),
    ...(effort && { effort }),
    ...(memory && { memory }),
    ...(Number.isSafeInteger(maxTurns) && Number(maxTurns) > 0 && { maxTurns: Number(maxTurns) }),
    ...(background === true && { background }),
    ...(omitClaudeMd === true && { omitClaudeMd }),
    ...(isObject(hooks) && { hooks }),
  };
}

function texts(name: "tools" | "disallowedTools" | "skills", fields: JsonObject): object {
  const list = fields[name];
  return Array.isArray(list) ? { [name]: list.map(String) } : {};
}

function splitNames(text: string | undefined): string[] | undefined {
  if (text === undefined || text === "" || text === "*") return undefined;
  return splitRules([text]);
}
