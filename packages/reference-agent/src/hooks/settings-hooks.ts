import { clampTimerMs } from "@signalbox/agent";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { Settings, SettingsFile } from "../settings.ts";

/** A hook in the format of a settings file. */
export interface SettingsHook {
  readonly kind: string;
  readonly matcher: string | undefined;
  /** The field `if`: a rule that the call has to match. */
  readonly condition: string | undefined;
  /** A name for messages: its command, address or prompt. */
  readonly name: string;
  readonly timeoutMs: number;
  /** A failure of the hook itself also blocks. */
  readonly blocksOnFailure: boolean;
  readonly body: JsonObject;
  /** The folder to which a leading `/` in a condition refers. */
  readonly root: string;
}

interface Kind {
  /** The required fields, which together are its name. */
  readonly needs: readonly string[];
  readonly seconds: number;
  /** Whether this kind of hook supports `onFailure`. */
  readonly mayBlock?: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
  command: { needs: ["command"], seconds: 600, mayBlock: true },
  http: { needs: ["url"], seconds: 600, mayBlock: true },
  prompt: { needs: ["prompt"], seconds: 30 },
  agent: { needs: ["prompt"], seconds: 60 },
  mcp_tool: { needs: ["server", "tool"], seconds: 600 },
};

/** Returns the hooks of all files for an event. */
export function getHooks({ files }: Settings, event: string): SettingsHook[] {
  return files
    .filter(createSourceFilter(files))
    .flatMap((file) =>
      entries(file, event).map(({ matcher, hook }) => readHook(file, matcher, hook)),
    );
}

/**
 * Returns the hooks of a kind of agent, which are active while an agent of that kind works. Its end
 * is a subagent's end, unless it leads the session.
 */
export function hooksOfKind(
  { files }: Settings,
  hooks: JsonObject,
  event: string,
  { root, isSubagent }: { root: string; isSubagent: boolean },
): SettingsHook[] {
  const file = { source: "session", root, content: { hooks } } as const;
  if (!createSourceFilter(files)(file)) return [];
  const names = isSubagent && event === "SubagentStop" ? [event, "Stop"] : [event];
  return names
    .flatMap((name) => entries(file, name))
    .map(({ matcher, hook }) => readHook(file, matcher, hook));
}

/** Removes duplicates: the same hook in several files or groups runs once. */
export function removeDuplicates(hooks: readonly SettingsHook[]): SettingsHook[] {
  const found = new Map<string, SettingsHook>();
  for (const hook of hooks) {
    const { kind, name, condition, body } = hook;
    found.set(JSON.stringify([kind, name, condition, body["args"], body["input"]]), hook);
  }
  return [...found.values()];
}

/**
 * Whether `disableAllHooks` is in effect: the file with the highest precedence that has the setting
 * decides.
 */
export function areOff({ files }: Pick<Settings, "files">): boolean {
  const disabledFlags = files.map(({ content }) => content["disableAllHooks"]);
  return disabledFlags.findLast((value) => typeof value === "boolean") === true;
}

/**
 * Returns whether the hooks of a file are active. `disableAllHooks` turns off all hooks except the
 * administrator's, unless the administrator sets it.
 */
function createSourceFilter(files: readonly SettingsFile[]): (file: SettingsFile) => boolean {
  const isManaged = ({ source }: SettingsFile) => source === "policySettings";
  const managed = files.find(isManaged)?.content ?? {};
  if (managed["disableAllHooks"] === true) return () => false;
  return areOff({ files }) || managed["allowManagedHooksOnly"] === true ? isManaged : () => true;
}

function entries(
  { content }: SettingsFile,
  event: string,
): { matcher: string | undefined; hook: JsonObject }[] {
  const groups = isObject(content["hooks"]) ? content["hooks"][event] : undefined;
  return (Array.isArray(groups) ? groups.filter(isObject) : []).flatMap(({ matcher, hooks }) =>
    (Array.isArray(hooks) ? hooks.filter(isObject) : []).map((hook) => ({
      matcher: getText(matcher),
      hook,
    })),
  );
}

function readHook(file: SettingsFile, matcher: string | undefined, hook: JsonObject): SettingsHook {
  const type = String(hook["type"]);
  const facts = kinds[type];
  const lack = facts && getLack(facts, hook);
  const { timeout } = hook;
  const seconds = typeof timeout === "number" ? timeout : (facts?.seconds ?? 0);
  return {
    kind: lack === undefined ? type : `${type} without ${lack}`,
    matcher,
    condition: getText(hook["if"]),
    name: facts && lack === undefined ? facts.needs.map((one) => hook[one]).join("/") : type,
    timeoutMs: clampTimerMs(seconds * 1000),
    blocksOnFailure: facts?.mayBlock === true && hook["onFailure"] === "block",
    body: hook,
    root: file.root,
  };
}

const getLack = ({ needs }: Kind, hook: JsonObject): string | undefined =>
  needs.find((one) => getText(hook[one]) === undefined);

/**
 * Finds hooks that cannot be run as written, because a guard that does not run must be reported.
 */
export function* findUnusableHooks(hooks: JsonObject): Generator<[field: string, why: string]> {
  for (const [event, groups] of Object.entries(hooks)) {
    const file = { source: "session", root: "", content: { hooks: { [event]: groups } } } as const;
    for (const { hook } of entries(file, event)) {
      const kind = String(hook["type"]);
      const facts = kinds[kind];
      const field = `hooks.${event}`;
      const lack = facts && getLack(facts, hook);
      if (!facts) yield [field, `Hooks of the type "${kind}" are not run here`];
      else if (lack !== undefined)
        yield [field, `A hook of the type "${kind}" has no ${lack} and is not run`];
    }
  }
}

function getText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
