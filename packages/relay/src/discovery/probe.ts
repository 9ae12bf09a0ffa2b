import { randomBytes } from "node:crypto";
import { readShortJson } from "@signalbox/api/proof";
import { identityProof } from "@signalbox/api/schemas";
import { parseObject } from "@signalbox/protocol";
import { bypassProxyForLoopback } from "@signalbox/protocol/proxy";
import { HUB_HEADER } from "../admission/paths.ts";

/** The ports on which relays listen: agents-ui scans these ten. */
export const DISCOVERY_PORTS: readonly number[] = Array.from({ length: 10 }, (_, at) => 8765 + at);
const PROBE_TIMEOUT_MS = 1500;
/** For a port that a person has named, or on which a relay was found before. */
export const PATIENT_TIMEOUT_MS = 10_000;
/** A relay says at once whether its agent is connected; a relay without one sends nothing. */
const STATUS_TIMEOUT_MS = 500;

/** The program that listens on a port of this machine. */
type FoundHub = { readonly port: number; readonly kind: "hub"; readonly hub: string };
export type FoundListener =
  | FoundHub
  | { readonly port: number; readonly kind: "relay"; readonly agent: "connected" | "none" };

/** Connects once and disconnects: nothing stays open, and nothing reconnects. */
export async function probePort(
  port: number,
  withinMs = PROBE_TIMEOUT_MS,
): Promise<FoundListener | undefined> {
  const hub = await probeHub(port, withinMs);
  if (hub === "nobody") return undefined;
  return hub ?? (await probeRelay(port, withinMs));
}

export async function probePorts(
  ports: readonly number[] = DISCOVERY_PORTS,
): Promise<FoundListener[]> {
  const found = await Promise.all(ports.map((port) => probePort(port)));
  return found.flatMap((each) => each ?? []);
}

/** A Signalbox hub answers a challenge. Only a device that knows its key can verify the answer. */
export async function probeHub(
  port: number,
  withinMs: number,
): Promise<FoundHub | "nobody" | undefined> {
  let response: Response;
  try {
    const url = `http://127.0.0.1:${port}/api/identity`;
    response = await fetch(url, {
      ...bypassProxyForLoopback(url),
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ challenge: randomBytes(32).toString("hex") }),
      signal: AbortSignal.timeout(withinMs),
      redirect: "manual",
    });
  } catch (failure) {
    return (failure as { code?: string }).code === "ConnectionRefused" ? "nobody" : undefined;
  }
  const proof = identityProof.safeParse(await readShortJson(response));
  return proof.success ? { port, kind: "hub", hub: proof.data.hub } : undefined;
}

// The browser's types of WebSocket know no headers; Bun's WebSocket does.
const HubSocket = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket;

/**
 * Connects as a front end and says that it is a hub: a hub that was too busy to answer the
 * challenge then refuses it, so that no two hubs show each other's sessions.
 */
export function openFrontEndSocket(port: number): WebSocket {
  return new HubSocket(`ws://127.0.0.1:${port}/ws`, { headers: { [HUB_HEADER]: "1" } });
}

async function probeRelay(port: number, withinMs: number): Promise<FoundListener | undefined> {
  const socket = openFrontEndSocket(port);
  const answered = Promise.withResolvers<FoundListener | undefined>();
  const none: FoundListener = { port, kind: "relay", agent: "none" };
  const late = setTimeout(() => answered.resolve(undefined), withinMs);
  let quiet: ReturnType<typeof setTimeout> | undefined;
  socket.addEventListener("open", () => {
    quiet = setTimeout(() => answered.resolve(none), STATUS_TIMEOUT_MS);
  });
  socket.addEventListener("message", ({ data }) => {
    const status = readRelayStatus(String(data));
    const agent = status?.endsWith("disconnected") === true ? "none" : "connected";
    answered.resolve({ port, kind: "relay", agent });
  });
  socket.addEventListener("error", () => {}); // its close follows
  socket.addEventListener("close", () => answered.resolve(undefined));
  try {
    return await answered.promise;
  } finally {
    clearTimeout(late);
    clearTimeout(quiet);
    socket.close();
  }
}

/** The relay's own status about its agent. Undefined: the line comes from the agent. */
export function readRelayStatus(line: string): string | undefined {
  const body = parseObject(line.trim());
  if (typeof body === "string" || body["type"] !== "status") return undefined;
  return typeof body["text"] === "string" && body["text"].startsWith("claude code ")
    ? body["text"]
    : undefined;
}
