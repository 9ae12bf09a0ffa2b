import type { Paired } from "@signalbox/protocol";
import { Caller, type Fetch } from "./caller.ts";

/** Turns a one-time code into a credential of one's own. Tried once: a code works once. */
export function pair(hub: {
  url: string;
  code: string;
  name: string;
  fetch?: Fetch;
}): Promise<Paired> {
  const { url, code, name, fetch = globalThis.fetch } = hub;
  const backOff = { firstMs: 0, mostMs: 0 };
  const credentials = { get: () => undefined };
  // A browser's own `fetch` works only as a function of the window.
  const call: Fetch = (address, init) => fetch(address, init);
  const caller = new Caller({
    url: () => url,
    credentials,
    fetch: call,
    tries: 1,
    backOff,
    answerMs: 30_000,
  });
  return caller.json({ method: "POST", path: "/api/pair", body: { code, name }, open: true });
}
