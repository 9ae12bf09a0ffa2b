import { type Line, lineText } from "../framing/line.ts";
import { isObject, type JsonObject } from "../json.ts";
import { formatLogMarker } from "../messages/log-markers.ts";
import { convertAttachment } from "./attachments.ts";
import { isBookkeeping, isQuietNote } from "./entry-kinds.ts";
import { splitEntries } from "./split-entries.ts";
import type { TranscriptLine, TranscriptProblem } from "./transcript-line.ts";
import { TranscriptTurn, type TurnState } from "./transcript-turn.ts";
import { convertUser, isCaveat, isPrompt, isReport } from "./user-entries.ts";

/** A subagent's transcript belongs in front of the result of the call that started it. */
export interface SubagentReference {
  readonly agentId: string;
  readonly callId: string;
}

export interface ConvertedLine {
  readonly lines: readonly TranscriptLine[];
  /** The subagents whose results come with this line. */
  readonly subagents: readonly SubagentReference[];
}

export interface ConverterOptions {
  /** Whether a message is stored already, because we ran its session ourselves. */
  readonly isStored?: (uuid: string) => boolean;
  readonly onProblem?: (problem: TranscriptProblem) => void;
  /** Times after this one are not believed. */
  readonly now?: () => number;
}

/** A clock may be wrong by this much. */
const CLOCK_TOLERANCE_MS = 24 * 60 * 60 * 1000;

/**
 * Makes of a transcript of Claude Code the lines that it would have printed, which the timeline
 * understands. A transcript is a tree: entries name their parent. It is converted in the order in
 * which it was written; where the conversation continues from an earlier message, a marker says so,
 * and what was written after that message stays in the log as a branch that was left.
 *
 * Nothing in a transcript is trusted: only entries of a conversation become messages, and all
 * others are wrapped, so that none can pass for a request or a marker.
 */
export class TranscriptConverter {
  readonly #options: ConverterOptions;
  readonly #turn = new TranscriptTurn();
  /** In which turn each message of the main conversation was written. */
  readonly #turns = new Map<string, number>();
  /** The messages of each subagent, by the uuid of any of its entries, in transcripts without files for them. */
  readonly #lanes = new Map<string, string>();
  /** The calls of subagents by their prompts, for the same transcripts. */
  readonly #prompts = new Map<string, string>();
  readonly #seen = new Set<string>();
  #turnNumber = 0;
  #at: number | undefined;
  #session: { id?: string; cwd?: string; version?: string; model?: string; mode?: string } = {};
  #title: string | undefined;

  constructor(options: ConverterOptions = {}) {
    this.#options = options;
  }

  /** Whether the model works, or has given its last answer: then the turn can be ended. */
  get turn(): TurnState {
    return this.#turn.state;
  }
  /** The title that a person or Claude Code gave the session. */
  get title(): string | undefined {
    return this.#title;
  }
  get sessionId(): string | undefined {
    return this.#session.id;
  }
  get cwd(): string | undefined {
    return this.#session.cwd;
  }

  /** Whether this message was converted. */
  hasSeen(uuid: string): boolean {
    return this.#seen.has(uuid) || this.#options.isStored?.(uuid) === true;
  }

