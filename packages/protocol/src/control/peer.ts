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

/** What a line was to the control plane. */
export type LineRole =
  | "message" // nothing of the control plane's
  | "request" // the other side asks, and a handler is on it
  | "answer" // settles a request of ours
  | "echo" // our own answer, printed back by `--replay-user-messages`
  | "cancellation" // the other side withdraws a request
  | "stray"; // an answer nobody waits for, a repeated request: reported

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
  /** Aborts when the other side withdraws the request, or the connection ends. */
  readonly signal: AbortSignal;
}
export type RequestHandler = (
  request: Message<"control_request">["request"],
  asked: IncomingRequest,
) => unknown;

export interface PeerOptions {
  send: (line: string) => Promise<void>;
  /** By subtype. A request nobody handles is refused as `unsupported_request`. */
  handlers?: Record<string, RequestHandler>;
  /** Gets the requests that have no handler of their own. */
  otherwise?: RequestHandler;
  /** Told of answers and requests that fit nothing; they change nothing else. */
  onStray?: (stray: StrayLine) => void;
  /** What the other side withdraws is answered all the same, as Claude Code answers its host. */
  answersWithdrawn?: boolean;
  newId?: () => string;
}

/** Checks a value; schemas of zod are such. What they take is handed on as it came. */
export interface AnswerSchema<T = unknown> {
  safeParse(value: unknown): { data?: T; error?: { issues: readonly Issue[] } | undefined };
}
interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

export interface RequestOptions<T = unknown> {
  /** Withdraws the request: the other side is told with `control_cancel_request`. */
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Checks the answer. The answer itself is handed on as it came. */
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
 * One end of the control plane, the host's or the agent's: both ask and both answer. It is fed the
 * lines as they are read and never makes reading wait: what it sends goes out beside the reading.
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
  /** Nothing more comes in. */
  #over: CloseReason | undefined;
  /** Nothing more goes out. */
  #isGone = false;

  constructor(options: PeerOptions) {
    this.#send = async (line) => options.send(line);
    this.#handlers = new Map(Object.entries(options.handlers ?? {}));
    this.#otherwise = options.otherwise;
    this.#onStray = (stray) => {
      try {
        options.onStray?.(stray);
      } catch {
        // Reading must not end because a listener does.
      }
    };
    this.#answersWithdrawn = options.answersWithdrawn ?? false;
    this.#newId = options.newId ?? (() => crypto.randomUUID());
  }

  /** How many requests of ours wait for an answer. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Nothing more comes in: nobody could answer. */
  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /** Asks the other side. Rejects with what happened instead of an answer. */
  async request<T>(request: { subtype: string }, options: RequestOptions<T> = {}): Promise<T> {
    const { subtype } = request;
    const { signal, timeoutMs } = options;
    if (this.#over) throw new SignalboxError("CONNECTION_CLOSED", { reason: this.#over });
    if (signal?.aborted) throw new SignalboxError("REQUEST_ABORTED", { subtype });

    const requestId = this.#newId();
    const line = requestLine(requestId, request); // first: what cannot be said is never waited for
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

  /** Takes note of a line. Returns at once, whatever has to be sent. */
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

  /** The other side would wait for ever for an answer to a request that we cannot read: it is refused. */
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

  /** Nothing more comes in: settles what waits. What the other side asked before is still answered. */
  endInput(reason: CloseReason): void {
    if (this.#over) return;
    this.#over = reason;
    for (const requestId of this.#pending.keys()) {
      const failure = new SignalboxError("CONNECTION_CLOSED", { reason });
      this.#settle(requestId, { subtype: "", how: "withdrawn" })?.reject(failure);
    }
  }

  /** When every request that is being handled has its answer. */
  async answered(): Promise<void> {
    await Promise.all(this.#answering);
  }

  /** The connection is over: settles what waits, aborts what is being handled. */
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
    if (requestId === undefined) return "message"; // cannot be answered, so it is only passed on
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
    // A withdrawn request is no longer in the table: its answer would be one nobody waits for.
    if (this.#handling.delete(asked.requestId)) this.#reply(asked.requestId, reply);
  }

  #onCancel(requestId: string): LineRole {
    const handling = this.#handling.get(requestId);
    if (!handling) {
      // Withdrawn after we answered: the two crossed on the wire, and nothing is wrong.
      if (this.#answered.get(requestId)) return "cancellation";
      return this.#stray({ kind: "unknown-cancellation", requestId });
    }
    if (!this.#answersWithdrawn) {
      this.#handling.delete(requestId);
      this.#answered.set(requestId, true); // a repeat of it must not be asked again
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
