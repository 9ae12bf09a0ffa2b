import { SignalboxError } from "../errors.ts";
import type { Decoded, Message } from "../messages/decode.ts";
import type { CloseReason } from "../close-reason.ts";
import {
  answerLine,
  cancelLine,
  failureText,
  readAnswer,
  readMalformedRequest,
  Refusal,
  refusalLine,
  requestLine,
} from "./envelopes.ts";
import { RecentMap } from "./recent-map.ts";

/** What a line is to the control plane. */
export type LineRole =
  | "message" // not a control message
  | "request" // a request from the other side, which a handler is now answering
  | "answer" // the answer to one of our requests
  | "echo" // our own answer, printed back by `--replay-user-messages`
  | "cancellation" // the other side cancels one of its requests
  | "stray"; // an answer to no open request, or a repeated request: reported as stray

export type StrayLine =
  | { kind: "late-answer"; requestId: string; subtype: string; why: "timed out" | "withdrawn" }
  | { kind: "second-answer"; requestId: string; subtype: string }
  | { kind: "unexpected-answer"; requestId: string | undefined }
  | { kind: "repeated-request"; requestId: string }
  | { kind: "misshapen-request"; requestId: string; why: string }
  | { kind: "unknown-cancellation"; requestId: string }
  | { kind: "answer-not-sent"; requestId: string; cause: unknown };

export interface IncomingRequest {
  readonly requestId: string;
  /** Aborts when the other side cancels the request, or when the connection ends. */
  readonly signal: AbortSignal;
}
export type RequestHandler = (
  request: Message<"control_request">["request"],
  asked: IncomingRequest,
) => unknown;

export interface PeerOptions {
  send: (line: string) => Promise<void>;
  /** Handlers by subtype. A request without a handler is refused as `unsupported_request`. */
  handlers?: Record<string, RequestHandler>;
  /** Handles the requests that have no handler of their own. */
  otherwise?: RequestHandler;
  /** Called with control messages that match no request. They have no other effect. */
  onStray?: (stray: StrayLine) => void;
  /**
   * Answer requests even after the other side has cancelled them, as Claude Code does for its host.
   */
  answersWithdrawn?: boolean;
  newId?: () => string;
}

/** Checks a value, for example a zod schema. A value that passes is handed on unchanged. */
export interface AnswerSchema<T = unknown> {
  safeParse(value: unknown): { data?: T; error?: { issues: readonly Issue[] } | undefined };
}
interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

export interface RequestOptions<T = unknown> {
  /** Cancels the request: the other side gets `control_cancel_request`. */
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Checks the answer. The answer itself is handed on unchanged. */
  answer?: AnswerSchema<T>;
}

interface Pending {
  subtype: string;
  resolve: (value: unknown) => void;
  reject: (failure: Error) => void;
  check: AnswerSchema | undefined;
  done: () => void;
}

type Settled = { subtype: string; how: "answered" | "timed out" | "withdrawn" };

/**
 * One end of the control plane, either the host's or the agent's: both sides can ask and answer.
 * The caller passes in each line it reads. Sending never blocks reading.
 */
export class Peer {
  readonly #send: (line: string) => Promise<void>;
  readonly #handlers: Map<string, RequestHandler>;
  readonly #otherwise: RequestHandler | undefined;
  readonly #onStray: (stray: StrayLine) => void;
  readonly #answersWithdrawn: boolean;
  readonly #newId: () => string;
  readonly #pending = new Map<string, Pending>();
  readonly #settled = new RecentMap<Settled>(10_000);
  readonly #handling = new Map<string, AbortController>();
  readonly #answered = new RecentMap<true>(10_000);
  readonly #answering = new Set<Promise<void>>();
  /** The input has ended. */
  #over: CloseReason | undefined;
  /** The output has ended. */
  #isGone = false;

