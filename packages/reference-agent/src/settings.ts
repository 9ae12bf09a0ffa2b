import { errorMessage } from "@signalbox/protocol/text";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isObject, type JsonObject, parseObject } from "@signalbox/protocol/wire";
import type { AgentContext } from "@signalbox/agent";
import type { Behavior, RuleSource } from "./permission/rule.ts";
import type { KeptChange } from "./permission/state.ts";
import { getConfigFolder } from "./session.ts";
import { flawsText, type ReadSettings, readSettingsText } from "./settings-flaws.ts";
import { withoutUntrusted } from "./untrusted-settings.ts";

export interface SettingsFile {
  readonly source: RuleSource;
  readonly path?: string;
  /** The folder to which a rule's leading `/` refers. */
  readonly root: string;
  readonly content: JsonObject;
}
/** The settings of this session, lowest precedence first. */
export interface Settings {
  readonly files: readonly SettingsFile[];
  /** Variables for commands, from `env`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly model: string | undefined;
  /** The kind of agent that leads the main conversation. */
  readonly agent: string | undefined;
  readonly defaultMode: string | undefined;
  /** Some file forbids skipping questions, and no other file can undo that. */
  readonly forbidsBypass: boolean;
  readonly folders: readonly string[];
  /** The effort of the model. */
  readonly effort: string | undefined;
  /** A command that prints the key for the model. */
  readonly apiKeyHelper: string | undefined;
}

const MANAGED = "/etc/claude-code/managed-settings.json";

/**
 * Reads the user, project, local, flag and managed settings. `--setting-sources` selects from the
 * first three.
 */
export function readSettings(context: AgentContext): Settings {
  const { options, folder } = context;
  const config = getConfigFolder(context.environment);
  const wanted = (name: string) => options.settingSources?.includes(name) ?? true;
  const places: { source: RuleSource; path: string; root: string; wanted: boolean }[] = [
    {
      source: "userSettings",
      path: join(config, "settings.json"),
      root: config,
      wanted: wanted("user"),
    },
    {
      source: "projectSettings",
      path: join(folder, ".claude", "settings.json"),
      root: folder,
      wanted: wanted("project"),
    },
    {
      source: "localSettings",
      path: join(folder, ".claude", "settings.local.json"),
      root: folder,
      wanted: wanted("local"),
    },
  ];
  const read: ReadSettings[] = [];
  const taken = (text: string, place: string): JsonObject => {
    const one = readSettingsText(text, place);
    read.push(one);
    return one.content;
  };
  const files: SettingsFile[] = places
    .filter((place) => place.wanted)
    .map(({ source, path, root }) => ({ source, path, root, content: taken(textIn(path), path) }));
  const flags = options.settings;
  if (flags !== undefined) {
    const isInline = flags.trimStart().startsWith("{");
    const content = isInline
      ? taken(flags, "--settings (inline JSON)")
      : taken(textIn(flags), resolve(folder, flags));
    files.push({ source: "flagSettings", root: folder, content });
  }
  const content = taken(textIn(MANAGED), MANAGED);
  files.push({ source: "policySettings", path: MANAGED, root: "/", content });
  const flaws = flawsText(read);
  if (flaws !== "") context.report(flaws);
  return getSettings(withoutUntrusted(files, context));
}

/** Combines settings files; the last one that contains a setting wins. */
export function getSettings(files: readonly SettingsFile[]): Settings {
  const last = <T>(pick: (content: JsonObject) => T | undefined): T | undefined =>
    files.map(({ content }) => pick(content)).findLast((value) => value !== undefined);
  return {
    files,
    environment: Object.assign({}, ...files.map(({ content }) => textsByName(content["env"]))),
    model: last(({ model }) => getText(model)),
    agent: last(({ agent }) => getText(agent)),
    effort: last(({ effortLevel }) => getText(effortLevel)),
    apiKeyHelper: last(({ apiKeyHelper }) => getText(apiKeyHelper)),
    defaultMode: last(({ permissions }) => {
      return isObject(permissions) ? getText(permissions["defaultMode"]) : undefined;
    }),
    forbidsBypass: files.some(
      ({ content: { permissions } }) =>
        isObject(permissions) && permissions["disableBypassPermissionsMode"] === "disable",
    ),
    folders: files.flatMap(({ content }) => {
      const { permissions } = content;
      return isObject(permissions) ? texts(permissions["additionalDirectories"]) : [];
    }),
  };
}

/** Returns the rules of one file, by their effect. */
export function getRules({ content }: SettingsFile): Record<Behavior, string[]> {
  const { permissions } = content;
  const of = (behavior: Behavior) => (isObject(permissions) ? texts(permissions[behavior]) : []);
  return { allow: of("allow"), deny: of("deny"), ask: of("ask") };
}

/**
 * Writes a decision to the file of its source. The rest of the file is kept, and a file that cannot
 * be parsed is not changed.
 */
export function keepChange(context: AgentContext, change: KeptChange): void {
  const path = {
    userSettings: join(getConfigFolder(context.environment), "settings.json"),
    projectSettings: join(context.folder, ".claude", "settings.json"),
    localSettings: join(context.folder, ".claude", "settings.local.json"),
  }[change.destination as string];
  if (path === undefined) return;
  try {
    const before = textIn(path);
    const content = before.trim() === "" ? {} : parseObject(before);
    if (typeof content === "string") throw new Error(content);
    const permissions = isObject(content["permissions"]) ? content["permissions"] : {};
    const next = {
      ...content,
      permissions: { ...permissions, ...withPermissionChange(permissions, change) },
    };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(next, null, 2)}\n`);
  } catch (cause) {
    const why = errorMessage(cause);
    context.report(`What was allowed for good counts for this session alone: ${path}: ${why}`);
  }
}

function withPermissionChange(permissions: JsonObject, change: KeptChange): JsonObject {
  if ("mode" in change) return { defaultMode: change.mode };
  const { list, add, remove } = change;
  const before = texts(permissions[list]).filter((one) => !remove.includes(one));
  return { [list]: [...new Set([...before, ...add])] };
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // There is no such file.
  }
}

function getText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function textsByName(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]));
}
