import { escapeForTerminal } from "@signalbox/protocol/text";
import { getColumns, hangIndent } from "../terminal/layout.ts";
import type { Style } from "../terminal/style.ts";

/** A finding of a folder, from the hub or from a scan by this command. */
interface ShownFinding {
  readonly kind: string;
  readonly source: string;
  readonly text: string;
  readonly warning?: string | undefined;
}

const kindLabels: Readonly<Record<string, string>> = {
  hook: "runs a hook",
  command: "runs a program",
  "mcp-server": "starts or calls an MCP server",
  variable: "sets a variable",
  permission: "allows without asking",
  plugin: "brings a plugin",
  script: "runs a shell command",
  git: "runs a program through Git",
  setting: "changes a setting",
  unreadable: "cannot be read",
};

/** Formats what a folder would run, grouped by the file that contains it. */
export function formatFindings(
  findings: readonly ShownFinding[],
  style: Style,
  stream: NodeJS.WriteStream,
): string[] {
  const bySource = Map.groupBy(findings, ({ source }) => source);
  const columns = getColumns(stream);
  const indented = (text: string) => hangIndent(text, "  ", columns, "    ");
  return [...bySource].flatMap(([source, found]) => [
    style.bold(escapeForTerminal(source, "decision")),
    ...found.flatMap(({ kind, text, warning }) => [
      indented(`${kindLabels[kind] ?? kind}: ${escapeForTerminal(text, "decision")}`),
      ...(warning === undefined ? [] : [style.yellow(indented(`  ${warning}`))]),
    ]),
  ]);
}
