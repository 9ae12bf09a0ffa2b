import type { LineView } from "@signalbox/api";
import { bypassProxyForLoopback } from "@signalbox/protocol/proxy";
import { type Environment, openHubAccess, unreachable } from "./hub-access.ts";
import { type HubLine, transcriptOfLines } from "./lines-to-transcript.ts";

/**
 * Fetches a transcript from an address, as JSONL. For the address of a socket the HTTP address is
 * used.
 */
export async function fetchTranscript(address: string, environment: Environment): Promise<string> {
  const url = new URL(address);
  if (url.protocol === "ws:" || url.protocol === "wss:") {
    url.protocol = url.protocol === "ws:" ? "http:" : "https:";
  }
  const token = environment["CLAUDE_CODE_SESSION_ACCESS_TOKEN"];
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(url, { ...bypassProxyForLoopback(url.href), headers }).catch(
    (cause: unknown) => {
      throw new Error(`${url.href} cannot be reached. Is a server running there?`, { cause });
    },
  );
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}.`);
  return response.text();
}

/** Fetches the conversation of a session from a hub's log of lines. */
export async function fetchFromHub(
  session: string,
  environment: Environment,
): Promise<{ id: string; text: string }> {
  const hub = await openHubAccess(environment);
  const { url } = hub;
  const get = async (path: string): Promise<Response> => {
    const headers = { Authorization: hub.authorization(path) };
    const response = await fetch(url + path, { ...bypassProxyForLoopback(url), headers }).catch(
      (cause: unknown) => {
        throw unreachable(url, cause);
      },
    );
    if (response.ok) return response;
    throw new Error(
      `The hub does not hand out session ${session}: it answered ${response.status}.`,
    );
  };
  const lines: HubLine[] = [];
  for (let after = 0; ;) {
    const path = `/api/sessions/${encodeURIComponent(session)}/lines?after=${after}&limit=1000`;
    const page = (await (await get(path)).json()) as { lines: LineView[]; more: boolean };
    for (const { from, text, blob } of page.lines) {
      const whole =
        text ?? (blob === undefined ? "" : await (await get(`/api/blobs/${blob}`)).text());
      lines.push({ from, text: whole });
    }
    after = page.lines.at(-1)?.pos ?? after;
    if (!page.more || page.lines.length === 0) break;
  }
  return transcriptOfLines(lines, session);
}
