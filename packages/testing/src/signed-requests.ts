import { createHash, randomBytes } from "node:crypto";
import type { HubDecision } from "@signalbox/api";
import { authorizationHeader, decisionText, requestText } from "@signalbox/api/proof";
import {
  createSigningKey,
  createDeviceSigningKey,
  readDeviceSigningKey,
} from "@signalbox/runner/keys";

/** A nonce of the hub's, as a device asks for one. */
async function fetchNonce(url: string): Promise<string> {
  const challenge = randomBytes(32).toString("hex");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ challenge });
  const answer = await fetch(`${url}/api/identity`, { method: "POST", headers, body });
  return ((await answer.json()) as { nonce: string }).nonce;
}

/** The header of a request: signed where the credential is a device's key, as bearer where it is a token. */
export async function authorization(
  url: string,
  credential: string,
  method: string,
  target: string,
  body = "",
): Promise<string> {
  const key = readDeviceSigningKey(credential);
  if (!key) return `Bearer ${credential}`;
  const nonce = await fetchNonce(url);
  const digest = createHash("sha256").update(body).digest("hex");
  const request = { device: key.device, nonce, count: 1, method, target, digest };
  return authorizationHeader({ ...request, signature: key.sign(requestText(request)) });
}

/** An answer to an ask, as the device with this key signs it. */
export function signedAnswer(
  credential: string,
  ask: { readonly id: string; readonly hash: string },
  decision: HubDecision,
) {
  const key = readDeviceSigningKey(credential);
  const signature = key?.sign(decisionText(ask.id, ask.hash, decision));
  return { hash: ask.hash, decision, ...(signature !== undefined && { signature }) };
}

/** The body of a request; an answer to an ask is signed by whoever gives it. */
export function signedBody(path: string, credential: string | undefined, body: unknown): unknown {
  const ask = /^\/api\/asks\/([^/]+)\/answer$/.exec(path)?.[1];
  const { hash, decision } = (body ?? {}) as { hash?: string; decision?: HubDecision };
  if (ask === undefined || hash === undefined || !decision || !credential) return body;
  return signedAnswer(credential, { id: ask, hash }, decision);
}

/** The id of the device whose key this is. */
export function readDeviceId(credential: string): string {
  return readDeviceSigningKey(credential)?.device ?? "";
}

/** A key pair for a device that is about to be paired: `publicKey` goes along, `createKey` is its key from then on. */
export function newDevice() {
  const key = createSigningKey();
  return {
    publicKey: key.publicKey,
    createKey: (device: string) => createDeviceSigningKey(device, key).text,
  };
}
