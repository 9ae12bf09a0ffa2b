import { errorMessage } from "../text/error-message.ts";
import { SignalboxError } from "../errors.ts";
import type { Decoded, Message } from "../messages/decode.ts";
import type { CloseReason } from "../close-reason.ts";
import {
  answerLine,
  cancelLine,
  readAnswer,
  readMalformedRequest,
  ControlRefusal,
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
  | { kind: "malformed-request"; requestId: string; why: string }
  | { kind: "unknown-cancellation"; requestId: string }
  | { kind: "answer-not-sent"; requestId: string; cause: unknown };

export interface IncomingRequest {
  readonly requestId: string;
  /** Aborts when the other side cancels the request, or when the connection ends. */
  readonly signal: AbortSignal;
}
export type RequestHandler = (
  request: Message<"control_request">["request"],
  incoming: IncomingRequest,
) => unknown;

export interface PeerOptions {
  send: (line: string) => Promise<void>;
  /** Handlers by subtype. A request without a handler is refused as `unsupported_request`. */
  handlers?: Record<string, RequestHandler>;
  /** Handles the requests that have no handler of their own. */
  defaultHandler?: RequestHandler;
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

export interface ControlRequestOptions<T = unknown> {
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

type SettledRequest = { subtype: string; how: "answered" | "timed out" | "withdrawn" };

/**
 * One end of the control plane, either the host's or the agent's: both sides can ask and answer.
 * The caller passes in each line it reads. Sending never blocks reading.
 */
export class Peer {
  readonly #send: (line: string) => Promise<void>;
  readonly #handlers: Map<string, RequestHandler>;
  readonly #defaultHandler: RequestHandler | undefined;
  readonly #onStray: (stray: StrayLine) => void;
  readonly #answersWithdrawn: boolean;
  readonly #newId: () => string;
  readonly #pending = new Map<string, Pending>();
  readonly #settledRequests = new RecentMap<SettledRequest>(10_000);
  readonly #abortControllers = new Map<string, AbortController>();
  readonly #answeredIds = new RecentMap<true>(10_000);
  readonly #runningHandlers = new Set<Promise<void>>();
  /** The input has ended. */
  #closeReason: CloseReason | undefined;
  /** The output has ended. */
  #isOutputEnded = false;

  constructor(options: PeerOptions) {
    this.#send = async (line) => options.send(line);
    this.#handlers = new Map(Object.entries(options.handlers ?? {}));
    this.#defaultHandler = options.defaultHandler;
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
    return this.#closeReason !== undefined;
  }

  /** Sends a request to the other side. Rejects when there is no valid answer, with the reason. */
  async request<T>(
    request: { subtype: string },
    options: ControlRequestOptions<T> = {},
  ): Promise<T> {
    const { subtype } = request;
    const { signal, timeoutMs } = options;
    if (this.#closeReason)
      throw new SignalboxError("CONNECTION_CLOSED", { reason: this.#closeReason });
    if (signal?.aborted) throw new SignalboxError("REQUEST_ABORTED", { subtype });

    const requestId = this.#newId();
    // Serialize first: a request that cannot be serialized must not stay in the table of open
    // requests.
    const line = requestLine(requestId, request);
    const result = new Promise<unknown>((resolve, reject) => {
      const abandon = (how: "timed out" | "withdrawn", failure: Error) => {
        this.#settle(requestId, { subtype, how })?.reject(failure);
        this.#post(requestId, cancelLine(requestId));
      };
      const onAbort = () =>
        abandon("withdrawn", new SignalboxError("REQUEST_ABORTED", { subtype }));
      const onTimeout = () =>
        abandon(
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
    return (await result) as T;
  }

  /** Handles a line. Returns at once, even if an answer has to be sent. */
  accept(line: Decoded): LineRole {
    if (line.kind !== "known") return this.#onMalformed(line);
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
  #onMalformed(line: Exclude<Decoded, { kind: "known" }>): LineRole {
    const malformed = readMalformedRequest(line);
    if (!malformed) return "message";
    const { requestId, why } = malformed;
    if (malformed.type === "control_request") {
      if (this.#closeReason || this.#answeredIds.get(requestId)) return "stray";
      this.#reply(requestId, refusalLine(requestId, `a request in a shape we do not know: ${why}`));
      return this.#reportStray({ kind: "malformed-request", requestId, why });
    }
    const subtype = this.#pending.get(requestId)?.subtype ?? "";
    const pending = this.#settle(requestId, { subtype, how: "answered" });
    if (!pending) return this.#onUnawaitedAnswer(requestId);
    pending.reject(new SignalboxError("ANSWER_MALFORMED", { subtype, why }));
    return "answer";
  }

  /** Ends the input: our open requests fail. Requests from the other side are still answered. */
  endInput(reason: CloseReason): void {
    if (this.#closeReason) return;
    this.#closeReason = reason;
    for (const requestId of this.#pending.keys()) {
      const failure = new SignalboxError("CONNECTION_CLOSED", { reason });
      this.#settle(requestId, { subtype: "", how: "withdrawn" })?.reject(failure);
    }
  }

  /** Resolves when every request that is being handled has been answered. */
  async waitUntilAnswered(): Promise<void> {
    await Promise.all(this.#runningHandlers);
  }

  /**
   * The connection has ended: our open requests fail, and handlers that are running are aborted.
   */
  end(reason: CloseReason): void {
    this.endInput(reason);
    this.#isOutputEnded = true;
    for (const handling of this.#abortControllers.values()) handling.abort(reason);
    this.#abortControllers.clear();
  }

  #settle(requestId: string, settled: SettledRequest): Pending | undefined {
    const pending = this.#pending.get(requestId);
    if (!pending) return undefined;
    this.#pending.delete(requestId);
    this.#settledRequests.set(requestId, settled);
    pending.done();
    return pending;
  }

  #onAnswer(message: Message<"control_response">): LineRole {
    const answer = readAnswer(message);
    if (!answer) return this.#reportStray({ kind: "unexpected-answer", requestId: undefined });
    const { requestId } = answer;
    const subtype = this.#pending.get(requestId)?.subtype ?? "";
    const pending = this.#settle(requestId, { subtype, how: "answered" });
    if (!pending) return this.#onUnawaitedAnswer(requestId);
    if (!answer.ok) {
      const { error, unsupported } = answer;
      pending.reject(
        new SignalboxError("REQUEST_REFUSED", { subtype, answer: error, unsupported }),
      );
      return "answer";
    }
    const validationError = pending.check?.safeParse(answer.value).error;
    if (validationError) {
      const why = validationError.issues.map(issueText).join("; ");
      pending.reject(new SignalboxError("ANSWER_MALFORMED", { subtype, why }));
    } else {
      pending.resolve(answer.value);
    }
    return "answer";
  }

  #onUnawaitedAnswer(requestId: string): LineRole {
    if (this.#answeredIds.get(requestId)) return "echo";
    const settled = this.#settledRequests.get(requestId);
    if (!settled) return this.#reportStray({ kind: "unexpected-answer", requestId });
    const { subtype, how } = settled;
    if (how === "answered") return this.#reportStray({ kind: "second-answer", requestId, subtype });
    return this.#reportStray({ kind: "late-answer", requestId, subtype, why: how });
  }

  #onRequest(message: Message<"control_request">): LineRole {
    const { request, request_id: requestId } = message;
    if (requestId === undefined) return "message"; // The request cannot be answered, so it is only reported.
    if (
      this.#closeReason ||
      this.#abortControllers.has(requestId) ||
      this.#answeredIds.get(requestId)
    ) {
      return this.#reportStray({ kind: "repeated-request", requestId });
    }
    const handler = this.#handlers.get(request.subtype) ?? this.#defaultHandler;
    if (!handler) {
      const { message, errorCode } = ControlRefusal.unsupported(request.subtype);
      this.#reply(requestId, refusalLine(requestId, message, errorCode));
      return "request";
    }
    const handling = new AbortController();
    this.#abortControllers.set(requestId, handling);
    const running = this.#handle(handler, request, { requestId, signal: handling.signal });
    this.#runningHandlers.add(running);
    void running.finally(() => this.#runningHandlers.delete(running));
    return "request";
  }

  async #handle(
    handler: RequestHandler,
    request: Parameters<RequestHandler>[0],
    incoming: IncomingRequest,
  ): Promise<void> {
    let reply: string;
    try {
      reply = answerLine(incoming.requestId, await handler(request, incoming));
    } catch (failure) {
      const { errorCode, fields: more } = failure instanceof ControlRefusal ? failure : {};
      reply = refusalLine(incoming.requestId, errorMessage(failure), errorCode, more);
    }
    // A cancelled request is no longer in the table, and nobody waits for its answer.
    if (this.#abortControllers.delete(incoming.requestId)) this.#reply(incoming.requestId, reply);
  }

  #onCancel(requestId: string): LineRole {
    const handling = this.#abortControllers.get(requestId);
    if (!handling) {
      // The request was cancelled after we answered it. The two lines crossed, which is not an
      // error.
      if (this.#answeredIds.get(requestId)) return "cancellation";
      return this.#reportStray({ kind: "unknown-cancellation", requestId });
    }
    if (!this.#answersWithdrawn) {
      this.#abortControllers.delete(requestId);
      this.#answeredIds.set(requestId, true); // Remember the id, so that a repeated request is not handled twice.
    }
    handling.abort();
    return "cancellation";
  }

  #reply(requestId: string, line: string): void {
    this.#answeredIds.set(requestId, true);
    this.#post(requestId, line);
  }

  #post(requestId: string, line: string): void {
    if (this.#isOutputEnded) return;
    this.#send(line).catch((cause: unknown) => {
      this.#onStray({ kind: "answer-not-sent", requestId, cause });
    });
  }

  #reportStray(stray: StrayLine): LineRole {
    this.#onStray(stray);
    return "stray";
  }
}

function issueText({ message, path }: Issue): string {
  return path.length === 0 ? message : `${message} at ${path.map(String).join(".")}`;
}
