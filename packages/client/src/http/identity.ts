import type {
  HubDescriptor,
  IdentityProof,
  identityText as IdentityText,
} from "@signalbox/protocol";
import { Caller, type Fetch } from "./caller.ts";
import { HubError } from "./hub-error.ts";

/**
 * Makes sure that whoever listens there is the hub that wrote the descriptor, before anything secret is
 * sent: another user of the machine may have taken the port. Rejects with the code `not-the-hub`.
 */
export async function checkIdentity(
  hub: Pick<HubDescriptor, "url" | "key" | "hub">,
  fetch: Fetch = globalThis.fetch,
): Promise<void> {
  const challenge = hex(crypto.getRandomValues(new Uint8Array(32)));
  const credentials = { get: () => undefined };
  const backOff = { firstMs: 0, mostMs: 0 };
  const caller = new Caller({
    url: () => hub.url,
    credentials,
    fetch,
    tries: 1,
    backOff,
    answerMs: 5_000,
  });
  const body = { challenge };
  const request = { method: "POST", path: "/api/identity", body, open: true };
  const said = await caller.json<IdentityProof | null>(request).catch((failure: unknown) => {
    if (HubError.is(failure, "unreachable")) throw failure;
    return null; // whoever it is, it does not know the question
  });
  const text = identityText(challenge, new URL(hub.url).host);
  if (said?.hub === hub.hub && (await isProof(hub.key, text, said.proof))) return;
  const detail = `What listens at ${hub.url} is not the hub that was started here. Nothing secret was sent to it.`;
  throw new HubError({ code: "not-the-hub", status: 0, detail });
}

const identityText: typeof IdentityText = (challenge, host) =>
  `signalbox identity\n${challenge}\n${host}`;

async function isProof(key: string, text: string, proof: unknown): Promise<boolean> {
  if (typeof proof !== "string" || !/^[0-9a-f]{64}$/.test(proof)) return false;
  const usage = { name: "HMAC", hash: "SHA-256" };
  const secret = await crypto.subtle.importKey("raw", bytes(key), usage, false, ["verify"]);
  return crypto.subtle.verify("HMAC", secret, bytes(proof), new TextEncoder().encode(text));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
