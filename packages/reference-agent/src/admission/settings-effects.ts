import { isObject, type JsonObject } from "@signalbox/protocol/wire";

/** Something that the settings of a folder turn on: what it is, and its names or lines. */
export interface SettingsEffect {
  readonly what: string;
  readonly names: readonly string[];
}

/**
 * Fields whose value is a command. It is run by this agent or by Claude Code, which shares the
 * record of trust.
 */
const commands = {
  apiKeyHelper: "model's key",
  awsAuthRefresh: "AWS sign-in",
  awsCredentialExport: "AWS credentials",
  gcpAuthRefresh: "Google Cloud sign-in",
  otelHeadersHelper: "telemetry headers",
  statusLine: "status line",
} as const;

/** Lists what settings that came with a folder do without asking, once the folder is trusted. */
export function listSettingsEffects(contents: readonly JsonObject[]): SettingsEffect[] {
  const all = (pick: (content: JsonObject) => readonly string[]): string[] => [
    ...new Set(contents.flatMap(pick)),
  ];
  const permitted = (list: string) =>
    all(({ permissions }) => (isObject(permissions) ? texts(permissions[list]) : []));
  const found: SettingsEffect[] = [
    { what: "runs hooks", names: all(({ hooks }) => (isObject(hooks) ? hookLines(hooks) : [])) },
    ...Object.entries(commands).map(([field, about]) => ({
      what: `runs a command for the ${about}`,
      names: all((content) => commandIn(content[field])),
    })),
    { what: "allows without asking", names: permitted("allow") },
    { what: "adds folders", names: permitted("additionalDirectories") },
    {
      what: "sets variables",
      names: all(({ env }) =>
        isObject(env) ? Object.entries(env).map(([name, value]) => `${name}=${String(value)}`) : [],
      ),
    },
  ];
  return found.filter(({ names }) => names.length > 0);
}

/** Lists hooks as lines such as `PreToolUse: ./check.sh`. */
function hookLines(hooks: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    records(groups)
      .flatMap((group) => records(group["hooks"]))
      .map(({ type, command, url, prompt }) => {
        return `${event}: ${String(command ?? url ?? prompt ?? type)}`;
      }),
  );
}

function commandIn(value: unknown): string[] {
  const command = isObject(value) ? value["command"] : value;
  return typeof command === "string" ? [command] : [];
}

function records(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
