import { isObject, type JsonObject } from "@signalbox/protocol";
import { type Finding, type FindingKind, createFinding, createPermission } from "./finding.ts";
import { hashReferencedFiles } from "./referenced-files.ts";

/** Settings that run nothing, allow nothing and lead nowhere. Every other one is shown. */
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
/** Permissions that only take something away. */
const restrictivePermissions: ReadonlySet<string> = new Set([
  "deny",
  "ask",
  "disableBypassPermissionsMode",
]);
/** Settings whose value is a program that is run. */
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

/** Variables that lead credentials elsewhere, or run code behind another program. */
const variableWarnings: readonly (readonly [RegExp, string])[] = [
  [/(BASE_URL|_ENDPOINT|_URL|_HOST)$/i, "It says where requests, and the key with them, are sent."],
  [/^(ALL|FTP|HTTPS?|NO)_PROXY$/i, "It sends traffic through another machine."],
  [/(API_KEY|AUTH_TOKEN|_TOKEN|CUSTOM_HEADERS)$/i, "It takes the place of your own credential."],
  [/^(BASH_ENV|ENV|ZDOTDIR|PROMPT_COMMAND|SHELL|IFS)$/, "It runs code with every command."],
  [/^(LD_|DYLD_)/, "It loads code into every program."],
  [
    /^(NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|BUN_OPTIONS)$/,
    "It loads code into programs.",
  ],
  [/^PATH$/, "It changes which programs commands run."],
  [
    /^(GIT_|EDITOR$|VISUAL$|PAGER$|LESSOPEN$|LESSCLOSE$|MANPAGER$|SSH_ASKPASS$)/,
    "It names a program that others run.",
  ],
  [
    /(CA_CERTS?|CERT_FILE|CERT_DIR|TLS_REJECT_UNAUTHORIZED)$/i,
    "It changes who is believed over TLS.",
  ],
  [/^(HOME|XDG_|CLAUDE_)/, "It changes where or how Claude Code itself works."],
];

/** What the text of a settings file would run or allow. */
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

/** What the text of a `.mcp.json` would start or call. */
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

/** Hooks as settings and front matter hold them: groups by event, each with a matcher and hooks. */
export function scanHooks(root: string, source: string, hooks: unknown): Finding[] {
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

/** Something that is run: the files of the repository that it names are part of what it is. */
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
  return createFinding("unreadable", source, "It is not JSON, so what it would run is not known.");
}
