import type { IsolationProfile, NewSession } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

const text = strings.newSession;

type Servers = NonNullable<NewSession["mcpServers"]>;

/** An MCP server as typed: a name, and a command or URL. */
export interface ServerRow {
  readonly name: string;
  readonly where: string;
}
/** Rarely used options of a new session. */
export interface AdvancedOptions {
  readonly worktree: string;
  readonly driver: string;
  /** Empty for the default profile. */
  readonly isolation: IsolationProfile | "";
  readonly folders: string;
  readonly servers: readonly ServerRow[];
}
export const noAdvancedOptions: AdvancedOptions = {
  worktree: "",
  driver: "",
  isolation: "",
  folders: "",
  servers: [],
};

/** Describes what happens while the session is created. */
export function describeStart({ worktree }: AdvancedOptions): string {
  return worktree.trim() === "" ? text.starting : text.creatingWorktree;
}

/** The session options; empty values are omitted. */
export function buildOptions({ worktree, driver, isolation, folders, servers }: AdvancedOptions) {
  const addDirs = folders
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const filled = servers.filter(isFilled);
  return {
    ...(driver !== "" && { driver }),
    ...(isolation !== "" && { isolation }),
    ...(worktree.trim() !== "" && { worktree: worktree.trim() }),
    ...(addDirs.length > 0 && { addDirs }),
    ...(filled.length > 0 && { mcpServers: buildServers(filled) }),
  };
}

/** Why the MCP servers cannot be used. Undefined if they can. */
export function findServerProblem(servers: readonly ServerRow[]): string | undefined {
  const names = new Set<string>();
  for (const row of servers.filter(isFilled)) {
    const name = row.name.trim();
    if (name === "") return text.mcpNeedsName(row.where.trim());
    if (row.where.trim() === "") return text.mcpNeedsCommand(name);
    if (names.has(name)) return text.mcpTwice(name);
    if (isUrl(row.where) && !URL.canParse(row.where.trim())) return text.mcpBadUrl(name);
    names.add(name);
  }
  return undefined;
}

function buildServers(rows: readonly ServerRow[]): Servers {
  return Object.fromEntries(rows.map((row) => [row.name.trim(), parseServer(row.where.trim())]));
}

function parseServer(where: string): Servers[string] {
  if (isUrl(where)) return { type: "http", url: where };
  const [command = "", ...args] = splitCommand(where);
  return { type: "stdio", command, ...(args.length > 0 && { args }) };
}

function isUrl(where: string): boolean {
  return /^https?:\/\//i.test(where.trim());
}
function isFilled({ name, where }: ServerRow): boolean {
  return name.trim() !== "" || where.trim() !== "";
}

/** Splits a command into words. Quotes group words; nothing else is special, and no shell is involved. */
export function splitCommand(command: string): readonly string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => {
      return double ?? single ?? "";
    }),
  );
}
