import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hubProofText, readShortJson } from "@signalbox/api/proof";
import { hubDescriptor, identityProof, publicKey } from "@signalbox/api/schemas";
import { bypassProxyForLoopback } from "@signalbox/protocol/proxy";
import * as z from "zod";
import { verifySignature } from "./keys.ts";

const ANSWER_MS = 5000;

/** How to find a hub that may come back at another port. The key identifies the hub. */
export const hubLocation = z.object({
  /** The last known address. */
  url: z.url(),
  /** The file in which the hub writes its address. */
  descriptor: z.string().optional(),
  key: publicKey,
  /** The name that the hub uses, if it is reached by another one, for example through a forwarded port. */
  host: z.string().optional(),
});
export type HubLocation = z.infer<typeof hubLocation>;

/** A hub that has proven its identity: its address, and the nonce for the signature of the runner's request. */
export interface VerifiedHub {
  readonly url: string;
  /** The name that is part of the proof. */
  readonly host: string;
  readonly key: string;
  readonly nonce: string;
}

/**
 * Finds the hub and verifies its identity before anything else is sent, because another user of the machine may
 * take its port while it is down. Rejects with a sentence for a person.
 */
export async function locateHub(hub: HubLocation, signal?: AbortSignal): Promise<VerifiedHub> {
  const url = (hub.descriptor && readDescriptorUrl(hub.descriptor)) ?? hub.url;
  const challenge = randomBytes(32).toString("hex");
  const { data } = identityProof.safeParse(await requestProof(challenge, url, signal));
  const { nonce = "", signature = "" } = data ?? {};
  const host = hub.host ?? new URL(url).host;
  const text = hubProofText({ challenge, host, nonce });
  if (verifySignature(hub.key, text, signature)) return { url, host, key: hub.key, nonce };
  throw new Error(`The program at ${url} is not the hub of this runner. Nothing was sent to it.`);
}

/** Reads the address from the descriptor; undefined while no hub runs. The program there still has to prove its identity. */
function readDescriptorUrl(descriptor: string): string | undefined {
  try {
    return hubDescriptor.parse(JSON.parse(readFileSync(descriptor, "utf8"))).url;
  } catch {
    return undefined;
  }
}

/** Asks the program at this address for a proof; undefined if it does not answer with JSON. */
async function requestProof(
  challenge: string,
  url: string,
  signal?: AbortSignal,
): Promise<unknown> {
  const timeout = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal ? [signal] : [])]);
  const answer = await fetch(new URL("/api/identity", url), {
    ...bypassProxyForLoopback(url),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ challenge }),
    redirect: "error",
    signal: timeout,
  }).catch((cause: unknown) => {
    throw new Error(`Couldn't reach the hub at ${url}.`, { cause });
  });
  return readShortJson(answer);
}
