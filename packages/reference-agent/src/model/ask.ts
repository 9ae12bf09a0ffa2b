import type AnthropicClient from "@anthropic-ai/sdk";
import { readLines, lineText } from "@signalbox/protocol/wire";
import type { Credential, Credentials } from "./credentials.ts";
import { getFailure, ModelFailure } from "./failure.ts";
import type { ModelRequest } from "./request.ts";
import { Retries, type Retry } from "./retries.ts";

/** One event of the API's stream, unchanged. */
export type StreamEvent = { type: string; [field: string]: unknown };
interface Asked {
  readonly events: AsyncIterable<StreamEvent>;
  readonly requestId: string | null;
}
interface AskOptions {
  readonly signal: AbortSignal;
  /** The previous attempts for the same answer. */
  readonly retries?: Retries;
}

const MAX_RETRIES = 10;

/** Calls the Messages API at `ANTHROPIC_BASE_URL`. The SDK is loaded with the first request. */
export class ModelClient {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #credentials: Credentials;
  #client: { sent: Credential; opened: Promise<AnthropicClient> } | undefined;

  constructor(environment: Readonly<Record<string, string | undefined>>, credentials: Credentials) {
    this.#environment = environment;
    this.#credentials = credentials;
  }

  /** Loads the SDK before the first request. */
  warmUp(): void {
    this.#load().catch(() => {}); // The first request meets the same failure and reports it.
  }

  /** Opens a stream, and retries while that may help. Rejects with a `ModelFailure`. */
  async ask(request: ModelRequest, { signal, retries }: AskOptions): Promise<Asked> {
    const tried = retries ?? this.retries(signal);
    for (;;) {
      try {
        const client = await this.#load();
        // `messages.create` is not used, because it warns about deprecated models on standard
        // error.
        const body = { ...request, stream: true };
        const response = await client
          .post("/v1/messages", { body, stream: true, signal })
          .asResponse();
        return {
          events: eventsIn(response, signal),
          requestId: response.headers.get("request-id"),
        };
      } catch (cause) {
        if (signal.aborted) throw cause;
        const failure = getFailure(cause);
        if (failure.status === 401) this.#credentials.forget();
        await tried.after(failure);
      }
    }
  }

  retries(signal: AbortSignal, onRetry?: (retry: Retry) => void): Retries {
    return new Retries(this.#maxRetries(), signal, onRetry);
  }

  #maxRetries(): number {
    const retryLimit = Number(this.#environment["CLAUDE_CODE_MAX_RETRIES"]);
    return Number.isInteger(retryLimit) &&
      retryLimit >= 0 &&
      this.#environment["CLAUDE_CODE_MAX_RETRIES"]
      ? retryLimit
      : MAX_RETRIES;
  }

  async #load(): Promise<AnthropicClient> {
    const sent = await this.#credentials.get();
    if (sent.apiKey === null && sent.authToken === null) throw ModelFailure.notLoggedIn();
    const { apiKey, authToken } = this.#client?.sent ?? {};
    if (!this.#client || apiKey !== sent.apiKey || authToken !== sent.authToken) {
      this.#client = { sent, opened: this.#open(sent) };
    }
    try {
      return await this.#client.opened;
    } catch (cause) {
      this.#client = undefined;
      throw ModelFailure.notLoaded(cause);
    }
  }

  async #open(credential: Credential): Promise<AnthropicClient> {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const env = this.#environment;
    const baseURL = env["ANTHROPIC_BASE_URL"];
    const { apiKey, authToken } = credential;
    // The SDK accepts only one of the two headers, but a user with both credentials sends both.
    const token = apiKey !== null && authToken !== null ? authToken : undefined;
    return new Anthropic({
      ...(token === undefined ? credential : { apiKey, authToken: null }),
      ...(baseURL ? { baseURL } : {}),
      maxRetries: 0, // Retries are made and reported here.
      timeout: Number(env["API_TIMEOUT_MS"]) || 600_000,
      defaultHeaders: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...customHeaders(env["ANTHROPIC_CUSTOM_HEADERS"]),
      },
    });
  }
}

/** Parses headers in the form `Name: value`, one per line. */
function customHeaders(text = ""): Record<string, string> {
  const lines = text.split("\n").map((line) => /^\s*([^:]+?)\s*:\s*(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((found) => (found ? [[found[1]!, found[2]!]] : [])));
}

/**
 * Reads the events of a stream. The SDK's reader needs half of our memory on top. An event's data
 * is one line.
 */
async function* eventsIn(response: Response, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  for await (const batch of readLines(getChunks(response, signal))) {
    for (const line of batch) {
      const text = lineText(line);
      if (text.startsWith("data:")) yield JSON.parse(text.slice("data:".length)) as StreamEvent;
    }
  }
}

/** Yields chunks and ends at an interrupt, even while nothing arrives. */
async function* getChunks({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
