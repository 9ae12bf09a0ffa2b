import { existsSync } from "node:fs";
import { join } from "node:path";
import { escapeForTerminal } from "@signalbox/protocol/text";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { CommandError } from "../command-error.ts";
import type { CliCommand } from "../command.ts";
import { getLocalRunnerFolder, resolveDataFolder } from "../hub/data-folder.ts";
import { dataHelp, dataOption } from "../hub/local-hub.ts";
import { followLines, readLastLines } from "../hub/log-reader.ts";
import { formatTimestamp } from "../hub/times.ts";
import { parseInteger, parseOptions } from "../options.ts";
import { createStyle, type Style } from "../terminal/style.ts";

export const logsCommand: CliCommand = {
  help: `Usage: signalbox logs [options]

Shows what happened to the hub's process: starts, connections, errors. Secrets are hidden. The
files are hub.log and runner/runner.log in the data folder, so this also works while the hub is
down.

Options:
  --hub              The log of the hub (default)
  --runner           The log of the hub's own runner
  -f, --follow       Keep printing what is added
  --limit N          Number of lines to begin with (default: 50)
  --errors           Errors only
  --json             Print the lines as they are
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values } = parseOptions({
    args,
    options: {
      ...dataOption,
      hub: { type: "boolean" },
      runner: { type: "boolean" },
      follow: { type: "boolean", short: "f" },
      limit: { type: "string", default: "50" },
      errors: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  const data = resolveDataFolder(values.data);
  const path = values.runner
    ? join(getLocalRunnerFolder(data), "runner.log")
    : join(data, "hub.log");
  if (!existsSync(path)) {
    throw new CommandError(
      exitCode.notFound,
      `There is no log at ${escapeForTerminal(path)}. Has a hub been started with this data folder?`,
    );
  }
  const style = createStyle(process.stdout, process.env);
  const print = (line: string) => {
    if (values.errors && !isError(line)) return;
    console.log(values.json ? escapeForTerminal(line) : formatLogLine(line, style));
  };
  const { lines, end } = readLastLines(path, parseInteger("--limit", values.limit, 100_000));
  for (const line of lines) print(line);
  if (!values.follow) return exitCode.success;
  const stopped = new AbortController();
  process.on("SIGINT", () => stopped.abort());
  for await (const line of followLines(path, end, stopped.signal)) print(line);
  return exitCode.success;
}

/** A line of the log as people read it. A line that is not ours is printed as it is. */
export function formatLogLine(line: string, style: Style): string {
  const entry = parseEntry(line);
  if (!entry) return escapeForTerminal(line);
  const { at, level, what, ...facts } = entry;
  const written = Date.parse(String(at));
  const time = Number.isNaN(written) ? escapeForTerminal(String(at)) : formatTimestamp(written);
  const name = escapeForTerminal(String(what), "name");
  const details = Object.entries(facts).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${style.dim(`${escapeForTerminal(key, "name")}=`)}${escapeForTerminal(text, "name")}`;
  });
  const shown = level === "error" ? style.red(name) : name;
  return [style.dim(time), shown, ...details].join("  ");
}

function isError(line: string): boolean {
  const entry = parseEntry(line);
  return entry === undefined || entry["level"] === "error";
}

function parseEntry(line: string): Record<string, unknown> | undefined {
  try {
    const entry = JSON.parse(line) as Record<string, unknown> | null;
    const isOurs = typeof entry === "object" && entry !== null && "what" in entry && "at" in entry;
    return isOurs ? entry : undefined;
  } catch {
    return undefined;
  }
}
