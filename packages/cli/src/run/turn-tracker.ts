import {
  type Decoded,
  isObject,
  type Message,
  readResultError,
  readResultSessionId,
} from "@signalbox/protocol";

/** After background work has ended the agent may begin a turn of its own within this time. */
const OWN_TURN_MS = 1500;

/** Tells when a run has nothing left to do: a turn may end while work goes on in the background. */
export class TurnTracker {
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

  /** The tools that were refused, by whomever: a person, a rule, a mode. */
  get refused(): string[] {
    const denials = this.#last?.["permission_denials"];
    if (!Array.isArray(denials)) return [];
    return denials.map((denial: unknown) =>
      isObject(denial) ? String(denial["tool_name"]) : String(denial),
    );
  }

  /** Resolves when this request's line has come by, and with it all that was said before it. */
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

/** Why a turn failed, in words for a person: an interrupted one has only a note of 2.1.325's own. */
export function getTurnError(result: Message<"result">): string | undefined {
  const error = readResultError(result);
  return error?.startsWith("[ede_diagnostic]") ? "The turn ended before its answer." : error;
}
