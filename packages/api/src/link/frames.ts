import * as z from "zod";
import { decision as personDecision } from "../schemas/ask.ts";
import { publicKey, signature } from "../schemas/identity.ts";

export { LINK_PATH, LINK_PROTOCOL, LINK_VERSION } from "../constants.ts";

/**
 * The link between runner and hub: a WebSocket that the runner dials, `/api/runner`, with a request that it
 * has signed. The hub proves itself with the first frame; the runner says nothing before that. A frame is a text: a JSON object, and for frames that carry lines (`lines`, `chunk`) a line
 * feed and the lines as they came, so that no line is escaped a second time.
 */
/** Lines longer than this (in UTF-16 units) travel in chunks; a batch ends when it has grown so far. */
export const CHUNK = 512 * 1024;

const id = z.string().min(1).max(100);
const seq = z.int().min(1);
/** For a driver: the folders of the machine below which the order may be carried out; none: anywhere. */
const allowed = z.array(z.string()).optional();

/** What the hub wants of the runner, in the middle of an order. */
export const order = z.discriminatedUnion("kind", [
  /** Starts a run. Its lines are numbered from `after` + 1 on. */
  z.object({
    kind: z.literal("start"),
    session: id,
    run: id,
    after: z.int().min(0),
    driver: z.string(),
    policy: z.string(),
    /** A `Launch` of the runner's, without what only the runner knows. */
    launch: z.looseObject({ folder: z.string() }),
    allowed,
    /** For the note `run_started`. */
    status: z.enum(["new", "resumed", "forked"]),
  }),
  z.object({
    kind: z.literal("prompt"),
    session: id,
    run: id,
    uuid: z.string(),
    text: z.string(),
    images: z.array(z.object({ data: z.base64(), name: z.string().optional() })),
  }),
  /** A person's decision about an ask: a `Decision` of the runner's. */
  z.object({
    kind: z.literal("decide"),
    session: id,
    run: id,
    requestId: z.string(),
    decision: z.looseObject({ behavior: z.string() }),
    by: z.string(),
    /** `expired`: nobody answered in time. */
    how: z.enum(["answered", "expired"]),
    /**
     * The decision as the person made and signed it. The runner makes of it what the agent is told, by
     * itself; `decision` is for runners of the version before, and for what nobody need sign: a denial.
     */
    answer: personDecision.optional(),
    signed: z
      .object({
        by: id,
        signature,
        delegation: z
          .object({ publicKey, session: id, expiresAt: z.number(), signature })
          .optional(),
      })
      .optional(),
  }),
  /** A control request to the agent: `interrupt`, `set_model`, `get_context_usage`, … */
  z.object({
    kind: z.literal("request"),
    session: id,
    run: id,
    subtype: z.string(),
    fields: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal("policy"), session: id, run: id, policy: z.string() }),
  /** Ends a run by the ladder. `park`: it is to be woken again. */
  z.object({ kind: z.literal("stop"), session: id, run: id, park: z.boolean() }),
  /** Looks for a program: its path, version and class. */
  z.object({ kind: z.literal("find-agent"), path: z.string().optional() }),
  /** The folders in a folder, for a person to choose from. */
  z.object({ kind: z.literal("list-folder"), path: z.string().optional(), allowed }),
  /** The files under a session's folder whose path holds these letters, for completion. */
  z.object({ kind: z.literal("find-files"), folder: z.string(), query: z.string(), allowed }),
  /** A worktree of the folder's repository on this branch; answers with the folder in it. */
  z.object({ kind: z.literal("make-worktree"), folder: z.string(), branch: z.string(), allowed }),
  /** What a folder would run or allow if its own settings counted: a `FolderScan` of the runner's. */
  z.object({
    kind: z.literal("scan-folder"),
    folder: z.string(),
    addDirs: z.array(z.string()).optional(),
    allowed,
  }),
  /** Trusts what was shown of a folder, by the hash of it and the signature of an approver. */
  z.object({
    kind: z.literal("trust-folder"),
    folder: z.string(),
    addDirs: z.array(z.string()).optional(),
    hash: z.string(),
    signed: z.object({ by: id, signature }).optional(),
  }),
  z.object({
    kind: z.literal("distrust-folder"),
    folder: z.string(),
    addDirs: z.array(z.string()).optional(),
  }),
  /** The end of what a command in the background has printed so far, by the agent's own file. */
  z.object({ kind: z.literal("read-output"), path: z.string() }),
]);
export type Order = z.infer<typeof order>;
export type OrderOf<K extends Order["kind"]> = Extract<Order, { kind: K }>;

