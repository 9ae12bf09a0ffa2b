import type { PairedDevice, PairRole } from "@signalbox/api";
import { openRequest } from "./call-input.ts";
import { Caller, type Fetch } from "./caller.ts";

interface HubAndCode {
  readonly url: string;
  readonly code: string;
  readonly fetch?: Fetch;
}

/**
 * Registers this device's public key at the hub with a one-time code. Tried once, because a code
 * works once.
 */
export function pairDevice(
  hub: HubAndCode & { readonly name: string; readonly publicKey: string },
): Promise<PairedDevice> {
  const { code, name, publicKey } = hub;
  return createCaller(hub).json(openRequest("POST /api/pair", { code, name, publicKey }));
}

/**
 * Reads the role that a code would give. Asking does not use up the code, but a wrong code counts
 * as an attempt.
 */
export function readPairingRole(hub: HubAndCode): Promise<PairRole> {
  const { code } = hub;
  return createCaller(hub).json(openRequest("POST /api/pair/role", { code }));
}

function createCaller({ url, fetch = globalThis.fetch }: HubAndCode): Caller {
  const backoff = { firstMs: 0, maxMs: 0 };
  const credentials = { get: () => undefined };
  // A browser's own `fetch` must be called as a function of the window.
  const call: Fetch = (address, init) => fetch(address, init);
  return new Caller({
    url: () => url,
    credentials,
    fetch: call,
    tries: 1,
    backoff,
    answerMs: 30_000,
  });
}
