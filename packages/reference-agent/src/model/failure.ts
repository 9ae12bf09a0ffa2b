import { errorMessage } from "@signalbox/protocol/text";
import { knownRefusal } from "./known-refusals.ts";

/** Why the model gave no answer, as far as it is known. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly status: number | undefined;
  /** The API's error type: `overloaded_error`, `permission_error` … */
  readonly type: string | undefined;
  readonly apiText: string;
  readonly retryAfterMs: number | undefined;
  /** The API's id of the failed request. */
  readonly requestId: string | undefined;
  /** The API never received the request. */
  readonly isUnsent: boolean;
  /** The system's error code for a failed connection: `ECONNREFUSED` … */
  readonly code: string | undefined;
  /** The last of several failures of the same kind, which is not retried. */
  readonly isRepeated: boolean;
  /** A fault of the agent or the settings, which a retry does not fix. */
  readonly isLasting: boolean;
  /** Answers repeatedly reached their length limit. */
  readonly isOverLimit: boolean;

  constructor(failure: {
    status?: number | undefined;
    type?: string | undefined;
    apiText: string;
    retryAfterMs?: number | undefined;
    requestId?: string | undefined;
    isUnsent?: boolean;
    code?: string | undefined;
    isRepeated?: boolean;
    isLasting?: boolean;
    isOverLimit?: boolean;
    cause?: unknown;
  }) {
    super(failure.apiText, { cause: failure.cause });
    this.status = failure.status;
    this.type = failure.type;
    this.apiText = failure.apiText;
    this.retryAfterMs = failure.retryAfterMs;
    this.requestId = failure.requestId;
    this.isUnsent = failure.isUnsent ?? false;
    this.code = failure.code;
    this.isRepeated = failure.isRepeated ?? false;
    this.isLasting = failure.isLasting ?? false;
    this.isOverLimit = failure.isOverLimit ?? false;
  }

  asRepeated(): ModelFailure {
    const { status, type, apiText, retryAfterMs, requestId, cause } = this;
    const isRepeated = true;
    return new ModelFailure({ status, type, apiText, retryAfterMs, requestId, cause, isRepeated });
  }

  /** Creates the failure for a missing credential, without which nothing is sent. */
  static notLoggedIn(): ModelFailure {
    return new ModelFailure({ apiText: "Not logged in · Please run /login", isUnsent: true });
  }

  static overLimit(maxTokens: number): ModelFailure {
    const limitText = `Claude's response exceeded the ${maxTokens} output token maximum. To configure this behavior, set the CLAUDE_CODE_MAX_OUTPUT_TOKENS environment variable.`;
    return new ModelFailure({ apiText: limitText, isOverLimit: true });
  }

  /** Creates the failure for an SDK that cannot be loaded. */
  static notLoaded(cause: unknown): ModelFailure {
    const why = errorMessage(cause);
    const loadFailure = `What speaks to the model could not be loaded: ${why}`;
    return new ModelFailure({ apiText: loadFailure, isLasting: true, cause });
  }
}

/** Converts an error of the SDK without loading the SDK. */
export function getFailure(cause: unknown): ModelFailure {
  if (cause instanceof ModelFailure) return cause;
  const { status, error, headers, message } = (cause ?? {}) as {
    status?: number;
    error?: { error?: { type?: string; message?: string } };
    headers?: { get?(name: string): string | null };
    message?: string;
  };
  const inner = error?.error;
  const code = typeof status === "number" ? undefined : getCode(cause);
  const isNoHeader = status === undefined && INVALID_HEADER.test(message ?? "");
  // The address is not valid.
  const isLasting = isNoHeader || (code?.startsWith("ERR_INVALID") ?? false);
  const after = Number(headers?.get?.("retry-after") ?? Number.NaN);
  return new ModelFailure({
    status: typeof status === "number" ? status : undefined,
    type: inner?.type,
    apiText: isNoHeader ? NO_HEADER : (inner?.message ?? message ?? "the model cannot be reached"),
    retryAfterMs: Number.isFinite(after) ? after * 1000 : undefined,
    requestId: headers?.get?.("request-id") ?? undefined,
    code: isLasting ? undefined : code,
    isLasting,
    cause,
  });
}

const INVALID_HEADER = /\bheader\b.*\binvalid\b|\binvalid header\b/is;
/** Replaces the runtime's error text, which may contain a key. */
const NO_HEADER =
  "A key or a header of the request has characters that none may have, such as a line break: see ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN and ANTHROPIC_CUSTOM_HEADERS.";

