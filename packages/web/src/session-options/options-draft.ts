import type { SessionOptions, SessionOptionsChange } from "@signalbox/api";
import type { IsolationProfile } from "@signalbox/api/constants";
import { strings } from "../strings/strings.ts";
import { findServerProblem, readServer, type ServerDraft, toServerDraft } from "./server-draft.ts";
import {
  findVariableProblem,
  readVariables,
  toVariableDrafts,
  type VariableDraft,
} from "./variable-draft.ts";

const text = strings.sessionOptions;

/** The options of a session as they are edited. An empty text stands for the default. */
export interface OptionsDraft {
  readonly agent: string;
  readonly driver: string;
  readonly environment: string;
  readonly isolation: Exclude<IsolationProfile, "default"> | "";
  readonly model: string;
  readonly fallbackModel: string;
  readonly effort: string;
  readonly systemPromptMode: "append" | "replace";
  readonly systemPrompt: string;
  readonly jsonSchema: string;
  readonly maxTurns: string;
  readonly maxBudgetUsd: string;
  readonly askLimitMinutes: string;
  /** One folder in each line. */
  readonly folders: string;
  readonly variables: readonly VariableDraft[];
  readonly servers: readonly ServerDraft[];
}

export function toOptionsDraft(options: SessionOptions): OptionsDraft {
  const { systemPrompt, jsonSchema, mcpServers = {}, addDirs = [] } = options;
  const write = (value: string | number | undefined) => (value === undefined ? "" : String(value));
  return {
    agent: write(options.agent),
    driver: write(options.driver),
    environment: write(options.environment),
    isolation: options.isolation === "default" ? "" : (options.isolation ?? ""),
    model: write(options.model),
    fallbackModel: write(options.fallbackModel),
    effort: write(options.effort),
    systemPromptMode: systemPrompt?.mode ?? "append",
    systemPrompt: systemPrompt?.text ?? "",
    jsonSchema: jsonSchema ? JSON.stringify(jsonSchema, undefined, 2) : "",
    maxTurns: write(options.maxTurns),
    maxBudgetUsd: write(options.maxBudgetUsd),
    askLimitMinutes: write(options.askLimitMinutes),
    folders: addDirs.join("\n"),
    variables: toVariableDrafts(options.variables),
    servers: Object.entries(mcpServers).map(([name, server]) => toServerDraft(name, server)),
  };
}

/** The options that are entered. Call it after `findOptionsProblem` has found nothing. */
export function readOptions(draft: OptionsDraft): SessionOptions {
  const { systemPromptMode: mode, systemPrompt, jsonSchema, variables, servers } = draft;
  const addDirs = draft.folders
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const named = servers.map((server) => [server.name.trim(), readServer(server)] as const);
  return {
    ...pickTexts(draft),
    ...(draft.isolation !== "" && { isolation: draft.isolation }),
    ...(systemPrompt.trim() !== "" && { systemPrompt: { mode, text: systemPrompt } }),
    ...(jsonSchema.trim() !== "" && {
      jsonSchema: JSON.parse(jsonSchema) as NonNullable<SessionOptions["jsonSchema"]>,
    }),
    ...pickNumbers(draft),
    ...(addDirs.length > 0 && { addDirs }),
    ...(variables.length > 0 && { variables: readVariables(variables) }),
    ...(named.length > 0 && { mcpServers: Object.fromEntries(named) }),
  };
}

/** What the draft changes of these options: null removes an option. What it does not show stays. */
export function listOptionChanges(
  options: SessionOptions,
  draft: OptionsDraft,
): SessionOptionsChange {
  const before = readOptions(toOptionsDraft(options));
  const after = readOptions(draft);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as OptionName[];
  const changed = names.filter((name) => !isEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

/** What keeps the options from being used, as a sentence. */
export function findOptionsProblem(draft: OptionsDraft): string | undefined {
  return (
    findNumberProblem(draft) ??
    findSchemaProblem(draft.jsonSchema) ??
    findVariableProblem(draft.variables, "variable") ??
    findServerProblem(draft.servers)
  );
}

type OptionName = keyof SessionOptionsChange;

const textNames = ["agent", "driver", "environment", "model", "fallbackModel", "effort"] as const;
const numberNames = ["maxTurns", "maxBudgetUsd", "askLimitMinutes"] as const;

function pickTexts(draft: OptionsDraft): SessionOptions {
  const entered = textNames.map((name) => [name, draft[name].trim()] as const);
  return Object.fromEntries(entered.filter(([, value]) => value !== ""));
}

function pickNumbers(draft: OptionsDraft): SessionOptions {
  const entered = numberNames.filter((name) => draft[name].trim() !== "");
  return Object.fromEntries(entered.map((name) => [name, Number(draft[name])]));
}

function findNumberProblem(draft: OptionsDraft): string | undefined {
  const isBad = (value: string, isWhole: boolean) => {
    const number = Number(value);
    return value.trim() !== "" && !(number > 0 && (!isWhole || Number.isInteger(number)));
  };
  const bad = numberNames.find((name) => isBad(draft[name], name === "maxTurns"));
  return bad && text.badNumbers[bad];
}

function findSchemaProblem(schema: string): string | undefined {
  if (schema.trim() === "") return undefined;
  try {
    const parsed: unknown = JSON.parse(schema);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? undefined : text.schemaNotObject;
  } catch {
    return text.schemaNotJson;
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    left.length === right.size &&
    left.every(([name, value]) => right.has(name) && isEqual(value, right.get(name)))
  );
}
