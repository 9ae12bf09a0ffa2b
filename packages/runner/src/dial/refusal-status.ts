import { pastProxies } from "@signalbox/protocol";

const PATIENCE_MS = 5000;

/** Why there was no connection: the same request without an upgrade is answered with a status. */
export async function refusalStatus(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const address = url.replace(/^ws/, "http");
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { status } = await fetch(address, { ...pastProxies(address), headers, signal });
    return status;
  } catch {
    return undefined;
  }
}
