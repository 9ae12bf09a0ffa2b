import { randomBytes } from "node:crypto";
import { identityProof, parseObject, pastProxies } from "@signalbox/protocol";

/** Where relays of this protocol's kind listen: agents-ui looks at these ten. */
export const PORTS: readonly number[] = Array.from({ length: 10 }, (_, at) => 8765 + at);
const ANSWERS_WITHIN_MS = 1500;
/** A relay says at once whether its agent is there; one without says nothing. */
const SPEAKS_WITHIN_MS = 500;

/** Who listens on a port of this machine. */
export type Found =
  | { readonly port: number; readonly kind: "hub"; readonly hub: string }
  | { readonly port: number; readonly kind: "relay"; readonly agent: "connected" | "none" };

/** Looks once and leaves: nothing is kept open, nothing reconnects. */
export async function probePort(port: number): Promise<Found | undefined> {
  const hub = await hubAt(port);
  if (hub === "nobody") return undefined;
  return hub ?? (await relayAt(port));
}

export async function probeAll(ports: readonly number[] = PORTS): Promise<Found[]> {
  const found = await Promise.all(ports.map(probePort));
  return found.flatMap((each) => each ?? []);
}

/** Our hubs answer a challenge; that the answer is right, only whoever has the key can tell. */
async function hubAt(port: number): Promise<Found | "nobody" | undefined> {
  let response: Response;
  try {
    const url = `http://127.0.0.1:${port}/api/identity`;
    response = await fetch(url, {
      ...pastProxies(url),
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ challenge: randomBytes(32).toString("hex") }),
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      redirect: "manual",
    });
  } catch (failure) {
    return (failure as { code?: string }).code === "ConnectionRefused" ? "nobody" : undefined;
  }
  const proof = identityProof.safeParse(await response.json().catch(() => undefined));
  return proof.success ? { port, kind: "hub", hub: proof.data.hub } : undefined;
}

async function relayAt(port: number): Promise<Found | undefined> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
  const said = Promise.withResolvers<Found | undefined>();
  const none: Found = { port, kind: "relay", agent: "none" };
  const late = setTimeout(() => said.resolve(undefined), ANSWERS_WITHIN_MS);
  let quiet: ReturnType<typeof setTimeout> | undefined;
  socket.addEventListener("open", () => {
    quiet = setTimeout(() => said.resolve(none), SPEAKS_WITHIN_MS);
  });
  socket.addEventListener("message", ({ data }) => {
    const status = statusOf(String(data));
    const agent = status?.endsWith("disconnected") === true ? "none" : "connected";
    said.resolve({ port, kind: "relay", agent });
  });
  socket.addEventListener("error", () => {}); // its close follows
  socket.addEventListener("close", () => said.resolve(undefined));
  try {
    return await said.promise;
  } finally {
    clearTimeout(late);
    clearTimeout(quiet);
    socket.close();
  }
}

/** A relay's own words about its agent; undefined: the agent's. */
export function statusOf(line: string): string | undefined {
  const body = parseObject(line.trim());
  if (typeof body === "string" || body["type"] !== "status") return undefined;
  return typeof body["text"] === "string" && body["text"].startsWith("claude code ")
    ? body["text"]
    : undefined;
}