/** Finds the system's error code for a connection, which libraries wrap and rename. */
function getCode(cause: unknown): string | undefined {
  const { code, cause: inner, message } = (cause ?? {}) as Error & { code?: unknown };
  if (typeof code === "string") return sameCodes[code] ?? code;
  if (/\btimed out\b/i.test(message ?? "")) return "ETIMEDOUT";
  return inner === undefined ? undefined : getCode(inner);
}

const sameCodes: Record<string, string> = {
  ConnectionRefused: "ECONNREFUSED",
  ConnectionClosed: "ECONNRESET",
  UND_ERR_SOCKET: "ECONNRESET",
  UND_ERR_CONNECT_TIMEOUT: "ETIMEDOUT",
  UND_ERR_HEADERS_TIMEOUT: "ETIMEDOUT",
  UND_ERR_BODY_TIMEOUT: "ETIMEDOUT",
};

/** Whether there was no connection, or it did not last. */
export function isConnectionLost({ status, code }: ModelFailure): boolean {
  return status === undefined && code !== undefined && code !== "ETIMEDOUT";
}

const OVER_LIMIT = "max_output_tokens";

/** Returns the error name for hosts, if there is one. */
export function apiErrorName(failure: ModelFailure): { api_error?: string } {
  if (failure.isOverLimit) return { api_error: OVER_LIMIT };
  const name = isConnectionLost(failure) ? "connection_failed" : knownRefusal(failure)?.name;
  return name === undefined ? {} : { api_error: name };
}

/** Converts an `error` event in the middle of a stream. */
export function failureInStream(event: { [field: string]: unknown }): ModelFailure {
  const { type, message } = (event["error"] ?? {}) as { type?: string; message?: string };
  const status = type === "overloaded_error" ? 529 : 500;
  return new ModelFailure({ status, type, apiText: message ?? "the stream ended with an error" });
}

/**
 * Whether to retry. Overload, limits and lost connections are temporary; a wrong request is retried
 * at most once.
 */
export function isRetried(failure: ModelFailure, attempt: number): boolean {
  const { status, isUnsent, isLasting } = failure;
  if (isUnsent || isLasting) return false;
  if (status === undefined || status === 401 || status === 408 || status === 409) return true;
  if (status === 429 || status >= 500) return true;
  return (status === 400 || status === 404) && attempt === 1 && !isTooLong(failure);
}

/** Whether a retry is not reported, as for a wrong request. */
export function isSilent({ status }: ModelFailure): boolean {
  return status === 400 || status === 404;
}

/**
 * Returns the delay before a retry. Claude Code 2.1.325 repeats a wrong request at once, because
 * waiting does not fix it.
 */
export function retryDelayMs(attempt: number, failure: ModelFailure): number {
  if (isSilent(failure)) return 0;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined) return retryAfterMs;
  const base = Math.min(500 * 2 ** (attempt - 1), 32_000);
  return Math.round(base + Math.random() * 0.25 * base);
}

export function isOverloaded({ status, type }: ModelFailure): boolean {
  return type === "overloaded_error" || status === 529;
}

/** Returns the word that hosts know for a failure that is retried. */
export function errorWord(failure: ModelFailure): string {
  if (isOverloaded(failure)) return "overloaded";
  if (failure.status === 408) return "server_error";
  return failure.status === undefined ? "unknown" : failureWord(failure);
}

/** Returns the word for the message that replaces an answer. */
export function failureWord(failure: ModelFailure): string {
  const { status, code, isUnsent } = failure;
  if (failure.isOverLimit) return OVER_LIMIT;
  const known = knownRefusal(failure);
  if (known) return known.word;
  if (isUnsent || status === 401 || status === 403) return "authentication_failed";
  if (status === 404) return "model_not_found";
  if (status === 429) return "rate_limit";
  if (status === 413 || isTooLong(failure)) return "invalid_request";
  if (status === undefined) return code === undefined ? "unknown" : "server_error";
  return status >= 500 ? "server_error" : "unknown";
}

export function isTooLong({ status, apiText }: ModelFailure): boolean {
  return (status === 400 || status === 413) && /prompt is too long/i.test(apiText);
}

/** Whether the request may succeed without earlier images and files. */
export function isMediaTooLarge(failure: ModelFailure): boolean {
  return failure.status === 413 || knownRefusal(failure)?.ends !== undefined;
}

/** Returns how a turn ended because of this failure. */
export function terminalReason(failure: ModelFailure | undefined): string {
  if (!failure) return "api_error";
  if (isTooLong(failure)) return "prompt_too_long";
  return isMediaTooLarge(failure) ? "image_error" : "api_error";
}
