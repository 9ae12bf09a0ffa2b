import { linkProofText } from "@signalbox/api/proof";
import type { VerifiedHub } from "@signalbox/runner";
import {
  createDeviceSigningKey,
  readDeviceSigningKey,
  createSigningKey,
} from "@signalbox/runner/keys";

/** A hub's key, a runner's, and what either shows the other, for tests that play the hub. */
export function provingHub() {
  const hub = createSigningKey();
  const key = createDeviceSigningKey(crypto.randomUUID());
  const nonce = "nonce-of-the-test-hub";
  const host = "the test hub";
  const proven = (url: string) => ({ url, host, key: hub.publicKey, nonce });
  return {
    /** The runner's. */
    key,
    /** As `locateHub` would have found it. */
    find: (url: string) => (): Promise<VerifiedHub> => Promise.resolve(proven(url)),
    /** The same for a runner in a process of its own: see `provenOptions`. */
    forProcess: (url: string) => ({ proven: proven(url), keyText: key.text }),
    /** What a runner's request must show. */
    isRunner: (request: Request) =>
      request.headers.get("authorization")?.includes(`${key.device}.`) ?? false,
    /** The first frame of a link that this request opens. */
    proof: (request: Request) => {
      const text = linkProofText(request.headers.get("authorization") ?? "", host);
      return JSON.stringify({ type: "hub", proof: hub.sign(text) });
    },
  };
}

/** What `startRunner` takes of what `forProcess` has put into JSON. */
export function provenOptions({ proven, keyText }: { proven: VerifiedHub; keyText: string }) {
  const key = readDeviceSigningKey(keyText);
  if (!key) throw new Error("not a key");
  return { hub: () => Promise.resolve(proven), key, verifyDecisions: false };
}
