import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { type Finding, type FindingKind, createFinding, createPermission } from "./finding.ts";
import { hashReferencedFiles } from "./referenced-files.ts";

/** Settings that run nothing, allow nothing and read nothing else. All others are shown. */
const harmless: ReadonlySet<string> = new Set([
  "$schema",
  "alwaysThinkingEnabled",
  "attribution",
  "availableModels",
  "cleanupPeriodDays",
  "companyAnnouncements",
  "disabledMcpjsonServers",
  "effortLevel",
  "includeCoAuthoredBy",
  "language",
  "model",
  "outputStyle",
  "prefersReducedMotion",
  "respectGitignore",
  "showTurnDuration",
  "spinnerTipsEnabled",
  "spinnerVerbs",
]);
/** Permissions that only restrict. */
const restrictivePermissions: ReadonlySet<string> = new Set([
  "deny",
  "ask",
  "disableBypassPermissionsMode",
]);
/** Settings whose value is a program. */
const programs: ReadonlySet<string> = new Set([
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "fileSuggestion",
  "gcpAuthRefresh",
  "otelHeadersHelper",
  "statusLine",
  "subagentStatusLine",
]);
const plugins: ReadonlySet<string> = new Set([
  "enabledPlugins",
  "extraKnownMarketplaces",
  "pluginConfigs",
]);

/** Variables that send credentials elsewhere, or make other programs run code. */
const variableWarnings: readonly (readonly [RegExp, string])[] = [
  [/(BASE_URL|_ENDPOINT|_URL|_HOST)$/i, "This changes where requests, and your API key, are sent."],
  [/^(ALL|FTP|HTTPS?|NO)_PROXY$/i, "This sends traffic through another machine."],
  [/(API_KEY|AUTH_TOKEN|_TOKEN|CUSTOM_HEADERS)$/i, "This replaces your own credential."],
  [/^(BASH_ENV|ENV|ZDOTDIR|PROMPT_COMMAND|SHELL|IFS)$/, "This runs code with every command."],
  [/^(LD_|DYLD_)/, "This loads code into every program."],
  [
    /^(NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|BUN_OPTIONS)$/,
    "This loads code into programs.",
  ],
  [/^PATH$/, "This changes which programs commands run."],
  [
    /^(GIT_|EDITOR$|VISUAL$|PAGER$|LESSOPEN$|LESSCLOSE$|MANPAGER$|SSH_ASKPASS$)/,
    "This sets a program that other programs run.",
  ],
  [
    /(CA_CERTS?|CERT_FILE|CERT_DIR|TLS_REJECT_UNAUTHORIZED)$/i,
    "This changes which TLS certificates are trusted.",
  ],
  [/^(HOME|XDG_|CLAUDE_)/, "This changes where or how Claude Code works."],
];

/** Finds what a settings file would run or allow. */
export function scanSettings(root: string, source: string, text: string): Finding[] {
  const content = parseJson(text);
  if (content === undefined) return [createInvalidJson(source)];
  return Object.entries(content).flatMap(([name, value]) => {
    if (harmless.has(name)) return [];
    if (name === "hooks") return scanHooks(root, source, value);
    if (name === "env") return scanVariables(root, source, value);
    if (name === "permissions") return scanPermissions(source, value);
    if (programs.has(name)) {
      const command = isObject(value) ? (value["command"] ?? value) : value;
      return [createProgramFinding("command", root, source, `${name}: ${toText(command)}`, value)];
    }
    const kind = plugins.has(name) ? "plugin" : "setting";
    return [createFinding(kind, source, `${name}: ${toText(value)}`)];
  });
}

/** Finds what a `.mcp.json` would start or call. */
export function scanMcpServers(root: string, source: string, text: string): Finding[] {
  const content = parseJson(text);
  if (content === undefined) return [createInvalidJson(source)];
  const servers = content["mcpServers"] ?? content;
  if (!isObject(servers)) return [createFinding("mcp-server", source, toText(content))];
  return Object.entries(servers).map(([name, server]) => {
    const { command, args, url } = isObject(server) ? server : {};
    const line = [command, ...(Array.isArray(args) ? args : [])].map(toText).join(" ");
    const what = command === undefined ? toText(url ?? server) : line;
    return createProgramFinding("mcp-server", root, source, `${name}: ${what}`, server);
  });
}

/** Scans hooks, which settings and front matter group by event, each with a matcher and a list of hooks. */
function scanHooks(root: string, source: string, hooks: unknown): Finding[] {
  if (!isObject(hooks)) return [createFinding("hook", source, toText(hooks))];
  return Object.entries(hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [groups]).flatMap((group: unknown) => {
      const { matcher, hooks: list } = isObject(group) ? group : {};
      const on = typeof matcher === "string" && matcher !== "" ? `${event} (${matcher})` : event;
      return (Array.isArray(list) ? list : [group]).map((hook: unknown) => {
        const { command, url, prompt } = isObject(hook) ? hook : {};
        const text = `${on}: ${toText(command ?? url ?? prompt ?? hook)}`;
        return createProgramFinding("hook", root, source, text, [event, matcher, hook]);
      });
    }),
  );
}

function scanVariables(root: string, source: string, env: unknown): Finding[] {
  if (!isObject(env)) return [createFinding("variable", source, toText(env))];
  return Object.entries(env).map(([name, value]) => {
    const warning = variableWarnings.find(([pattern]) => pattern.test(name))?.[1];
    return createProgramFinding(
      "variable",
      root,
      source,
      `${name}=${toText(value)}`,
      value,
      warning,
    );
  });
}

function scanPermissions(source: string, permissions: unknown): Finding[] {
  if (!isObject(permissions))
    return [createFinding("setting", source, `permissions: ${toText(permissions)}`)];
  return Object.entries(permissions).flatMap(([name, value]) => {
    if (restrictivePermissions.has(name)) return [];
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (name === "allow")
      return list.map((rule) => createPermission(source, `allow ${toText(rule)}`));
    if (name === "additionalDirectories") {
      return list.map((folder) => createPermission(source, `add the folder ${toText(folder)}`));
    }
    return [createPermission(source, `${name}: ${toText(value)}`)];
  });
}

/** Creates a finding for a program. The files of the repository that it names are part of its identity. */
function createProgramFinding(
  kind: FindingKind,
  root: string,
  source: string,
  text: string,
  value: unknown,
  warning?: string,
): Finding {
  const files = hashReferencedFiles(root, collectStrings(value).join(" "));
  const identity = [text, value, files];
  return createFinding(kind, source, text, { identity, ...(warning !== undefined && { warning }) });
}

function collectStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(collectStrings);
  return isObject(value) ? Object.values(value).flatMap(collectStrings) : [];
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}

function parseJson(text: string): JsonObject | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function createInvalidJson(source: string): Finding {
  return createFinding(
    "unreadable",
    source,
    "This is not valid JSON, so it is unknown what it would run.",
  );
}
