import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { findUnusableHooks } from "./hooks/settings-hooks.ts";
import { jsonKind } from "./json/json-kind.ts";

/** The result of reading a settings file: its content, unless it is unusable, and its errors. */
export interface ReadSettings {
  readonly content: JsonObject;
  /** Errors because of which the whole file is ignored. */
  readonly refused: readonly string[];
  /** Errors because of which only their entries are ignored. */
  readonly skipped: readonly string[];
}

const lists = ["allow", "deny", "ask", "additionalDirectories"];
const texts = ["model", "effortLevel", "apiKeyHelper"];

/**
 * Parses a settings file. A rule that is silently ignored would be worse than no rule, so errors
 * are reported as Claude Code reports them. `place` is the file or another source.
 */
export function readSettingsText(text: string, place: string): ReadSettings {
  const none = (...refused: string[]) => ({ content: {}, refused, skipped: [] });
  if (text.trim() === "") return none();
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return none(`${place}: Invalid or malformed JSON`);
  }
  if (!isObject(content))
    return none(`${place}: Expected object, but received ${jsonKind(content)}`);
  const refused = [...findWrongKinds(content)].map(
    ([field, expected, value]) =>
      `${place} (${field}): Expected ${expected}, but received ${jsonKind(value)}`,
  );
  if (refused.length > 0) return none(...refused);
  const skipped = [...findOddEntries(content)].map(([field, why]) => `${place} (${field}): ${why}`);
  return { content, refused, skipped };
}

function* findWrongKinds(
  content: JsonObject,
): Generator<[field: string, expected: string, unknown]> {
  const { permissions, env } = content;
  if (permissions !== undefined && !isObject(permissions))
    yield ["permissions", "object", permissions];
  if (isObject(permissions)) {
    for (const name of lists) {
      const value = permissions[name];
      if (value !== undefined && !Array.isArray(value))
        yield [`permissions.${name}`, "array", value];
    }
  }
  if (env !== undefined && !isObject(env)) yield ["env", "record", env];
  for (const name of texts) {
    const value = content[name];
    if (value !== undefined && typeof value !== "string") yield [name, "string", value];
  }
}

/** Finds entries that the readers of the settings ignore. */
function* findOddEntries(content: JsonObject): Generator<[field: string, why: string]> {
  const { permissions, hooks } = content;
  for (const name of isObject(permissions) ? lists : []) {
    const all = isObject(permissions) ? permissions[name] : undefined;
    if (Array.isArray(all) && all.some((one) => typeof one !== "string")) {
      yield [`permissions.${name}`, `Non-string value in ${name} array was removed`];
    }
  }
  if (hooks !== undefined && !isObject(hooks)) {
    const must = '"hooks" must be an object mapping event names to matcher arrays';
    yield ["hooks", `${must}; received ${jsonKind(hooks)}. This field was ignored.`];
  }
  if (isObject(hooks)) yield* findUnusableHooks(hooks);
}

/** Renders the errors for the error stream; undefined if there are none. */
export function flawsText(all: readonly ReadSettings[]): string {
  const refused = all.flatMap((one) => one.refused);
  const skipped = all.flatMap((one) => one.skipped);
  const part = (title: string, flaws: readonly string[]) =>
    flaws.length > 0 ? [title, ...flaws.map((flaw) => `  ${flaw}`)] : [];
  return [
    ...part(
      "These settings files do not count, with all their hooks and rules, until this is mended:",
      refused,
    ),
    ...part("These entries of settings do not count; the rest of their files does:", skipped),
  ].join("\n");
}
