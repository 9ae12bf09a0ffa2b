import * as z from "zod";
import { driverView } from "../schemas/device.ts";
import { publicKey, signature } from "../schemas/identity.ts";
import {
  terminalColumns,
  terminalInput,
  terminalOutput,
  terminalRows,
  terminalSnapshot,
  terminalView,
} from "../schemas/terminal.ts";
import { linkId as id, order } from "./orders.ts";
import { transcriptCursor } from "./transcript-orders.ts";

/**
 * The link between runner and hub: a WebSocket at `/api/runner` that the runner opens with a signed
 * request. The hub proves its identity with the first frame, and the runner sends nothing before
 * that. A frame is text: a JSON object. In frames that carry lines (`lines`, `chunk`, `transcript`), a line feed
 * and the original lines follow, so that no line is escaped a second time.
 */
/**
 * Lines longer than this (in UTF-16 units) travel in chunks, and a batch ends when it reaches this
 * size.
 */
export const CHUNK = 512 * 1024;

const seq = z.int().min(1);

export const frameToRunner = z
  .discriminatedUnion("type", [
    z
      .object({ type: z.literal("hub"), proof: signature })
      .describe("The first frame: the hub's signature of `linkProofText`."),
    z
      .object({
        type: z.literal("approvers"),
        keys: z.array(
          z.object({
            id,
            publicKey,
            confirmedBy: z.object({ device: id, signature }).optional(),
          }),
        ),
      })
      .describe(
        "The keys whose decisions count; before the welcome, and again when one comes or goes.",
      ),
    z
      .object({
        type: z.literal("welcome"),
        version: z.number(),
        generation: z.number(),
        stored: z.record(z.string(), z.int().min(0)),
      })
      .describe(
        "Answers `hello`: the last line of each session that is stored. Everything after it is sent (again).",
      ),
    z
      .object({ type: z.literal("ack"), session: id, seq })
      .describe("Stored up to and with `seq`: the runner may forget it."),
    z
      .object({ type: z.literal("taken"), session: id, seq, pieces: z.int().min(1) })
      .describe(
        "So many pieces of a long line are taken in, which is acknowledged when it is whole: more may come.",
      ),
    z
      .object({ type: z.literal("order"), id, order })
      .describe("The same id twice is carried out once, and answered the same."),
    z
      .object({ type: z.literal("terminal-watch"), terminal: id })
      .describe("Answered with a snapshot of the terminal, and from then on with its output."),
    z.object({ type: z.literal("terminal-leave"), terminal: id }).describe("No more output."),
    z
      .object({ type: z.literal("terminal-ack"), terminal: id, at: z.number() })
      .describe("The stream was taken in up to here."),
    z
      .object({
        type: z.literal("terminal-input"),
        terminal: id,
        by: id,
        name: z.string().optional().describe("The name of the device that typed, for people."),
        ...terminalInput,
      })
      .describe("What a person typed, with the signature of the person's device."),
    z
      .object({
        type: z.literal("terminal-resize"),
        terminal: id,
        cols: terminalColumns,
        rows: terminalRows,
      })
      .describe("The size follows the viewer who types."),
    z
      .object({
        type: z.literal("folder-watch"),
        watch: id,
        folder: z.string(),
        allowed: z.array(z.string()).optional(),
      })
      .describe(
        "Answered with `folder-changed` when the folder is watched, and whenever its files change.",
      ),
    z.object({ type: z.literal("folder-leave"), watch: id }).describe("No more of it."),
    z
      .object({ type: z.literal("refused"), detail: z.string() })
      .describe("Why the hub is about to close the link."),
  ])
  .describe("From the hub.");
export type FrameToRunner = z.infer<typeof frameToRunner>;
export type FrameToRunnerOfType<T extends FrameToRunner["type"]> = Extract<
  FrameToRunner,
  { type: T }
>;

export const lineSource = z.enum(["agent", "host", "keeper"]);
export type LineSource = z.infer<typeof lineSource>;

