import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StoredMessage } from "../agent.ts";
import { toTranscriptBoundary } from "./kept-messages.ts";

/** The fields that every line has beside the message itself. */
interface LineContext {
  readonly sessionId: string;
  readonly cwd: string;
  readonly version: string;
  readonly entrypoint: string;
  readonly gitBranch: string;
}

/** How much of a prompt is stored for lists. */
const LONGEST = 200;

/**
 * Appends to the file of one session. The first line creates the file, which only the current user
 * may read.
 */
export class TranscriptFile {
  readonly path: string;
  readonly #context: LineContext;
  readonly #isKept: boolean;
  /** The id of the subagent, if the file belongs to one. */
  readonly #agentId: string | undefined;
  #descriptor: number | undefined;
  #last: string | null = null;
  /** The next message starts a new branch beside others after the same message. */
  #isNewBranch: boolean;
  #lacking: readonly StoredMessage[];

  constructor(
    path: string,
    context: LineContext,
    options: {
      keep: boolean;
      last?: string;
      agentId?: string;
      isNewBranch?: boolean;
      /** Missing messages, written before the next line, if one is written. */
      lacking?: readonly StoredMessage[];
    },
  ) {
    this.path = path;
    this.#context = context;
    this.#isKept = options.keep;
    this.#agentId = options.agentId;
    this.#last = options.last ?? null;
    this.#isNewBranch = options.isNewBranch ?? false;
    this.#lacking = options.lacking ?? [];
  }

  /**
   * Adds a message of the conversation after the previous one. Messages of subagents are not part
   * of the chain.
   */
  add(message: StoredMessage): void {
    const lacking = this.#lacking;
    this.#lacking = [];
    for (const earlier of lacking) this.add(earlier);
    const uuid = message.uuid ?? crypto.randomUUID();
    const agentId = this.#agentId;
    const isBeside = typeof message["parent_tool_use_id"] === "string";
    const isRoot = message["subtype"] === "compact_boundary";
    const {
      parent_tool_use_id: _,
      session_id: __,
      isReplay: ___,
      tool_use_result: toolUseResult,
      request_id: requestId,
      ...stored
    } = isRoot ? toTranscriptBoundary(message) : message;
    this.write({
      parentUuid: isRoot ? null : this.#last,
      ...(isRoot && { logicalParentUuid: this.#last }),
      isSidechain: isBeside || agentId !== undefined,
      ...(agentId !== undefined && { agentId }),
      userType: "external",
      ...this.#context,
      ...stored,
      ...(requestId !== undefined && { requestId }),
      ...(toolUseResult !== undefined && { toolUseResult }),
      uuid,
      timestamp: stored["timestamp"] ?? new Date().toISOString(),
    });
    if (isBeside) return;
    this.#last = uuid;
    if (this.#isNewBranch) this.#nameBranch(message);
  }

  /**
   * As in Claude Code, readers of the file follow this message instead of the one written before.
   */
  #nameBranch({ message }: StoredMessage): void {
    this.#isNewBranch = false;
    this.nameLast(typeof message?.content === "string" ? message.content : "");
  }

  /** Records the last prompt, for lists of sessions, and the last message of the conversation. */
  nameLast(prompt: string): void {
    if (this.#last === null) return;
    const line = prompt.replaceAll(/\s+/g, " ").trim();
    const lastPrompt = line.length > LONGEST ? `${line.slice(0, LONGEST).trimEnd()}…` : line;
    const { sessionId } = this.#context;
    this.write({ type: "last-prompt", lastPrompt, leafUuid: this.#last, sessionId });
  }

  /** `<session>/subagents/agent-<id>.jsonl` */
  forSubagent(agentId: string): TranscriptFile {
    const folder = this.path.replace(/\.jsonl$/, "");
    const path = join(folder, "subagents", `agent-${agentId}.jsonl`);
    return new TranscriptFile(path, this.#context, { keep: this.#isKept, agentId });
  }

  write(line: object): void {
    if (!this.#isKept) return;
    const descriptor = (this.#descriptor ??= this.#open());
    writeSync(descriptor, `${JSON.stringify(line)}\n`);
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const descriptor = openSync(this.path, "a+", 0o600);
    // An incomplete line left by a crash must not swallow our first line.
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    if (size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a) {
      writeSync(descriptor, "\n");
    }
    return descriptor;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
