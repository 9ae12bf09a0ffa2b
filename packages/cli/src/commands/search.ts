import type { SearchHitView } from "@signalbox/client";
import { escapeForTerminal } from "@signalbox/protocol/text";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession, shortId } from "../hub/pick-session.ts";
import { formatDuration } from "../hub/times.ts";
import { parseOptions } from "../options.ts";
import { formatJsonLine } from "../terminal/json-line.ts";
import { createStyle, type Style } from "../terminal/style.ts";
import { UsageError } from "../usage-error.ts";

export const searchCommand: CliCommand = {
  help: `Usage: signalbox search [options] WORDS…

Searches everything that was said, done and shown, in all sessions. The best matches come first,
and newer ones count more.

  word  "a phrase"  pre*  -without     words, phrases, beginnings, and what must not occur
  path:rows.ts  tool:Bash              the file or the tool of a call
  project:atlas                        part of the session's folder, or its machine
  after:2026-11-01  before:3d          dates, or how long ago (d, w, m, y)
  is:error  from:me                    what failed; your own messages

A part of a name is found, too: "rows" finds readRows and read_rows.

Options:
  --session NAME     Search one session: its title, or the start of its id
  --limit N          Show at most N results (default: 20, at most 200)
  --json             Print one JSON object per line
${dataHelp}
Exits with ${exitCode.notFound} if nothing was found.`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const options = {
    ...dataOption,
    session: { type: "string" },
    limit: { type: "string" },
    json: { type: "boolean" },
  } as const;
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true });
  const query = positionals.map(quotePhrase).join(" ");
  if (query.trim() === "") throw new UsageError("Specify what to search for.");
  const limit = readLimit(values.limit);
  using hub = await connectLocalHub(values.data);
  const session =
    values.session === undefined ? undefined : pickSession(await hub.sessions(), values.session).id;
  // A space at the end: the last word is finished.
  const found = await hub.search(`${query} `, { limit, ...(session !== undefined && { session }) });
  for (const problem of found.problems) console.error(escapeForTerminal(problem));
  if (values.json) {
    for (const hit of found.hits) console.log(formatJsonLine(hit));
  } else {
    const style = createStyle(process.stdout, process.env);
    for (const hit of found.hits) console.log(formatHit(hit, Date.now(), style));
    if (found.hits.length === 0) console.log("No results.");
    if (found.more) console.log(style.dim(`More results: use --limit, or more words.`));
  }
  if (found.pending > 0) {
    const sessions = found.pending === 1 ? "1 session is" : `${found.pending} sessions are`;
    console.error(`${sessions} still being indexed. Search again for complete results.`);
  }
  return found.hits.length > 0 ? exitCode.success : exitCode.notFound;
}

/** The shell has removed the quotes around a phrase. */
function quotePhrase(argument: string): string {
  if (!/\s/.test(argument) || argument.includes('"')) return argument;
  const [, filter = "", value = argument] = /^(-?[a-z]+:)(.+)$/s.exec(argument) ?? [];
  return `${filter}"${value}"`;
}

function readLimit(text = "20"): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 200) return limit;
  throw new UsageError("--limit takes a whole number from 1 to 200.");
}

function formatHit(hit: SearchHitView, now: number, style: Style): string {
  const title = oneLine(hit.title);
  const what = hit.kind === "prompt" ? "you" : (hit.tool ?? hit.kind);
  const facts = [
    shortId({ id: hit.session }),
    oneLine(what),
    ...(hit.path === null ? [] : [oneLine(hit.path)]),
    ...(hit.at === null ? [] : [formatDuration(now - hit.at)]),
  ].join("  ");
  const snippet = hit.snippet
    .map(({ text, match }) => (match ? style.yellow(oneLine(text)) : oneLine(text)))
    .join("");
  return `${style.bold(title)}  ${style.dim(facts)}\n  ${snippet}`;
}

function oneLine(text: string): string {
  return escapeForTerminal(text).replaceAll("\n", " ");
}