export const frameToHub = z
  .discriminatedUnion("type", [
    z
      .object({
        type: z.literal("hello"),
        version: z.number(),
        runner: id,
        machine: z.string(),
        home: z
          .string()
          .optional()
          .describe(
            "The real home folder of the user it runs as. A runner that says it also heeds `allowed`.",
          ),
        program: z.string().optional().describe("The version of Signalbox that it is."),
        drivers: z
          .array(driverView)
          .max(100)
          .optional()
          .describe("The drivers that it has; a runner of an earlier version does not say."),
        process: id.describe(
          "Of this runner's process: another one means that the runs of the last are gone.",
        ),
        generation: z
          .number()
          .describe("Grows with every connection: an older one's end means nothing."),
        runs: z
          .array(z.object({ session: id, run: id, alive: z.boolean(), next: seq }))
          .describe(
            "The runs that live, or have lines that are not acknowledged. `next`: the number of the next line.",
          ),
      })
      .describe("The first frame of a runner, after the hub has proven itself."),
    z
      .object({
        type: z.literal("lines"),
        session: id,
        run: id,
        first: seq,
        from: z.array(lineSource),
        at: z.array(z.number()),
        flaws: z
          .record(
            z.string(),
            z.object({ droppedBytes: z.number().optional(), original: z.base64().optional() }),
          )
          .optional()
          .describe(
            "What ails a line, by its place in the frame. `original`: its bytes in base64, when not UTF-8.",
          ),
      })
      .describe("Whole lines, numbered from `first` on without gaps."),
    z
      .object({
        type: z.literal("chunk"),
        session: id,
        run: id,
        seq,
        from: lineSource,
        at: z.number(),
        last: z.boolean(),
        flaws: z
          .object({ droppedBytes: z.number().optional(), original: z.base64().optional() })
          .optional(),
      })
      .describe(
        "A piece of one long line; the last one has the rest of its facts. `original` comes in pieces, too: each chunk may carry one, and their bytes one after another are the line's.",
      ),
    z
      .object({
        type: z.literal("done"),
        id,
        result: z.unknown().optional(),
        problem: z.object({ code: z.string(), detail: z.string() }).optional(),
      })
      .describe("What became of an order. `problem` is a sentence for a person."),
    z
      .object({
        type: z.literal("transcript"),
        id: id.describe("The order that this answers."),
        from: z.array(z.enum(["agent", "keeper"])),
        at: z.array(z.number().nullable()),
        flaws: z
          .record(
            z.string(),
            z.object({ droppedBytes: z.number().optional(), original: z.base64().optional() }),
          )
          .optional(),
        cursor: transcriptCursor,
        isAtEnd: z.boolean().describe("There is nothing more in the file now."),
        isTurnOpen: z.boolean().describe("The program may still be at work."),
        changed: z
          .enum(["replaced", "truncated", "deleted"])
          .optional()
          .describe(
            "It is not the file that the cursor is about, or no more. No lines come with it.",
          ),
        problems: z.record(z.string(), z.number()).describe("What could not be read as it should."),
        title: z.string().optional(),
      })
      .describe("Lines of a transcript, as Claude Code would have printed them."),
    z
      .object({
        type: z.literal("load"),
        average: z.number().min(0).describe("The load average of the last minute."),
        cores: z.int().min(1),
      })
      .describe("How busy the machine is: after the welcome, and every half minute."),
    z
      .object({ type: z.literal("terminals"), terminals: z.array(terminalView) })
      .describe("All terminals of the machine: after the welcome, and whenever one changes."),
    z
      .object({ type: z.literal("terminal-snapshot"), terminal: id, ...terminalSnapshot })
      .describe("The whole screen at one place of the stream."),
    z
      .object({ type: z.literal("terminal-output"), terminal: id, ...terminalOutput })
      .describe("Output that follows, without what a viewer's terminal must not act on."),
    z
      .object({
        type: z.literal("terminal-size"),
        terminal: id,
        cols: z.number(),
        rows: z.number(),
      })
      .describe("The terminal has another size from this place of the stream on."),
    z
      .object({
        type: z.literal("folder-changed"),
        watch: id,
        paths: z.array(z.string()).max(1000).optional(),
      })
      .describe(
        "Files of a watched folder have changed, or its index or branch. `paths`: only these, from the folder.",
      ),
  ])
  .describe("From the runner.");
export type FrameToHub = z.infer<typeof frameToHub>;
export type FrameToHubOfType<T extends FrameToHub["type"]> = Extract<FrameToHub, { type: T }>;

/** A frame as it travels. Only frames that carry lines have `lines`. */
export function formatFrame(frame: FrameToHub | FrameToRunner, lines?: readonly string[]): string {
  const head = JSON.stringify(frame);
  return lines ? `${head}\n${lines.join("\n")}` : head;
}

/**
 * Parses a frame. Returns undefined for a frame that this build does not know, which is to be
 * ignored.
 */
export function parseFrame<T extends FrameToHub | FrameToRunner>(
  schema: z.ZodType<T>,
  text: string,
): { frame: T; lines: string[] } | undefined {
  const end = text.indexOf("\n");
  const head = end < 0 ? text : text.slice(0, end);
  let body: unknown;
  try {
    body = JSON.parse(head);
  } catch {
    return undefined;
  }
  const hasHandwrittenCheck = isLines(body) || isAck(body);
  const parsed = hasHandwrittenCheck
    ? { success: true as const, data: body as T }
    : schema.safeParse(body);
  if (!parsed.success) return undefined;
  return { frame: parsed.data, lines: end < 0 ? [] : text.slice(end + 1).split("\n") };
}

const sources: ReadonlySet<unknown> = new Set(lineSource.options);

/**
 * A handwritten check for `lines` frames without flaws. Nearly every frame is one and has facts
 * about hundreds of lines, each of which the schema would check. A test makes sure that both agree.
 */
export function isLines(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { type, session, run, first, from, at, flaws } = body as Record<string, unknown>;
  return (
    type === "lines" &&
    isId(session) &&
    isId(run) &&
    Number.isSafeInteger(first) &&
    (first as number) >= 1 &&
    flaws === undefined &&
    Array.isArray(from) &&
    from.every((each) => sources.has(each)) &&
    Array.isArray(at) &&
    at.every((each) => Number.isFinite(each))
  );
}

/** A handwritten check for the other frequent frame. */
export function isAck(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { type, session, seq } = body as Record<string, unknown>;
  return type === "ack" && isId(session) && Number.isSafeInteger(seq) && (seq as number) >= 1;
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value.length > 0 && value.length <= 100;
}
