import { bypassProxyForLoopback } from "@signalbox/protocol/proxy";

const PATIENCE_MS = 5000;
/** A reason is a sentence; what is longer comes from somebody else. */
const REASON_LENGTH = 500;

export interface DialRefusal {
  readonly status: number;
  /** What a hub of ours says of it. */
  readonly reason?: string;
}

/** Why there was no connection: the same request without an upgrade is answered with a status. */
export async function probeRefusal(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<DialRefusal | undefined> {
  const address = url.replace(/^ws/, "http");
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(address, { ...bypassProxyForLoopback(address), headers, signal });
    const reason = await readReason(response);
    return { status: response.status, ...(reason !== undefined && { reason }) };
  } catch {
    return undefined;
  }
}

async function readReason(response: Response): Promise<string | undefined> {
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json");
  if (isProblem !== true) {
    await response.body?.cancel();
    return undefined;
  }
  const problem: unknown = await response.json().catch(() => undefined);
  const detail = (problem as { detail?: unknown } | undefined)?.detail;
  return typeof detail === "string" ? detail.slice(0, REASON_LENGTH) : undefined;
}
