import type { HubIdentity, PairedDevice } from "@signalbox/api";
import { hubProofText, isSigned } from "@signalbox/api/proof";
import { openRequest } from "./call-input.ts";
import type { Fetch } from "./caller.ts";
import { fromHex, randomHex, sha256 } from "./device-key.ts";
import { HubError, readRefusal } from "./hub-error.ts";
import { bypassProxyForLoopback } from "@signalbox/protocol/proxy";
import { askIdentity } from "./prover.ts";

export interface OldCredential {
  readonly url: string;
  readonly device: string;
  /** The bearer token from the time before devices had keys. */
  readonly token: string;
  readonly publicKey: string;
  /**
   * Called when the hub is verified, before the token is sent. The new key and the hub must be
   * stored then, because the answer may be lost after the hub has stored the key.
   */
  readonly keep: (hub: HubIdentity) => void | Promise<void>;
  readonly fetch?: Fetch;
}

/**
 * Upgrades a device with a token to a key. The hub first proves that it knows the token's hash, so
 * that the token is sent to no other server, and for the last time.
 */
export async function upgradeDevice(old: OldCredential): Promise<PairedDevice> {
  const { url, device, token, publicKey } = old;
  const fetch: Fetch = (address, init) => (old.fetch ?? globalThis.fetch)(address, init);
  const challenge = randomHex(32);
  const proof = await askIdentity(url, { challenge, device }, fetch);
  const { key = "", nonce = "", signature, knowsToken } = proof;
  const text = hubProofText({ challenge, host: new URL(url).host, nonce });
  const knows = (await isSigned(key, text, signature)) && (await isHmac(token, text, knowsToken));
  if (!knows) {
    const detail = `The program that listens at ${url} does not know this device. Nothing was sent to it. If this device was revoked, pair it again.`;
    throw new HubError({ code: "not-the-hub", status: 0, detail });
  }
  await old.keep({ id: proof.hub ?? "", key });
  const { method, path, body } = openRequest("POST /api/upgrade", { publicKey });
  const address = new URL(path, url).href;
  const answer = await fetch(address, {
    ...bypassProxyForLoopback(address),
    method,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    credentials: "omit",
    redirect: "error",
  });
  if (!answer.ok) throw await readRefusal(answer);
  return (await answer.json()) as PairedDevice;
}

async function isHmac(token: string, text: string, proof: unknown): Promise<boolean> {
  if (typeof proof !== "string" || !/^[0-9a-f]{64}$/.test(proof)) return false;
  const usage = { name: "HMAC", hash: "SHA-256" };
  const hash = fromHex(await sha256(token));
  const key = await crypto.subtle.importKey("raw", hash, usage, false, ["verify"]);
  return crypto.subtle.verify("HMAC", key, fromHex(proof), new TextEncoder().encode(text));
}