  /** Converts a line of the session's own transcript, or of a subagent's: then `lane` is its call. */
  convert(line: Line, lane: string | null = null): ConvertedLine {
    const lines: TranscriptLine[] = [];
    const subagents: SubagentReference[] = [];
    const pieces = typeof line === "string" ? splitEntries(line) : undefined;
    if (!pieces) this.#report({ kind: "cut" });
    else if (pieces.length > 1) this.#report({ kind: "glued" });
    for (const piece of pieces ?? [{ noise: lineText(line) }]) {
      if ("entry" in piece) this.#convertEntry(piece.entry, lane, lines, subagents);
      else {
        if (pieces) this.#report({ kind: "torn" });
        // An object would be read as a message, so damaged text is never passed on as one.
        const noise: Line = pieces ? piece.noise : line;
        lines.push(this.#stamp({ from: "agent", line: noise }));
      }
    }
    return { lines, subagents };
  }

  /** Ends the turn, if there is one: nothing more is expected, or the program has ended. */
  endTurn(): TranscriptLine[] {
    const result = this.#turn.end(this.#session.id);
    return result ? [this.#stamp({ from: "agent", line: JSON.stringify(result) })] : [];
  }

  #convertEntry(
    entry: JsonObject,
    lane: string | null,
    lines: TranscriptLine[],
    subagents: SubagentReference[],
  ): void {
    this.#readFacts(entry, lane);
    const { type } = entry;
    const uuid = typeof entry["uuid"] === "string" ? entry["uuid"] : undefined;
    if (uuid !== undefined && this.#seen.has(uuid)) return this.#report({ kind: "repeated", uuid });
    if (uuid !== undefined) this.#seen.add(uuid);
    const isSidechain = lane !== null || entry["isSidechain"] === true;
    const inLane = isSidechain ? (lane ?? this.#findLane(entry, uuid)) : null;
    const message = this.#toMessage(entry, inLane);
    const begins = message !== undefined && inLane === null && isPrompt(message);
    if (begins) {
      lines.push(...this.endTurn());
      this.#noteBranch(entry, uuid, lines);
      this.#turnNumber++;
    }
    if (inLane === null && uuid !== undefined) this.#turns.set(uuid, this.#turnNumber);
    if (message === undefined) return this.#wrap(entry, type, lines);
    // The report of a task begins a turn of its own, unless the model is at work. A compaction that
    // was asked for comes after the turn, too.
    const hasAnswered = this.turn === "answered" || this.turn === "wrote";
    const comesAfter = isReport(message) || message["subtype"] === "compact_boundary";
    if (inLane === null && comesAfter && hasAnswered) {
      lines.push(...this.endTurn());
    }
    this.#noteSubagents(entry, message, inLane, subagents);
    // A prompt that was queued has a uuid of its own beside that of its entry.
    const shownUuid = textOr(message["uuid"], uuid ?? "");
    if (shownUuid !== "" && this.#options.isStored?.(shownUuid) === true)
      return this.#turn.skip(message, inLane);
    lines.push(this.#stamp({ from: "agent", line: JSON.stringify(message) }));
    if (inLane !== null) return;
    if (begins) lines.push(this.#begin());
    this.#turn.note(message, this.#at);
    if (this.#turn.state === "interrupted") lines.push(...this.endTurn());
  }

  /** The message that Claude Code prints for this entry; undefined if it prints none. */
  #toMessage(entry: JsonObject, lane: string | null): JsonObject | undefined {
    const common = { parent_tool_use_id: lane, session_id: this.#session.id ?? "" };
    switch (entry["type"]) {
      case "user":
        return isObject(entry["message"]) ? convertUser(entry, common) : undefined;
      case "assistant": {
        if (!isObject(entry["message"])) return undefined;
        const error =
          entry["isApiErrorMessage"] === true ? { error: textOr(entry["error"], "api_error") } : {};
        return { ...entry, ...common, ...error };
      }
      case "attachment":
        return convertAttachment(entry, common);
      case "system":
        return convertSystem(entry, common);
      default:
        return undefined;
    }
  }

  /** Keeps an entry that is no message. Its type is inside, where nothing acts on it. */
  #wrap(entry: JsonObject, type: unknown, lines: TranscriptLine[]): void {
    const name = typeof type === "string" ? type : "none";
    const isKnown =
      name === "system"
        ? isQuietNote(String(entry["subtype"]))
        : isBookkeeping(name) || (name === "user" && isCaveat(entry));
    if (!isKnown) this.#report({ kind: "foreign" });
    const { uuid } = entry;
    const isStored = typeof uuid === "string" && this.#options.isStored?.(uuid) === true;
    if (isStored) return;
    const wrapped = { type: isKnown ? "transcript_entry" : `transcript/${name}`, entry };
    lines.push(this.#stamp({ from: "agent", line: JSON.stringify(wrapped) }));
  }

  #begin(): TranscriptLine {
    const { id, cwd, version, model, mode } = this.#session;
    const init = {
      type: "system",
      subtype: "init",
      session_id: id ?? "",
      ...(cwd !== undefined && { cwd }),
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { permissionMode: mode }),
      ...(version !== undefined && { claude_code_version: version }),
    };
    return this.#stamp({ from: "agent", line: JSON.stringify(init) });
  }

  /** A prompt that continues from an earlier message leaves a branch behind. */
  #noteBranch(entry: JsonObject, uuid: string | undefined, lines: TranscriptLine[]): void {
    const parent = entry["parentUuid"];
    if (typeof parent !== "string") {
      const isFirst = this.#turnNumber === 0;
      if (isFirst || typeof entry["logicalParentUuid"] === "string") return;
      lines.push(this.#markBranch(null));
      return;
    }
    const turn = this.#turns.get(parent);
    if (turn === undefined) {
      const isFirst = this.#turnNumber === 0;
      if (!isFirst) this.#report({ kind: "orphan", ...(uuid !== undefined && { uuid }) });
      return;
    }
    if (turn < this.#turnNumber) lines.push(this.#markBranch(parent));
  }

  #markBranch(parent: string | null): TranscriptLine {
    const text =
      parent === null
        ? "The conversation was begun again. What was written before is a branch that was left."
        : "The conversation continues from an earlier message. What was written after it is a branch that was left.";
    const marker = formatLogMarker("remark", { level: "info", text, rewoundTo: parent });
    return this.#stamp({ from: "keeper", line: marker });
  }

  /** In transcripts without files for subagents their entries stand between the others. */
  #findLane(entry: JsonObject, uuid: string | undefined): string {
    const parent = entry["parentUuid"];
    const known = typeof parent === "string" ? this.#lanes.get(parent) : undefined;
    const message = isObject(entry["message"]) ? entry["message"] : {};
    const prompt = typeof message["content"] === "string" ? message["content"] : undefined;
    const called = prompt === undefined ? undefined : this.#prompts.get(prompt);
    const lane = known ?? called ?? `sidechain-${textOr(entry["agentId"], uuid ?? "unknown")}`;
    if (uuid !== undefined) this.#lanes.set(uuid, lane);
    return lane;
  }

  #noteSubagents(
    entry: JsonObject,
    message: JsonObject,
    lane: string | null,
    subagents: SubagentReference[],
  ): void {
    const result = entry["toolUseResult"];
    for (const block of readBlocks(message)) {
      if (block["type"] === "tool_use" && isObject(block["input"])) {
        const { prompt } = block["input"];
        if (lane === null && typeof prompt === "string" && typeof block["id"] === "string") {
          this.#prompts.set(prompt, block["id"]);
        }
      }
      if (block["type"] !== "tool_result" || !isObject(result)) continue;
      const { agentId } = result;
      const callId = block["tool_use_id"];
      if (typeof agentId === "string" && typeof callId === "string") {
        subagents.push({ agentId, callId });
      }
    }
  }

  #readFacts(entry: JsonObject, lane: string | null): void {
    const at = typeof entry["timestamp"] === "string" ? Date.parse(entry["timestamp"]) : Number.NaN;
    const latest = (this.#options.now?.() ?? Number.POSITIVE_INFINITY) + CLOCK_TOLERANCE_MS;
    if (at > latest) this.#report({ kind: "clock" });
    else if (!Number.isNaN(at)) this.#at = at;
    if (lane !== null || entry["isSidechain"] === true) return;
    const { sessionId, cwd, version, permissionMode, customTitle, aiTitle, summary } = entry;
    if (typeof sessionId === "string") this.#session.id = sessionId;
    if (typeof cwd === "string") this.#session.cwd = cwd;
    if (typeof version === "string") this.#session.version = version;
    if (typeof permissionMode === "string") this.#session.mode = permissionMode;
    const message = isObject(entry["message"]) ? entry["message"] : {};
    const { model } = message;
    if (typeof model === "string" && model !== "<synthetic>") this.#session.model = model;
    const title = customTitle ?? aiTitle ?? (entry["type"] === "summary" ? summary : undefined);
    if (typeof title === "string" && title !== "") this.#title = title;
  }

  #stamp(line: TranscriptLine): TranscriptLine {
    return this.#at === undefined ? line : { ...line, at: this.#at };
  }

  #report(problem: TranscriptProblem): void {
    this.#options.onProblem?.(problem);
  }
}

/** The notes of the program that it also prints, in the spelling in which it prints them. */
function convertSystem(entry: JsonObject, common: JsonObject): JsonObject | undefined {
  const { subtype, content } = entry;
  if (subtype === "compact_boundary") {
    const about = isObject(entry["compactMetadata"]) ? entry["compactMetadata"] : {};
    const { trigger, preTokens, postTokens } = about;
    const compact_metadata = { trigger, pre_tokens: preTokens, post_tokens: postTokens };
    return { ...entry, ...common, compact_metadata };
  }
  if (subtype === "api_error") {
    const { retryAttempt, maxRetries, retryInMs, error } = entry;
    const status = isObject(error) ? error["status"] : undefined;
    const retry = {
      ...(typeof retryAttempt === "number" && { attempt: retryAttempt }),
      ...(typeof maxRetries === "number" && { max_retries: maxRetries }),
      ...(typeof retryInMs === "number" && { retry_delay_ms: retryInMs }),
      error_status: typeof status === "number" ? status : null,
    };
    return { type: "system", subtype: "api_retry", uuid: entry["uuid"], ...common, ...retry };
  }
  if (typeof content !== "string") return undefined;
  // The output of a command is printed in the user's name by versions before 2.1.325.
  if (subtype === "local_command") {
    const message = { role: "user", content };
    return { type: "user", uuid: entry["uuid"], isReplay: true, ...common, message };
  }
  if (subtype === "informational") return { ...entry, ...common };
  return undefined;
}

function readBlocks(message: JsonObject): JsonObject[] {
  const inner = isObject(message["message"]) ? message["message"] : {};
  const { content } = inner;
  return Array.isArray(content) ? content.filter(isObject) : [];
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
