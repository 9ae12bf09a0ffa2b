import type { JsonObject } from "@signalbox/protocol/wire";
import type { Settings, SettingsFile } from "../settings.ts";
import { isRecord } from "../tools/schema.ts";

/** A hook as a file of settings has it. */
export interface SettingsHook {
  readonly kind: string;
  readonly matcher: string | undefined;
  /** `if`: a rule that the call has to fit. */
  readonly condition: string | undefined;
  /** What it does, in a word: its command, address or prompt. */
  readonly name: string;
  readonly timeoutMs: number;
  /** A failure of its own blocks as well. */
  readonly blocksOnFailure: boolean;
  readonly body: JsonObject;
  /** The folder that a leading `/` of a condition means. */
  readonly root: string;
}

/** What each kind must have, and how many seconds it has. */
const kinds: Readonly<Record<string, { readonly named: string; readonly seconds: number }>> = {
  command: { named: "command", seconds: 600 },
  http: { named: "url", seconds: 600 },
  prompt: { named: "prompt", seconds: 30 },
};

/** The hooks of all files for an event. The same one in several files runs once. */
export function hooksOf({ files }: Settings, event: string): SettingsHook[] {
  const found = new Map<string, SettingsHook>();
  for (const file of files.filter(counts(files))) {
    for (const { matcher, hook } of entries(file, event)) {
      const one = readHook(file, matcher, hook);
      found.set(JSON.stringify([one.kind, one.name, one.condition, hook["args"]]), one);
    }
  }
  return [...found.values()];
}

/** `disableAllHooks` of the strongest file that says something is about the files of all but the
 * administrator; the administrator's own is about all. */
function counts(files: readonly SettingsFile[]): (file: SettingsFile) => boolean {
  const isManaged = ({ source }: SettingsFile) => source === "policySettings";
  const managed = files.find(isManaged)?.content ?? {};
  if (managed["disableAllHooks"] === true) return () => false;
  const said = files.map(({ content }) => content["disableAllHooks"]);
  const isOff = said.findLast((value) => typeof value === "boolean") === true;
  return isOff || managed["allowManagedHooksOnly"] === true ? isManaged : () => true;
}

function entries(
  { content }: SettingsFile,
  event: string,
): { matcher: string | undefined; hook: JsonObject }[] {
  const groups = isRecord(content["hooks"]) ? content["hooks"][event] : undefined;
  return (Array.isArray(groups) ? groups.filter(isRecord) : []).flatMap(({ matcher, hooks }) =>
    (Array.isArray(hooks) ? hooks.filter(isRecord) : []).map((hook) => ({
      matcher: textOf(matcher),
      hook,
    })),
  );
}

function readHook(file: SettingsFile, matcher: string | undefined, hook: JsonObject): SettingsHook {
  const type = String(hook["type"]);
  const facts = kinds[type];
  const name = facts && textOf(hook[facts.named]);
  const { timeout } = hook;
  const seconds = typeof timeout === "number" ? timeout : (facts?.seconds ?? 0);
  return {
    kind: facts && name === undefined ? `${type} without ${facts.named}` : type,
    matcher,
    condition: textOf(hook["if"]),
    name: name ?? type,
    timeoutMs: Math.min(seconds * 1000, 2 ** 31 - 1),
    blocksOnFailure: hook["onFailure"] === "block",
    body: hook,
    root: file.root,
  };
}

/** Hooks that cannot be run as they are written: a guard that does not run has to be told of. */
export function* unusableHooks(hooks: JsonObject): Generator<[field: string, why: string]> {
  for (const [event, groups] of Object.entries(hooks)) {
    const file = { source: "session", root: "", content: { hooks: { [event]: groups } } } as const;
    for (const { hook } of entries(file, event)) {
      const kind = String(hook["type"]);
      const facts = kinds[kind];
      const field = `hooks.${event}`;
      if (!facts) yield [field, `Hooks of the type "${kind}" are not run here`];
      else if (textOf(hook[facts.named]) === undefined)
        yield [field, `A hook of the type "${kind}" has no ${facts.named} and is not run`];
    }
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
