/**
 * How devices and the hub prove to each other who they are. Nothing that is sent can be used a
 * second time: each side signs a text that names its purpose and contains a value chosen by the
 * other side. There is no bearer secret that another program on the hub's port could collect while
 * the hub is not running.
 *
 * Keys are ECDSA on P-256 with SHA-256, which browsers store without letting a page read them. This
 * module contains only texts, their formats and the check of a signature. It has no imports, so
 * that the page, the hub, the runner and the command line can share it. Public keys travel as SPKI
 * and signatures as r‖s, both in base64url.
 */

/** The parameters for WebCrypto. */
export const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256" } as const;
export const signatureAlgorithm = { name: "ECDSA", hash: "SHA-256" } as const;

/** The scheme of the `Authorization` header that carries a signed request. */
export const AUTHORIZATION_SCHEME = "Signalbox";
/**
 * The hub's answer to a request whose nonce it does not know, or no longer knows: verify the hub
 * again, then retry.
 */
export const STALE_PROOF = "stale-proof";

/**
 * The text of the hub's proof. `challenge` is chosen by the client. `host` is the name under which
 * the client reached the hub, so that a program on another port cannot obtain a proof from the real
 * hub and pass it on. `nonce` is the value with which the client signs its requests from then on.
 */
export function hubProofText(proof: { challenge: string; host: string; nonce: string }): string {
  return lines("hub", proof.challenge, proof.host, proof.nonce);
}

/** The text that a device signs with each request. A pair of nonce and count is accepted once. */
export interface SignedRequest {
  readonly device: string;
  readonly nonce: string;
  readonly count: number;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** SHA-256 of the body, in hex. */
  readonly digest: string;
}

export function requestText(request: SignedRequest): string {
  const { device, nonce, count, method, target, digest } = request;
  return lines("request", device, nonce, String(count), method, target, digest);
}

/**
 * The text of the hub's proof on a stream, made for the ticket that opened it, before the client
 * sends anything.
 */
export function streamProofText(ticket: string, host: string): string {
  return lines("stream", ticket, host);
}

/** The text of the hub's proof on a runner's link, made for the header that opened it. */
export function linkProofText(authorization: string, host: string): string {
  return lines("link", authorization, host);
}

/**
 * The text of a person's decision about an ask. The runner checks its signature before it acts on
 * it.
 */
export function decisionText(ask: string, hash: string, decision: unknown): string {
  return lines("decision", ask, hash, canonicalJson(decision));
}

/**
 * The text of a person's decision to trust a folder on a machine: the folder's real path, and the
 * hash of the findings that were shown.
 */
export function trustText(trust: { runner: string; folder: string; hash: string }): string {
  return lines("trust", trust.runner, JSON.stringify(trust.folder), trust.hash);
}

/**
 * The text of what a person types into a terminal. `source` is random for each page or program that
 * types, and `count` grows with each piece, so that no piece is carried out a second time. `instance` is
 * random for each terminal, so that none is carried out in a later terminal of the same id.
 */
export function terminalInputText(input: {
  runner: string;
  terminal: string;
  instance: string;
  source: string;
  count: number;
  data: string;
}): string {
  const { runner, terminal, instance, source, count, data } = input;
  const place = [runner, terminal, instance, source];
  return lines("terminal-input", ...place, String(count), JSON.stringify(data));
}

/**
 * The text with which an approver's device lets a terminal approve for as long as that terminal
 * runs.
 */
export function elevationText(elevation: string, publicKey: string): string {
  return lines("elevation", elevation, publicKey);
}

/**
 * The text with which an approver's device lets whoever opens a session with one ticket answer that
 * session's asks, because programs that speak the official SDK's protocol cannot sign. `publicKey`
 * belongs to the hub process.
 */
export function delegationText(delegation: {
  publicKey: string;
  session: string;
  expiresAt: number;
}): string {
  const { publicKey, session, expiresAt } = delegation;
  return lines("delegation", publicKey, session, String(expiresAt));
}

function lines(purpose: string, ...parts: readonly string[]): string {
  return [`signalbox ${purpose} v1`, ...parts].join("\n");
}

export interface Authorization {
  readonly device: string;
  readonly nonce: string;
  readonly count: number;
  readonly digest: string;
  readonly signature: string;
}

export function authorizationHeader(proof: Authorization): string {
  const { device, nonce, count, digest, signature } = proof;
  return `${AUTHORIZATION_SCHEME} ${device}.${nonce}.${count}.${digest}.${signature}`;
}

const authorizationForm =
  /^Signalbox ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{20,100})\.(\d{1,15})\.([0-9a-f]{64})\.([\w-]{86})$/;

/** Returns undefined for a header of another format. */
export function readAuthorization(header: string): Authorization | undefined {
  const [, device, nonce, count, digest, signature] = authorizationForm.exec(header) ?? [];
  if (!device || !nonce || !digest || !signature) return undefined;
  return { device, nonce, count: Number(count), digest, signature };
}

/**
 * A device's private key as text, for programs that store it in a file: the device's id, and the
 * key as PKCS #8. It never leaves the machine. Its prefix lets logs redact it wherever it appears.
 */
export function deviceKeyText(device: string, pkcs8: string): string {
  return `sbk_${device.replaceAll("-", "")}_${pkcs8}`;
}

const deviceKeyForm =
  /^sbk_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([\w-]{100,400})$/;

export function readDeviceKey(text: string): { device: string; pkcs8: string } | undefined {
  const parts = deviceKeyForm.exec(text);
  const pkcs8 = parts?.[6];
  if (!parts || pkcs8 === undefined) return undefined;
  return { device: parts.slice(1, 6).join("-"), pkcs8 };
}

/**
 * Whether a text was signed with the private key that belongs to this public key. Also false when
 * the key or the signature is not valid. WebCrypto is asynchronous; a program that needs the answer
 * at once uses `@signalbox/runner/keys`.
 */
export async function isSigned(key: string, text: string, signature: unknown): Promise<boolean> {
  if (typeof signature !== "string") return false;
  try {
    const spki = fromBase64url(key);
    const publicKey = await crypto.subtle.importKey("spki", spki, keyAlgorithm, false, ["verify"]);
    const bytes = new TextEncoder().encode(text);
    return await crypto.subtle.verify(
      signatureAlgorithm,
      publicKey,
      fromBase64url(signature),
      bytes,
    );
  } catch {
    return false;
  }
}

/** How many bytes are read of an answer to a request for a proof, and of a refusal. */
const MAX_SHORT_BYTES = 64 * 1024;

/**
 * Reads an answer as JSON that may come from another program than the hub. Undefined: it is no JSON, or longer
 * than any proof or refusal. Whoever takes the hub's port must not fill this program's memory.
 */
export async function readShortJson(answer: Response): Promise<unknown> {
  if (!answer.body) return undefined;
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  let text = "";
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return JSON.parse(text + decoder.decode());
      bytes += value.length;
      if (bytes > MAX_SHORT_BYTES) return undefined;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return undefined;
  } finally {
    reader.cancel().catch(() => {});
  }
}

export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/**
 * Serializes JSON so that equal values give equal texts: keys are sorted, and there is no
 * whitespace.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    const entries = Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(entries);
  });
}
