import type { Paired, PairRole } from "@signalbox/api";
import { Caller, type Fetch } from "./caller.ts";

interface HubAndCode {
  readonly url: string;
  readonly code: string;
  readonly fetch?: Fetch;
}

/** With a one-time code, the hub takes up this device's public key. Tried once: a code works once. */
export function pairDevice(
  hub: HubAndCode & { readonly name: string; readonly publicKey: string },
): Promise<Paired> {
  const { code, name, publicKey } = hub;
  const body = { code, name, publicKey };
  const ask = { method: "POST", path: "/api/pair", body, open: true } as const;
  return createCaller(hub).json(ask);
}

/** Whom a code would make. It is not used up by that, but a wrong one counts as a try. */
export function readPairingRole(hub: HubAndCode): Promise<PairRole> {
  const { code } = hub;
  const ask = { method: "POST", path: "/api/pair/role", body: { code }, open: true } as const;
  return createCaller(hub).json(ask);
}

function createCaller({ url, fetch = globalThis.fetch }: HubAndCode): Caller {
  const backoff = { firstMs: 0, maxMs: 0 };
  const credentials = { get: () => undefined };
  // A browser's own `fetch` works only as a function of the window.
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