  constructor(options: PeerOptions) {
    this.#send = async (line) => options.send(line);
    this.#handlers = new Map(Object.entries(options.handlers ?? {}));
    this.#otherwise = options.otherwise;
    this.#onStray = (stray) => {
      try {
        options.onStray?.(stray);
      } catch {
        // An error in a listener must not end the reading.
      }
    };
    this.#answersWithdrawn = options.answersWithdrawn ?? false;
    this.#newId = options.newId ?? (() => crypto.randomUUID());
  }

  /** How many of our requests wait for an answer. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** The input has ended, so nobody could answer. */
  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /** Sends a request to the other side. Rejects when there is no valid answer, with the reason. */
  async request<T>(request: { subtype: string }, options: RequestOptions<T> = {}): Promise<T> {
    const { subtype } = request;
    const { signal, timeoutMs } = options;
    if (this.#over) throw new SignalboxError("CONNECTION_CLOSED", { reason: this.#over });
    if (signal?.aborted) throw new SignalboxError("REQUEST_ABORTED", { subtype });

    const requestId = this.#newId();
    // Serialize first: a request that cannot be serialized must not stay in the table of open
    // requests.
    const line = requestLine(requestId, request);
    const answered = new Promise<unknown>((resolve, reject) => {
      const giveUp = (how: "timed out" | "withdrawn", failure: Error) => {
        this.#settle(requestId, { subtype, how })?.reject(failure);
        this.#post(requestId, cancelLine(requestId));
      };
      const onAbort = () => giveUp("withdrawn", new SignalboxError("REQUEST_ABORTED", { subtype }));
      const onTimeout = () =>
        giveUp(
          "timed out",
          new SignalboxError("REQUEST_TIMED_OUT", { subtype, timeoutMs: timeoutMs ?? 0 }),
        );
      const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      this.#pending.set(requestId, { subtype, resolve, reject, check: options.answer, done });
    });
    this.#send(line).catch((failure: unknown) => {
      const cause = failure instanceof Error ? failure : new Error(String(failure));
      this.#settle(requestId, { subtype, how: "withdrawn" })?.reject(cause);
    });
    return (await answered) as T;
  }

  /** Handles a line. Returns at once, even if an answer has to be sent. */
  accept(line: Decoded): LineRole {
    if (line.kind !== "known") return this.#onMisshapen(line);
    switch (line.message.type) {
      case "control_response":
        return this.#onAnswer(line.message);
      case "control_request":
        return this.#onRequest(line.message);
      case "control_cancel_request":
        return this.#onCancel(line.message.request_id);
      default:
        return "message";
    }
  }

  /** We cannot read the request, but the other side waits for an answer: refuse it. */
  #onMisshapen(line: Exclude<Decoded, { kind: "known" }>): LineRole {
    const misshapen = readMalformedRequest(line);
    if (!misshapen) return "message";
    const { requestId, why } = misshapen;
    if (misshapen.type === "control_request") {
      if (this.#over || this.#answered.get(requestId)) return "stray";
      this.#reply(requestId, refusalLine(requestId, `a request in a shape we do not know: ${why}`));
      return this.#stray({ kind: "misshapen-request", requestId, why });
    }
    const subtype = this.#pending.get(requestId)?.subtype ?? "";
    const pending = this.#settle(requestId, { subtype, how: "answered" });
    if (!pending) return this.#onUnawaitedAnswer(requestId);
    pending.reject(new SignalboxError("ANSWER_MISSHAPEN", { subtype, why }));
    return "answer";
  }

  /** Ends the input: our open requests fail. Requests from the other side are still answered. */
  endInput(reason: CloseReason): void {
    if (this.#over) return;
    this.#over = reason;
    for (const requestId of this.#pending.keys()) {
      const failure = new SignalboxError("CONNECTION_CLOSED", { reason });
      this.#settle(requestId, { subtype: "", how: "withdrawn" })?.reject(failure);
    }
  }

  /** Resolves when every request that is being handled has been answered. */
  async answered(): Promise<void> {
    await Promise.all(this.#answering);
  }

  /**
   * The connection has ended: our open requests fail, and handlers that are running are aborted.
   */
  end(reason: CloseReason): void {
    this.endInput(reason);
    this.#isGone = true;
    for (const handling of this.#handling.values()) handling.abort(reason);
    this.#handling.clear();
  }

  #settle(requestId: string, settled: Settled): Pending | undefined {
    const pending = this.#pending.get(requestId);
    if (!pending) return undefined;
    this.#pending.delete(requestId);
    this.#settled.set(requestId, settled);
    pending.done();
    return pending;
  }

  #onAnswer(message: Message<"control_response">): LineRole {
    const answer = readAnswer(message);
    if (!answer) return this.#stray({ kind: "unexpected-answer", requestId: undefined });
    const { requestId } = answer;
    const subtype = this.#pending.get(requestId)?.subtype ?? "";
    const pending = this.#settle(requestId, { subtype, how: "answered" });
    if (!pending) return this.#onUnawaitedAnswer(requestId);
    if (!answer.ok) {
      const { error: said, unsupported } = answer;
      pending.reject(new SignalboxError("REQUEST_REFUSED", { subtype, said, unsupported }));
      return "answer";
    }
    const misfit = pending.check?.safeParse(answer.value).error;
    if (misfit) {
      const why = misfit.issues.map(issueText).join("; ");
      pending.reject(new SignalboxError("ANSWER_MISSHAPEN", { subtype, why }));
    } else {
      pending.resolve(answer.value);
    }
    return "answer";
  }

  #onUnawaitedAnswer(requestId: string): LineRole {
    if (this.#answered.get(requestId)) return "echo";
    const settled = this.#settled.get(requestId);
    if (!settled) return this.#stray({ kind: "unexpected-answer", requestId });
    const { subtype, how } = settled;
    if (how === "answered") return this.#stray({ kind: "second-answer", requestId, subtype });
    return this.#stray({ kind: "late-answer", requestId, subtype, why: how });
  }

  #onRequest(message: Message<"control_request">): LineRole {
    const { request, request_id: requestId } = message;
    if (requestId === undefined) return "message"; // The request cannot be answered, so it is only reported.
    if (this.#over || this.#handling.has(requestId) || this.#answered.get(requestId)) {
      return this.#stray({ kind: "repeated-request", requestId });
    }
    const handler = this.#handlers.get(request.subtype) ?? this.#otherwise;
    if (!handler) {
      const { message, errorCode } = Refusal.unsupported(request.subtype);
      this.#reply(requestId, refusalLine(requestId, message, errorCode));
      return "request";
    }
    const handling = new AbortController();
    this.#handling.set(requestId, handling);
    const answering = this.#handle(handler, request, { requestId, signal: handling.signal });
    this.#answering.add(answering);
    void answering.finally(() => this.#answering.delete(answering));
    return "request";
  }

  async #handle(
    handler: RequestHandler,
    request: Parameters<RequestHandler>[0],
    asked: IncomingRequest,
  ): Promise<void> {
    let reply: string;
    try {
      reply = answerLine(asked.requestId, await handler(request, asked));
    } catch (failure) {
      const { errorCode, more } = failure instanceof Refusal ? failure : {};
      reply = refusalLine(asked.requestId, failureText(failure), errorCode, more);
    }
    // A cancelled request is no longer in the table, and nobody waits for its answer.
    if (this.#handling.delete(asked.requestId)) this.#reply(asked.requestId, reply);
  }

  #onCancel(requestId: string): LineRole {
    const handling = this.#handling.get(requestId);
    if (!handling) {
      // The request was cancelled after we answered it. The two lines crossed, which is not an
      // error.
      if (this.#answered.get(requestId)) return "cancellation";
      return this.#stray({ kind: "unknown-cancellation", requestId });
    }
    if (!this.#answersWithdrawn) {
      this.#handling.delete(requestId);
      this.#answered.set(requestId, true); // Remember the id, so that a repeated request is not handled twice.
    }
    handling.abort();
    return "cancellation";
  }

  #reply(requestId: string, line: string): void {
    this.#answered.set(requestId, true);
    this.#post(requestId, line);
  }

  #post(requestId: string, line: string): void {
    if (this.#isGone) return;
    this.#send(line).catch((cause: unknown) => {
      this.#onStray({ kind: "answer-not-sent", requestId, cause });
    });
  }

  #stray(stray: StrayLine): LineRole {
    this.#onStray(stray);
    return "stray";
  }
}

function issueText({ message, path }: Issue): string {
  return path.length === 0 ? message : `${message} at ${path.map(String).join(".")}`;
}
