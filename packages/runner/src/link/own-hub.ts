import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { hubDescriptor, identityProof, identityText } from "@signalbox/protocol";
import * as z from "zod";

const ANSWER_MS = 5000;

/** How a hub that may come back at another port is found and known. The key came from the hub itself. */
export const ownHub = z.object({
  /** Where it was. */
  url: z.url(),
  /** The file in which it says where it is. */
  descriptor: z.string(),
  key: z.string().regex(/^[0-9a-f]{64}$/),
});
export type OwnHub = z.infer<typeof ownHub>;

/**
 * The address of the hub as it is now, after whoever listens there has shown that it is the hub: while
 * it is away, another user of the machine may take its port, and must not be sent the token. Rejects
 * with a sentence.
 */
export async function findOwnHub(hub: OwnHub, signal?: AbortSignal): Promise<string> {
  const url = describedUrl(hub.descriptor) ?? hub.url;
  const challenge = randomBytes(32).toString("hex");
  const said = identityProof.safeParse(await answerTo(challenge, url, signal));
  const text = identityText(challenge, new URL(url).host);
  const proof = createHmac("sha256", Buffer.from(hub.key, "hex")).update(text).digest();
  if (said.success && timingSafeEqual(proof, Buffer.from(said.data.proof, "hex"))) return url;
  throw new Error(
    `What listens at ${url} is not the hub that started this runner. Nothing secret was sent to it.`,
  );
}

/** Only a hint: who listens there has to show the key. None while no hub runs. */
function describedUrl(descriptor: string): string | undefined {
  try {
    return hubDescriptor.parse(JSON.parse(readFileSync(descriptor, "utf8"))).url;
  } catch {
    return undefined;
  }
}

/** Asked past any proxy that the environment names: Bun's `fetch` takes those for loopback, too. */
function answerTo(challenge: string, url: string, signal?: AbortSignal): Promise<unknown> {
  const over = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal ? [signal] : [])]);
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const asked = request(new URL("/api/identity", url), { method: "POST", headers, signal: over });
    asked.once("error", (cause) => reject(new Error(`The hub is away from ${url}.`, { cause })));
    // Whoever answers something else does not know the question.
    asked.once(
      "response",
      (answer) =>
        void json(answer)
          .catch(() => undefined)
          .then(resolve),
    );
    asked.end(JSON.stringify({ challenge }));
  });
}
