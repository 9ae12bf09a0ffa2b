import * as z from "zod";
import { id } from "./session.ts";

const bytes32 = z.string().regex(/^[0-9a-f]{64}$/, "has to be 32 bytes in hexadecimal");

/**
 * How programs of the same user find the hub: `hub.json` in its data folder, readable by that user
 * alone, written when it listens and removed when it stops. `token` is the command line's: a driver's.
 */
export const HUB_DESCRIPTOR = "hub.json";
export const hubDescriptor = z.object({
  hub: id,
  url: z.url(),
  /** The key with which the hub proves that it is the one that wrote this. Stays over restarts. */
  key: bytes32,
  token: z.string(),
  pid: z.int(),
});
export type HubDescriptor = z.infer<typeof hubDescriptor>;

/** `POST /api/identity`, without a credential: whoever listens there shows that it holds the key. */
export const identityRequest = z.object({ challenge: bytes32 });
/** HMAC-SHA256 under the key, in hex, over `identityText` of the challenge and the Host that was asked. */
export const identityProof = z.object({ hub: id, proof: bytes32 });
export type IdentityProof = z.infer<typeof identityProof>;

/** With the Host in it, a proof cannot be fetched from the real hub by whoever sits on another port. */
export function identityText(challenge: string, host: string): string {
  return `signalbox identity\n${challenge}\n${host}`;
}
