/** Why the model gave no answer, as far as it can be told. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly status: number | undefined;
  /** The API's own word: `overloaded_error`, `permission_error` … */
  readonly type: string | undefined;
  readonly said: string;
  readonly retryAfterMs: number | undefined;
  /** The API's name for the request that failed. */
  readonly requestId: string | undefined;
  /** The API never saw the request. */
  readonly isUnsent: boolean;

  constructor(failure: {
    status?: number | undefined;
    type?: string | undefined;
    said: string;
    retryAfterMs?: number | undefined;
    requestId?: string | undefined;
    isUnsent?: boolean;
    cause?: unknown;
  }) {
    super(failure.said, { cause: failure.cause });
    this.status = failure.status;
    this.type = failure.type;
    this.said = failure.said;
    this.retryAfterMs = failure.retryAfterMs;
    this.requestId = failure.requestId;
    this.isUnsent = failure.isUnsent ?? false;
  }

  /** Nothing to send a request with: none is sent. */
  static notLoggedIn(): ModelFailure {
    return new ModelFailure({ said: "Not logged in · Please run /login", isUnsent: true });
  }
}

/** Reads what the SDK throws, without loading it. */
export function failureOf(cause: unknown): ModelFailure {
  if (cause instanceof ModelFailure) return cause;
  const { status, error, headers, message } = (cause ?? {}) as {
    status?: number;
    error?: { error?: { type?: string; message?: string } };
    headers?: { get?(name: string): string | null };
    message?: string;
  };
  const inner = error?.error;
  const after = Number(headers?.get?.("retry-after") ?? Number.NaN);
  return new ModelFailure({
    status: typeof status === "number" ? status : undefined,
    type: inner?.type,
    said: inner?.message ?? message ?? "the model cannot be reached",
    retryAfterMs: Number.isFinite(after) ? after * 1000 : undefined,
    requestId: headers?.get?.("request-id") ?? undefined,
    cause,
  });
}

/** An `error` event in the middle of a stream. */
export function failureInStream(event: { [field: string]: unknown }): ModelFailure {
  const { type, message } = (event["error"] ?? {}) as { type?: string; message?: string };
  const status = type === "overloaded_error" ? 529 : 500;
  return new ModelFailure({ status, type, said: message ?? "the stream ended with an error" });
}

/** Overload, limits and losses of the line pass; a wrong request is tried once more at most. */
export function isRetried({ status, isUnsent }: ModelFailure, attempt: number): boolean {
  if (isUnsent) return false;
  if (status === undefined || status === 401 || status === 408 || status === 409) return true;
  if (status === 429 || status >= 500) return true;
  return (status === 400 || status === 404) && attempt === 1;
}

/** Wrong requests are repeated without a word. */
export function isSilent({ status }: ModelFailure): boolean {
  return status === 400 || status === 404;
}

export function retryDelayMs(attempt: number, { retryAfterMs }: ModelFailure): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  const base = Math.min(500 * 2 ** (attempt - 1), 32_000);
  return Math.round(base + Math.random() * 0.25 * base);
}

export function isOverloaded({ status, type }: ModelFailure): boolean {
  return type === "overloaded_error" || status === 529;
}

/** One word for a failure, as hosts know them. */
export function errorWord(failure: ModelFailure): string {
  return isOverloaded(failure) ? "overloaded" : failureWord(failure);
}

/** The same for the message that stands in an answer's place. */
export function failureWord({ status, isUnsent }: ModelFailure): string {
  if (isUnsent || status === 401 || status === 403) return "authentication_failed";
  if (status === 402) return "billing_error";
  if (status === 429) return "rate_limit";
  if (status === 400 || status === 404 || status === 413) return "invalid_request";
  if (status !== undefined && status >= 500) return "server_error";
  return "unknown";
}

export function isTooLong({ status, said }: ModelFailure): boolean {
  return (status === 400 || status === 413) && /prompt is too long/i.test(said);
}

/** What a person reads. */
export function failureText(failure: ModelFailure): string {
  const { status, said, isUnsent } = failure;
  if (isUnsent) return said;
  if (isTooLong(failure)) return "Prompt is too long";
  if (status === undefined) return `API Error: ${said}`;
  const text = `API Error: ${status} ${said}`;
  return status === 401 || status === 403 ? `Failed to authenticate. ${text}` : text;
}
