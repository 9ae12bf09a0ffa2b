import { STALE_PROOF } from "@signalbox/api/proof";
import { COMMAND_HEADER } from "../contract.ts";
import { type Backoff, backoffDelayMs } from "@signalbox/protocol/backoff";
import { sleep } from "../sleep.ts";
import { type DeviceCredential, signText } from "./device-key.ts";
import { HubError, readRefusal } from "./hub-error.ts";
import { bypassProxyForLoopback } from "@signalbox/protocol/proxy";
import { HubVerifier } from "./prover.ts";

/** `onSent`: called whenever a part of the body has been sent, if the implementation can tell. */
export type Fetch = (
  url: string,
  init: RequestInit & { readonly onSent?: () => void },
) => Promise<Response>;

/** A paired device's key, or the bearer token of a program that cannot sign. */
export type Credential = DeviceCredential | { readonly token: string };

/**
 * Reads the credential. It is called for every request, because another tab may have changed it.
 */
export interface Credentials {
  get(): Credential | undefined | Promise<Credential | undefined>;
}

interface CallerOptions {
  /** Read for every call, after the credential: a hub may have moved. */
  readonly url: () => string;
  readonly credentials: Credentials;
  readonly fetch: Fetch;
  /** How often a call is tried before it fails as unreachable. */
  readonly tries: number;
  readonly backoff: Backoff;
  /**
   * After this time an answer counts as lost. A large body gets more time, which starts again while
   * data is being sent.
   */
  readonly answerMs: number;
  /** Whether a live link to the hub is open. */
  readonly isLive?: () => boolean;
}

export interface CallOptions {
  /** The id of the command. The hub runs the same id only once. */
  readonly command?: string;
  readonly signal?: AbortSignal;
}

interface Request extends CallOptions {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Do not retry: the caller has a back-off of its own. */
  readonly once?: boolean;
  /** Without the credential, which may belong to another hub. */
  readonly open?: boolean;
}

/**
 * Characters per millisecond on the slowest connection over which a large body may still arrive.
 */
const SLOWEST = 16;

/** Status codes with which a proxy answers when it cannot reach the hub. */
const LOST = new Set([502, 504]);

/** Calls the hub over HTTP. If the answer is lost, the call is repeated with the same id. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #prover: HubVerifier;

  constructor(options: CallerOptions) {
    this.#options = options;
    const { url, fetch, isLive = () => false } = options;
    this.#prover = new HubVerifier({ url, fetch, isLive });
  }

  /** The device's signature of a text; undefined with a token, which cannot sign. */
  async sign(text: string): Promise<string | undefined> {
    const credential = await this.#options.credentials.get();
    if (!credential || "token" in credential) return undefined;
    return signText(credential.privateKey, text);
  }

  /** The key of the hub process, to which this device may delegate answers. */
  async delegate(): Promise<string | undefined> {
    const credential = await this.#options.credentials.get();
    if (!credential || "token" in credential) return undefined;
    return this.#prover.delegate(credential);
  }

  /**
   * Forgets the proof of the hub's identity: the hub may have stopped, and another program may
   * listen in its place.
   */
  forgetProof(): void {
    this.#prover.forgetProof();
  }

  async json<T>(request: Request): Promise<T> {
    const answer = await this.response(request);
    if (answer.status === 204) return undefined as T;
    try {
      return (await answer.json()) as T;
    } catch (cause) {
      const detail = "The hub's answer cannot be read.";
      throw new HubError({ code: "unreadable", status: answer.status, detail }, { cause });
    }
  }

  async response(request: Request): Promise<Response> {
    const { backoff, tries } = this.#options;
    const most = request.once ? 1 : tries;
    for (let tried = 1; ; tried++) {
      try {
        return await this.#once(request);
      } catch (failure) {
        if (!HubError.is(failure, "unreachable") || tried >= most) throw failure;
        await sleep(backoffDelayMs(tried - 1, backoff), request.signal);
      }
    }
  }

  async #once(request: Request, isSecond = false): Promise<Response> {
    const { method, body, signal, command } = request;
    const credential = request.open ? undefined : await this.#options.credentials.get();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const { answerMs } = this.#options;
    const responseTimeout = new ResponseTimeout(answerMs + (text?.length ?? 0) / SLOWEST);
    const address = this.#address(request);
    const authorization = credential && (await this.#authorization(credential, request, text));
    const headers = {
      accept: "application/json",
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(command !== undefined && { [COMMAND_HEADER]: command }),
      ...request.headers,
    };
    let answer: Response;
    try {
      answer = await this.#options.fetch(address, {
        ...bypassProxyForLoopback(address),
        method,
        headers,
        ...(text !== undefined && { body: text, onSent: () => responseTimeout.renew(answerMs) }),
        credentials: "omit",
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, responseTimeout.over]) : responseTimeout.over,
      });
    } catch (cause) {
      signal?.throwIfAborted();
      this.#prover.forgetProof();
      const detail = `The hub at ${this.#options.url()} does not answer.`;
      throw new HubError({ code: "unreachable", status: 0, detail }, { cause });
    }
    if (answer.ok) return answer;
    const refusal = await readRefusal(answer);
    if (HubError.is(refusal, STALE_PROOF) && !isSecond) {
      this.#prover.forgetProof(); // The hub has restarted.
      return this.#once(request, true);
    }
    if (!LOST.has(answer.status)) throw refusal;
    throw new HubError({ code: "unreachable", status: answer.status, detail: refusal.detail });
  }

  async #authorization(
    credential: Credential,
    request: Request,
    body: string | undefined,
  ): Promise<string> {
    if ("token" in credential) return `Bearer ${credential.token}`;
    const { pathname, search } = new URL(this.#address(request));
    const { method } = request;
    return this.#prover.authorization(credential, {
      method,
      target: pathname + search,
      body: body ?? "",
    });
  }

  #address({ path, query = {} }: Request): string {
    const address = new URL(path, this.#options.url());
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    return address.href;
  }
}

/**
 * A deadline whose signal aborts when it has passed. It can be renewed until then. It also ends an
 * answer that stops in the middle.
 */
class ResponseTimeout {
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.renew(ms);
  }
  get over(): AbortSignal {
    return this.#over.signal;
  }
  renew(ms: number): void {
    clearTimeout(this.#timer);
    const give = () => this.#over.abort(new DOMException("no answer in time", "TimeoutError"));
    this.#timer = setTimeout(give, ms);
    // Do not let this timer keep the program running.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}
