import { isObject, type JsonObject, ControlRefusal } from "@signalbox/protocol/wire";
import { changeModel } from "./change-model.ts";
import { getEffort } from "./model/effort.ts";
import { resolveModel } from "./model/models.ts";
import type { Session } from "./session.ts";
import { getRules, type Settings, type SettingsFile, getSettings } from "./settings.ts";
import { findViolations } from "./json/schema.ts";

const text = { type: "string" };
const texts = { type: "array", items: text };
const rules = { allow: texts, deny: texts, ask: texts, additionalDirectories: texts };
/** The fields that are used must have these types. Other fields are kept. */
const schema = {
  type: "object",
  properties: {
    model: text,
    effortLevel: text,
    apiKeyHelper: text,
    env: { type: "object", additionalProperties: text },
    permissions: { type: "object", properties: { ...rules, defaultMode: text } },
    hooks: { type: "object" },
  },
};

/**
 * Handles `apply_flag_settings`, which changes keys of the command line's settings during the
 * session. `null` removes a key.
 */
export function applyFlagSettings(session: Session, given: unknown): void {
  if (!isObject(given)) {
    const got = given === null ? "null" : Array.isArray(given) ? "array" : typeof given;
    throw new ControlRefusal(
      `apply_flag_settings requires \`settings\` to be an object, got ${got}`,
    );
  }
  const before = session.settings.files.find(({ source }) => source === "flagSettings");
  const all = Object.entries({ ...before?.content, ...given });
  const content = Object.fromEntries(all.filter(([, value]) => value !== null));
  const wrong = findViolations(schema, content).map(({ at }) => at.slice(1).replaceAll("/", "."));
  if (wrong.length > 0) {
    throw new ControlRefusal(
      `apply_flag_settings: nothing in this request was applied and earlier settings stay in force. Fix or remove these invalid settings and send it again: ${wrong.join(", ")}`,
    );
  }
  const file: SettingsFile = { source: "flagSettings", root: session.context.folder, content };
  session.settings = withFile(session.settings, file);
  session.permission.setRules(file.source, getRules(file), file.root);
  for (const folder of session.settings.folders) session.permission.addFolder(folder);
  if ("model" in given) changeModel(session, resolveModel(session.settings.model));
  if ("effortLevel" in given) session.effort = undefined;
}

/**
 * Adds a file before the managed settings, which take precedence over all others because they are
 * last.
 */
function withFile({ files }: Settings, file: SettingsFile): Settings {
  const others = files.filter(({ source }) => source !== file.source);
  const managed = others.findIndex(({ source }) => source === "policySettings");
  return getSettings(others.toSpliced(managed, 0, file));
}

/**
 * Settings of Claude Code that do not exist here: the higher effort levels and limits to its own
 * folders.
 */
const notHere = {
  advisor: null,
  ultracode: false,
  ultracodeRequested: false,
  ultracodeAvailable: false,
  ultrathinkAvailable: false,
  outsideFileToolReadsBlocked: false,
  outsideFileToolWritesBlocked: false,
  outsideBlocksCountLaunchFoldersOnly: false,
  launchEnvLeftOwnFilesInPlace: true,
};

/** Answers `get_settings`: what each source contains, the merged result, and what is in effect. */
export function describeSettings(session: Session): object {
  const filledFiles = session.settings.files.filter(
    ({ content }) => Object.keys(content).length > 0,
  );
  return {
    effective: filledFiles.reduce<JsonObject>(
      (sum, { content }) => mergeSettings(sum, content),
      {},
    ),
    sources: filledFiles.map(({ source, content }) => ({ source, settings: content })),
    applied: { model: session.modelName, effort: getEffort(session) ?? null, ...notHere },
  };
}

/**
 * Merges two settings: lists are concatenated, objects merged, and otherwise the later value wins.
 */
function mergeSettings(one: JsonObject, other: JsonObject): JsonObject {
  const both = Object.entries(other).map(([name, value]) => {
    const before = one[name];
    if (Array.isArray(before) && Array.isArray(value))
      return [name, [...new Set([...before, ...value])]];
    return [name, isObject(before) && isObject(value) ? mergeSettings(before, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}
