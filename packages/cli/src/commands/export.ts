import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ExportFinding } from "@signalbox/api";
import { escapeForTerminal } from "@signalbox/protocol/text";
import type { CliCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { connectLocalHub, dataHelp, dataOption } from "../hub/local-hub.ts";
import { pickSession } from "../hub/pick-session.ts";
import { parseChoice, parseOptions, requireOneArgument } from "../options.ts";
import { formatTable } from "../hub/table.ts";

const formats = ["markdown", "html", "jsonl"] as const;

export const exportCommand: CliCommand = {
  help: `Usage: signalbox export SESSION [options]

Writes a conversation to a file or to standard output: as Markdown, as one HTML file that needs
neither network nor script, or as JSONL, which \`signalbox replay\` reads. Keys and tokens, home
paths and e-mail addresses are replaced.

Options:
  --format FORMAT    markdown (default), html or jsonl
  --output FILE      Write to this file instead of standard output
  --preview          Only list what would be replaced
  --word WORD        Replace this word, too; can be repeated
  --keep ID          Keep a finding, by its id in the preview; can be repeated
  --keep-all         Replace nothing but the words of --word
${dataHelp}`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: {
      ...dataOption,
      format: { type: "string", default: "markdown" },
      output: { type: "string" },
      preview: { type: "boolean" },
      word: { type: "string", multiple: true },
      keep: { type: "string", multiple: true },
      "keep-all": { type: "boolean" },
    },
  });
  const name = requireOneArgument(positionals, "Specify one session.");
  const format = parseChoice("--format", values.format, formats);
  const words = (values.word ?? []).join("\n");
  using hub = await connectLocalHub(values.data);
  const { id } = pickSession(await hub.sessions(), name);
  const { findings } = await hub.previewExport(id, { format, words });
  if (values.preview) {
    for (const line of formatFindings(findings)) console.log(line);
    return exitCode.success;
  }
  const excluded = values["keep-all"]
    ? findings.filter(({ kind }) => kind !== "word").map((finding) => finding.id)
    : (values.keep ?? []);
  const { body } = await hub.exportSession(id, { format, words, keep: excluded.join(",") });
  if (body) {
    const target =
      values.output === undefined
        ? process.stdout
        : createWriteStream(values.output, { mode: 0o600 });
    await pipeline(Readable.fromWeb(body as never), target, { end: values.output !== undefined });
  }
  const replaced = findings.filter((finding) => !excluded.includes(finding.id)).length;
  console.error(replaced === 1 ? "Replaced 1 text." : `Replaced ${replaced} texts.`);
  return exitCode.success;
}

function formatFindings(findings: readonly ExportFinding[]): string[] {
  if (findings.length === 0) return ["Nothing would be replaced."];
  const rows = findings.map(({ id, kind, count, text, replacement }) => [
    id,
    kind,
    `${count}×`,
    escapeForTerminal(text).replaceAll("\n", " "),
    `→ ${replacement}`,
  ]);
  return formatTable(rows, []);
}
