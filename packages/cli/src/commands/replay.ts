import { escapeForTerminal } from "@signalbox/protocol/text";
import { formatJsonLine } from "../terminal/json-line.ts";
import { once } from "node:events";
import { createReadStream, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { readLines } from "@signalbox/protocol";
import { advance, createTimeline, type Item } from "@signalbox/timeline";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Command } from "../command.ts";
import { getDepth, formatItem } from "../replay/item-text.ts";
import { readRow } from "../replay/read-row.ts";
import { UsageError } from "../usage-error.ts";

const outputs = ["events", "items", "text"] as const;
type Output = (typeof outputs)[number];

export const replayCommand: Command = {
  help: `Usage: signalbox replay FILE [--output events|items|text]

Reads a recording, raw NDJSON as an agent prints it or objects with \`from\` and \`line\`, and
prints what happened, one JSON object a line: every event (default), or the items as they
are at the end; or the conversation as text. \`-\` reads standard input.`,
  run,
};

async function run(args: string[]): Promise<ExitCode> {
  const { file, output } = parse(args);
  process.stdout.on("error", () => process.exit(exitCode.success)); // nobody reads on: `| head`
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
  let parsed;
  try {
    const options = { output: { type: "string", default: "events" } } as const;
    parsed = parseArgs({ args, allowPositionals: true, options });
  } catch (failure) {
    throw new UsageError(failure instanceof Error ? failure.message : String(failure));
  }
  const [file, ...more] = parsed.positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError("Name one file, or - for standard input.");
  const output = outputs.find((name) => name === parsed.values.output);
  if (!output) throw new UsageError(`--output is one of ${outputs.join(", ")}.`);
  return { file, output };
}

function openRecording(file: string): AsyncIterable<Uint8Array> {
  if (file === "-") return process.stdin;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`There is no file ${escapeForTerminal(file)}.`);
  }
  return createReadStream(file);
}

const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** Some editors put a mark before a text in UTF-8: it is none of its words. */
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
