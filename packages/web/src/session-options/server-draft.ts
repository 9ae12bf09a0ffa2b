import type { McpServerOption } from "@signalbox/api";
import { strings } from "../strings/strings.ts";
import { splitCommand } from "@signalbox/protocol/text";
import { joinCommand } from "./command.ts";
import {
  findVariableProblem,
  newVariable,
  readVariables,
  type VariableDraft,
} from "./variable-draft.ts";

const text = strings.sessionOptions;

export type ServerKind = "stdio" | "http" | "sse";

/** An MCP server as it is edited. */
export interface ServerDraft {
  /** Of the row, while it is edited. */
  readonly id: string;
  readonly name: string;
  readonly kind: ServerKind;
  /** A command with its arguments, or a URL. */
  readonly where: string;
  /** Environment variables of a command, or headers. All are secrets. */
  readonly values: readonly VariableDraft[];
}

export function newServer(): ServerDraft {
  return { id: crypto.randomUUID(), name: "", kind: "stdio", where: "", values: [] };
}

export function toServerDraft(name: string, server: McpServerOption): ServerDraft {
  const values = Object.keys(("url" in server ? server.headers : server.env) ?? {});
  return {
    ...newServer(),
    name,
    kind: "url" in server ? server.type : "stdio",
    where: "url" in server ? server.url : joinCommand([server.command, ...(server.args ?? [])]),
    values: values.map((value) => ({ ...newVariable(value, true), isStored: true })),
  };
}

/** The server as it is sent: null keeps a stored secret. */
export function readServer({ kind, where, values }: ServerDraft): McpServerOption {
  const secrets = readVariables(values) as Record<string, string | null>;
  const hasValues = values.length > 0;
  if (kind !== "stdio") {
    return { type: kind, url: where.trim(), ...(hasValues && { headers: secrets }) };
  }
  const [command = "", ...args] = splitCommand(where);
  return {
    type: "stdio",
    command,
    ...(args.length > 0 && { args }),
    ...(hasValues && { env: secrets }),
  };
}

/** Why the servers cannot be used. Undefined if they can. */
export function findServerProblem(servers: readonly ServerDraft[]): string | undefined {
  const names = new Set<string>();
  for (const server of servers) {
    const name = server.name.trim();
    const problem =
      findNameProblem(server, names) ??
      findPlaceProblem(server, name) ??
      findVariableProblem(server.values, server.kind === "stdio" ? "variable" : "header");
    if (problem !== undefined) return problem;
    names.add(name);
  }
  return undefined;
}

function findNameProblem({ name, where }: ServerDraft, names: ReadonlySet<string>) {
  if (name.trim() === "") return text.serverNeedsName(where.trim());
  return names.has(name.trim()) ? text.serverTwice(name.trim()) : undefined;
}

function findPlaceProblem({ kind, where }: ServerDraft, name: string): string | undefined {
  if (where.trim() === "") return text.serverNeedsPlace(name);
  if (kind === "stdio") return undefined;
  const isUrl = /^https?:\/\//i.test(where.trim()) && URL.canParse(where.trim());
  return isUrl ? undefined : text.serverBadUrl(name);
}
