import * as z from "zod";
import { uuidText } from "./values.ts";

const bytes32 = z.string().regex(/^[0-9a-f]{64}$/, "must be 32 bytes in hexadecimal");

export const publicKey = z
  .string()
  .regex(/^[\w-]{122}$/, "must be a P-256 public key (SPKI, base64url)")
  .describe("A P-256 public key: SPKI in base64url.");
export const signature = z.string().regex(/^[\w-]{86}$/, "must be a P-256 signature (base64url)");

export const hubDescriptor = z
  .object({
    hub: uuidText,
    url: z.url(),
    key: publicKey.describe("The public key by which the hub is known. Stays over restarts."),
    pid: z.int(),
  })
  .describe(
    "How programs of the same user find the hub: `hub.json` in its data folder, readable by that user alone, written when it listens and removed when it stops. It holds no secret.",
  );
export type HubDescriptor = z.infer<typeof hubDescriptor>;

export const identityRequest = z
  .object({ challenge: bytes32, device: uuidText.optional() })
  .describe(
    "`POST /api/identity`, without a credential: whoever listens there shows that it holds the hub's key. `device`: one that was paired before devices had keys, and wants to know that this hub knows its token.",
  );
export const identityProof = z
  .object({
    hub: uuidText,
    key: publicKey.optional(),
    nonce: z.string().optional().describe("What the asker signs its next requests with."),
    signature: signature.optional(),
    delegate: publicKey
      .optional()
      .describe(
        "This process's own key, to which an approver's device may delegate the answers of an SDK client.",
      ),
    proof: bytes32
      .optional()
      .describe(
        "For runners of the version before: HMAC-SHA256 of `identityText` under the key that they were given.",
      ),
    knowsToken: bytes32
      .optional()
      .describe(
        "For the device that was asked about: HMAC-SHA256 of `hubProofText` under the SHA-256 of its token.",
      ),
  })
  .describe("`signature` is over `hubProofText`. Older hubs answer with `hub` and `proof` alone.");
export type IdentityProof = z.infer<typeof identityProof>;

/**
 * The text that `proof` signs. It contains the Host, so that a program on another port cannot
 * obtain a proof from the real hub and pass it on.
 */
export function identityText(challenge: string, host: string): string {
  return `signalbox identity\n${challenge}\n${host}`;
}
