import type { HubIdentity, IdentityProof, SentBody } from "@signalbox/api";
import {
  authorizationHeader,
  hubProofText,
  isSigned,
  readShortJson,
  requestText,
} from "@signalbox/api/proof";
import { type DeviceCredential, randomHex, sha256, signText } from "./device-key.ts";
import { locate } from "./call-input.ts";
import type { Fetch } from "./caller.ts";
import { HubError, readRefusal } from "./hub-error.ts";
import { bypassProxyForLoopback } from "@signalbox/protocol/proxy";

const ANSWER_MS = 5000;

interface HubVerifierOptions {
  readonly url: () => string;
  readonly fetch: Fetch;
  /**
   * Whether a connection is open on which the hub has proven its identity. Its end is noticed at
   * once, so the proof is valid while it is open. Without one, the hub proves its identity before
   * each request.
   */
  readonly isLive: () => boolean;
}

interface VerifiedNonce {
  readonly url: string;
  readonly device: string;
  readonly nonce: string;
  readonly delegate: string | undefined;
  count: number;
}

/** Verifies the hub's identity before anything is sent to it, and signs requests. */
export class HubVerifier {
  readonly #options: HubVerifierOptions;
  #proven: VerifiedNonce | undefined;
  #proving: Promise<VerifiedNonce> | undefined;
  #generation = 0;

  constructor(options: HubVerifierOptions) {
    this.#options = options;
  }

  /** The `Authorization` header of one request. Rejects if the server is not the hub. */
  async authorization(
    credential: DeviceCredential,
    { method, target, body }: { method: string; target: string; body: string },
  ): Promise<string> {
    const digest = await sha256(body);
    for (;;) {
      const generation = this.#generation;
      const proven = await this.#hub(credential);
      const { nonce } = proven;
      const { device } = credential;
      const request = { device, nonce, count: ++proven.count, method, target, digest };
      const signature = await signText(credential.privateKey, requestText(request));
      // If the hub stopped meanwhile, its proof says nothing about who listens there now.
      if (generation === this.#generation) return authorizationHeader({ ...request, signature });
    }
  }

  /** The key of the hub process, to which a device may delegate answers. */
  async delegate(credential: DeviceCredential): Promise<string | undefined> {
    return (await this.#hub(credential)).delegate;
  }

  /** Forgets the proof, because another program may listen there now. */
  forgetProof(): void {
    this.#generation++;
    this.#proven = undefined;
    this.#proving = undefined;
  }

  async #hub(credential: DeviceCredential): Promise<VerifiedNonce> {
    const url = this.#options.url();
    const proven = this.#proven;
    const isSame = proven?.url === url && proven.device === credential.device;
    if (isSame && this.#options.isLive()) return proven;
    if (this.#proving) return this.#proving;
    const proving = this.#prove(url, credential);
    this.#proving = proving;
    try {
      const fresh = await proving;
      if (this.#proving === proving) this.#proven = fresh;
      return fresh;
    } finally {
      if (this.#proving === proving) this.#proving = undefined;
    }
  }

  async #prove(url: string, { device, hub }: DeviceCredential): Promise<VerifiedNonce> {
    const { nonce, delegate } = await proveHub(url, hub, this.#options.fetch);
    return { url, device, nonce, delegate, count: 0 };
  }
}

/**
 * Verifies that the server holds the hub's key before anything else is sent, because another user
 * of the machine may have taken the port. Rejects with the code `not-the-hub`.
 */
export async function proveHub(
  url: string,
  hub: HubIdentity,
  fetch: Fetch,
): Promise<{ nonce: string; delegate: string | undefined }> {
  const challenge = randomHex(32);
  const { nonce = "", signature, hub: id, delegate } = await askIdentity(url, { challenge }, fetch);
  const text = hubProofText({ challenge, host: new URL(url).host, nonce });
  if (id === hub.id && (await isSigned(hub.key, text, signature))) return { nonce, delegate };
  const detail = `The program that listens at ${url} is not the hub that this device was paired with. Nothing was sent to it.`;
  throw new HubError({ code: "not-the-hub", status: 0, detail });
}

/**
 * Returns the server's description of itself, or an empty answer if it does not know the request.
 */
export async function askIdentity(
  url: string,
  body: SentBody<"POST /api/identity">,
  fetch: Fetch,
): Promise<Partial<IdentityProof>> {
  const { method, path } = locate("POST /api/identity");
  const address = new URL(path, url).href;
  let answer: Response;
  try {
    answer = await fetch(address, {
      ...bypassProxyForLoopback(address),
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch (cause) {
    throw unreachable(`The hub at ${url} does not answer.`, 0, cause);
  }
  if (answer.status >= 500) {
    throw unreachable((await readRefusal(answer)).detail, answer.status, undefined);
  }
  const read = (await readShortJson(answer)) as Partial<IdentityProof> | null | undefined;
  return read ?? {};
}

function unreachable(detail: string, status: number, cause: unknown): HubError {
  return new HubError({ code: "unreachable", status, detail }, { cause });
}
