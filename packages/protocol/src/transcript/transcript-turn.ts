import { isObject, type JsonObject } from "../json.ts";
import { readTexts } from "./user-entries.ts";

/**
 * `none`: nothing was asked. `working`: the model or a tool is at work. `answered`: the model's
 * last message ends the turn. `wrote`: it may do so, but the program did not record why the model
 * stopped, and a call may follow. `interrupted`: a person stopped it.
 */
export type TurnState = "none" | "working" | "wrote" | "answered" | "interrupted";

/** Reasons to stop with which the model goes on, as soon as it has what it asked for. */
const GOES_ON = new Set(["tool_use", "pause_turn"]);

/**
 * The turn of a transcript, which has no line for a turn's end: it ends with the next prompt, when
 * a person interrupts it, or when whoever reads the transcript knows that nothing more comes.
 */
export class TranscriptTurn {
  #state: TurnState = "none";
  #began: number | undefined;
  #last: number | undefined;
  #messages = new Map<string, JsonObject>();
  #failure: string | undefined;

  get state(): TurnState {
    return this.#state;
  }

  note(message: JsonObject, at: number | undefined): void {
    const inner = isObject(message["message"]) ? message["message"] : {};
    if (this.#state === "none") this.#began = at;
    this.#last = at;
    if (message["type"] === "assistant") return this.#noteAssistant(message, inner);
    if (message["type"] !== "user") return;
    const text = readTexts(inner["content"]);
    if (/^\s*\[Request interrupted/.test(text)) this.#state = "interrupted";
    else if (/^\s*<local-command-std/.test(text)) this.#state = "answered";
    else if (message["isSynthetic"] !== true) this.#state = "working";
  }

  #noteAssistant(message: JsonObject, inner: JsonObject): void {
    const { id, usage, stop_reason, content } = inner;
    if (typeof id === "string" && isObject(usage)) this.#messages.set(id, usage);
    if (message["error"] !== undefined) this.#failure = readTexts(content);
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    const calls = blocks.some((block) => block["type"] === "tool_use");
    const goesOn = calls || GOES_ON.has(String(stop_reason));
    const hasText = blocks.some((block) => block["type"] === "text") || typeof content === "string";
    if (goesOn || !hasText) this.#state = "working";
    else this.#state = typeof stop_reason === "string" ? "answered" : "wrote";
  }

  /** A message that is stored already: its turn has an end of its own. */
  skip(_message: JsonObject, lane: string | null): void {
    if (lane === null) this.#reset();
  }

  /** The message with which the program would have reported the end. */
  end(sessionId: string | undefined): JsonObject | undefined {
    if (this.#state === "none") return undefined;
    const [state, failure] = [this.#state, this.#failure];
    const isCutOff = state !== "answered" && state !== "wrote";
    const duration = (this.#last ?? 0) - (this.#began ?? 0);
    const usage = sumUsage([...this.#messages.values()]);
    const result = {
      type: "result",
      subtype: isCutOff ? "error_during_execution" : "success",
      is_error: isCutOff || failure !== undefined,
      ...(isCutOff && { terminal_reason: "aborted" }),
      ...(failure !== undefined && { result: failure }),
      session_id: sessionId ?? "",
      duration_ms: Math.max(0, duration),
      num_turns: this.#messages.size,
      ...(usage && { usage }),
    };
    this.#reset();
    return result;
  }

  #reset(): void {
    this.#state = "none";
    this.#began = this.#last = this.#failure = undefined;
    this.#messages = new Map();
  }
}

function sumUsage(all: readonly JsonObject[]): Record<string, number> | undefined {
  if (all.length === 0) return undefined;
  const names = [
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
  ];
  const sum = (name: string) =>
    all.reduce((total, usage) => {
      const value = usage[name];
      return total + (typeof value === "number" && Number.isFinite(value) ? value : 0);
    }, 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)]));
}
