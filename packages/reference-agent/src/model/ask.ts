import type AnthropicClient from "@anthropic-ai/sdk";
import { readLines, lineText } from "@signalbox/protocol/wire";
import type { Credential, Credentials } from "./credentials.ts";
import { getFailure, ModelFailure } from "./failure.ts";
import type { ModelRequest } from "./request.ts";
import { Retries, type Retry } from "./retries.ts";

/** One event of the API's stream, as it came. */
export type StreamEvent = { type: string; [field: string]: unknown };
interface Asked {
  readonly events: AsyncIterable<StreamEvent>;
  readonly requestId: string | null;
}
interface AskOptions {
  readonly signal: AbortSignal;
  /** What was tried for the same answer already. */
  readonly retries?: Retries;
}

const MAX_RETRIES = 10;

/** The Messages API at `ANTHROPIC_BASE_URL`. The SDK is loaded with the first question. */
export class ModelClient {
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #credentials: Credentials;
  #client: { sent: Credential; opened: Promise<AnthropicClient> } | undefined;

  constructor(environment: Readonly<Record<string, string | undefined>>, credentials: Credentials) {
    this.#environment = environment;
    this.#credentials = credentials;
  }

  /** Loads the SDK ahead of the first question. */
  warmUp(): void {
    this.#load().catch(() => {}); // the first question meets the same failure and reports it
  }

  /** Opens a stream; tries again while that may help. Rejects with a `ModelFailure`. */
  async ask(request: ModelRequest, { signal, retries }: AskOptions): Promise<Asked> {
    const tried = retries ?? this.retries(signal);
    for (;;) {
      try {
        const client = await this.#load();
        // Not by `messages.create`, which writes to standard error that some models are deprecated.
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
    const said = Number(this.#environment["CLAUDE_CODE_MAX_RETRIES"]);
    return Number.isInteger(said) && said >= 0 && this.#environment["CLAUDE_CODE_MAX_RETRIES"]
      ? said
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
    // The SDK takes one of the two; who has both sends both.
    const token = apiKey !== null && authToken !== null ? authToken : undefined;
    return new Anthropic({
      ...(token === undefined ? credential : { apiKey, authToken: null }),
      ...(baseURL ? { baseURL } : {}),
      maxRetries: 0, // ours are said aloud
      timeout: Number(env["API_TIMEOUT_MS"]) || 600_000,
      defaultHeaders: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...customHeaders(env["ANTHROPIC_CUSTOM_HEADERS"]),
      },
    });
  }
}

/** `Name: value`, one a line. */
function customHeaders(text = ""): Record<string, string> {
  const lines = text.split("\n").map((line) => /^\s*([^:]+?)\s*:\s*(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((found) => (found ? [[found[1]!, found[2]!]] : [])));
}

/** The events of a stream, read by ourselves: the SDK's reader costs half of our memory again. An
 * event's data is one line. */
async function* eventsIn(response: Response, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  for await (const batch of readLines(getChunks(response, signal))) {
    for (const line of batch) {
      const text = lineText(line);
      if (text.startsWith("data:")) yield JSON.parse(text.slice("data:".length)) as StreamEvent;
    }
  }
}

/** Ends at an interrupt, also while nothing comes. */
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
