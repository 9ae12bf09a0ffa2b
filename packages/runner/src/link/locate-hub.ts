import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hubDescriptor, hubProofText, identityProof, publicKey } from "@signalbox/api";
import { bypassProxyForLoopback } from "@signalbox/protocol";
import * as z from "zod";
import { verifySignature } from "./keys.ts";

const ANSWER_MS = 5000;

/** How a hub that may come back at another port is found and known. The key came from the hub itself. */
export const hubLocation = z.object({
  /** Where it was. */
  url: z.url(),
  /** The file in which it says where it is. */
  descriptor: z.string().optional(),
  key: publicKey,
  /** The name that the hub goes by where it is reached by another, as through a forwarded port. */
  host: z.string().optional(),
});
export type HubLocation = z.infer<typeof hubLocation>;

/** The hub as it is now, proven: its address, and the nonce that the runner signs its request with. */
export interface VerifiedHub {
  readonly url: string;
  /** The name under which it proves itself. */
  readonly host: string;
  readonly key: string;
  readonly nonce: string;
}

/**
 * Finds the hub and lets it prove itself before anything else is sent: while it is away, another user of
 * the machine may take its port. Rejects with a sentence.
 */
export async function locateHub(hub: HubLocation, signal?: AbortSignal): Promise<VerifiedHub> {
  const url = (hub.descriptor && readDescriptorUrl(hub.descriptor)) ?? hub.url;
  const challenge = randomBytes(32).toString("hex");
  const { data } = identityProof.safeParse(await requestProof(challenge, url, signal));
  const { nonce = "", signature = "" } = data ?? {};
  const host = hub.host ?? new URL(url).host;
  const text = hubProofText({ challenge, host, nonce });
  if (verifySignature(hub.key, text, signature)) return { url, host, key: hub.key, nonce };
  throw new Error(
    `The program that listens at ${url} is not this runner's hub. Nothing was sent to it.`,
  );
}

/** Only a hint: whoever listens there has to prove itself. None while no hub runs. */
function readDescriptorUrl(descriptor: string): string | undefined {
  try {
    return hubDescriptor.parse(JSON.parse(readFileSync(descriptor, "utf8"))).url;
  } catch {
    return undefined;
  }
}

/** Whoever answers something else does not know the question. */
async function requestProof(
  challenge: string,
  url: string,
  signal?: AbortSignal,
): Promise<unknown> {
  const over = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal ? [signal] : [])]);
  const answer = await fetch(new URL("/api/identity", url), {
    ...bypassProxyForLoopback(url),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ challenge }),
    redirect: "error",
    signal: over,
  }).catch((cause: unknown) => {
    throw new Error(`The hub is away from ${url}.`, { cause });
  });
  return answer.json().catch(() => undefined);
}