/** From the hub. */
export const toRunner = z.discriminatedUnion("type", [
  /** The first frame: the hub's signature of `linkProofText`. */
  z.object({ type: z.literal("hub"), proof: signature }),
  /** The keys whose decisions count; before the welcome, and again when one comes or goes. */
  z.object({
    type: z.literal("approvers"),
    keys: z.array(
      z.object({
        id,
        publicKey,
        confirmedBy: z.object({ device: id, signature }).optional(),
      }),
    ),
  }),
  /** Answers `hello`: the last line of each session that is stored. Everything after it is sent (again). */
  z.object({
    type: z.literal("welcome"),
    version: z.number(),
    generation: z.number(),
    stored: z.record(z.string(), z.int().min(0)),
  }),
  /** Stored up to and with `seq`: the runner may forget it. */
  z.object({ type: z.literal("ack"), session: id, seq }),
  /** So many pieces of a long line are taken in, which is acknowledged when it is whole: more may come. */
  z.object({ type: z.literal("taken"), session: id, seq, pieces: z.int().min(1) }),
  /** The same id twice is carried out once, and answered the same. */
  z.object({ type: z.literal("order"), id, order }),
  z.object({ type: z.literal("refused"), detail: z.string() }),
]);
export type ToRunner = z.infer<typeof toRunner>;

export const lineSource = z.enum(["agent", "host", "keeper"]);
export type LineSource = z.infer<typeof lineSource>;

/** From the runner. */
export const toHub = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    version: z.number(),
    runner: id,
    machine: z.string(),
    /** The real home folder of the user it runs as. A runner that says it also heeds `allowed`. */
    home: z.string().optional(),
    /** Of this runner's process: another one means that the runs of the last are gone. */
    process: id,
    /** Grows with every connection: an older one's end means nothing. */
    generation: z.number(),
    /** The runs that live, or have lines that are not acknowledged. `next`: the number of the next line. */
    runs: z.array(z.object({ session: id, run: id, alive: z.boolean(), next: seq })),
  }),
  /** Whole lines, numbered from `first` on without gaps. */
  z.object({
    type: z.literal("lines"),
    session: id,
    run: id,
    first: seq,
    from: z.array(lineSource),
    at: z.array(z.number()),
    /** What ails a line, by its place in the frame. `original`: its bytes in base64, when not UTF-8. */
    flaws: z
      .record(
        z.string(),
        z.object({ droppedBytes: z.number().optional(), original: z.base64().optional() }),
      )
      .optional(),
  }),
  /**
   * A piece of one long line; the last one has the rest of its facts. `original` comes in pieces, too:
   * each chunk may carry one, and their bytes one after another are the line's.
   */
  z.object({
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
  }),
  /** What became of an order. `problem` is a sentence for a person. */
  z.object({
    type: z.literal("done"),
    id,
    result: z.unknown().optional(),
    problem: z.object({ code: z.string(), detail: z.string() }).optional(),
  }),
]);
export type ToHub = z.infer<typeof toHub>;
export type ToHubOf<T extends ToHub["type"]> = Extract<ToHub, { type: T }>;

/** A frame as it travels; `lines` only for those that carry some. */
export function frameText(frame: ToHub | ToRunner, lines?: readonly string[]): string {
  const head = JSON.stringify(frame);
  return lines ? `${head}\n${lines.join("\n")}` : head;
}

/** Takes a frame apart; undefined: none that this build knows, and to be ignored. */
export function readFrame<T extends ToHub | ToRunner>(
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
  const plain = isLines(body) || isAck(body);
  const read = plain ? { success: true as const, data: body as T } : schema.safeParse(body);
  if (!read.success) return undefined;
  return { frame: read.data, lines: end < 0 ? [] : text.slice(end + 1).split("\n") };
}

const sources: ReadonlySet<unknown> = new Set(lineSource.options);

/**
 * The schema of `lines` without flaws, by hand: nearly every frame is one, with facts of hundreds of
 * lines, and the schema looks at each of them. A test holds the two together.
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

/** The other frame that comes again and again. */
export function isAck(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { type, session, seq } = body as Record<string, unknown>;
  return type === "ack" && isId(session) && Number.isSafeInteger(seq) && (seq as number) >= 1;
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value.length > 0 && value.length <= 100;
}
