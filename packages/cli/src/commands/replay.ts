import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { once } from "node:events";
import { createReadStream, statSync } from "node:fs";
import { readLines } from "@signalbox/protocol";
import { advance, createTimeline, type Item } from "@signalbox/timeline";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { CliCommand } from "../command.ts";
import { parseChoice, parseOptions, requireOneArgument } from "../options.ts";
import { getDepth, formatItem } from "../replay/item-text.ts";
import { readRow } from "../replay/read-row.ts";
import { UsageError } from "../usage-error.ts";

const outputs = ["events", "items", "text"] as const;
type Output = (typeof outputs)[number];

export const replayCommand: CliCommand = {
  help: `Usage: signalbox replay FILE [options]

Reads a recording and prints what happened in it. FILE contains NDJSON as an agent prints it, or
objects with \`from\` and \`line\`. Use - to read standard input.

Options:
  --output FORMAT    events: one JSON object per event (default); items: one JSON object per
                     item, in its final state; text: the conversation as text`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { file, output } = parse(args);
  process.stdout.on("error", () => process.exit(exitCode.success)); // the reader has ended, as with `| head`
  let state = createTimeline();
  const items = new Map<string, Item>();
  for await (const batch of readLines(removeByteOrderMark(openRecording(file)))) {
    for (const line of batch) {
      const row = readRow(line);
      if (!row) continue;
      const step = advance(state, row);
      state = step.state;
      if (output === "events") for (const event of step.events) await print(formatJsonLine(event));
      else for (const item of step.changed) items.set(item.id, item);
    }
  }
  for (const item of items.values()) {
    if (output === "items") await print(formatJsonLine(item));
    if (output === "text") {
      for (const text of formatItem(item, getDepth(item, items))) await print(text);
    }
  }
  return exitCode.success;
}

function parse(args: string[]): { file: string; output: Output } {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { output: { type: "string", default: "events" } },
  });
  const file = requireOneArgument(positionals, "Specify one file, or - for standard input.");
  const output = parseChoice("--output", values.output, outputs);
  return { file, output };
}

function openRecording(file: string): AsyncIterable<Uint8Array> {
  if (file === "-") return process.stdin;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`Couldn't find the file ${escapeForTerminal(file)}.`);
  }
  return createReadStream(file);
}

const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Removes the byte order mark that some editors write at the start of a UTF-8 file. */
async function* removeByteOrderMark(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let begin: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of bytes) {
    if (!begin) {
      yield chunk;
      continue;
    }
    begin = Buffer.concat([begin, chunk]);
    if (begin.length < BYTE_ORDER_MARK.length) continue;
    yield begin.subarray(
      BYTE_ORDER_MARK.equals(begin.subarray(0, BYTE_ORDER_MARK.length))
        ? BYTE_ORDER_MARK.length
        : 0,
    );
    begin = undefined;
  }
  if (begin) yield begin;
}

async function print(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, "drain");
}
