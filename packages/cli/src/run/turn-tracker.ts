import {
  type Decoded,
  type Message,
  readResultError,
  readResultSessionId,
} from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";

/** How long the agent may take to start a turn of its own after background work has ended. */
const OWN_TURN_MS = 1500;

/** Detects when a run has nothing left to do. Background work can continue after the end of a turn. */
export class PrintedTurnTracker {
  readonly finished: Promise<void>;
  readonly #requests = new Map<string, PromiseWithResolvers<void>>();
  #last: Message<"result"> | undefined;
  #background = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #finish: () => void = () => {};

  constructor() {
    this.finished = new Promise((resolve) => (this.#finish = resolve));
  }

  get last(): Message<"result"> | undefined {
    return this.#last;
  }

  get sessionId(): string | undefined {
    return this.#last && readResultSessionId(this.#last);
  }

  get error(): string | undefined {
    return this.#last && getTurnError(this.#last);
  }

  /** The tools that were denied by a person, a rule or a mode. */
  get refused(): string[] {
    const denials = this.#last?.["permission_denials"];
    if (!Array.isArray(denials)) return [];
    return denials.map((denial: unknown) =>
      isObject(denial) ? String(denial["tool_name"]) : String(denial),
    );
  }

  /** Resolves when the line of this request, and so every line before it, has been processed. */
  waitForRequest(requestId: string): Promise<void> {
    return this.#request(requestId).promise;
  }

  onLine(line: Decoded): void {
    if (line.kind !== "known") return;
    const { message } = line;
    if (message.type === "control_request") {
      if (message.request_id !== undefined) this.#request(message.request_id).resolve();
    } else if (message.type === "result") {
      this.#last = message;
      if (this.#background === 0) this.#finish();
    } else if (message.type === "system" && message.subtype === "init") {
      clearTimeout(this.#timer);
    } else if (message.type === "system" && message.subtype === "background_tasks_changed") {
      this.#background = message.tasks.length;
      if (this.#background === 0 && this.#last) this.#timer = setTimeout(this.#finish, OWN_TURN_MS);
    }
  }

  #request(id: string): PromiseWithResolvers<void> {
    const known = this.#requests.get(id) ?? Promise.withResolvers<void>();
    this.#requests.set(id, known);
    return known;
  }
}

/** Why a turn failed, for a person. An interrupted turn of 2.1.325 has only an internal diagnostic. */
export function getTurnError(result: Message<"result">): string | undefined {
  const error = readResultError(result);
  return error?.startsWith("[ede_diagnostic]") ? "The turn ended without an answer." : error;
}
