import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { LineView } from "@signalbox/protocol";
import { isObject, parseObject, pastProxies } from "@signalbox/protocol/wire";
import { type HubLine, transcriptOfLines } from "./lines-to-transcript.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A transcript at an address: JSONL, as it lies on disk elsewhere. A socket's address is asked by HTTP. */
export async function fetchTranscript(address: string, environment: Environment): Promise<string> {
  const url = new URL(address);
  if (url.protocol === "ws:" || url.protocol === "wss:") {
    url.protocol = url.protocol === "ws:" ? "http:" : "https:";
  }
  const token = environment["CLAUDE_CODE_SESSION_ACCESS_TOKEN"];
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(url, { ...pastProxies(url.href), headers }).catch(
    (cause: unknown) => {
      throw new Error(`${url.href} cannot be reached. Is a server running there?`, { cause });
    },
  );
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}.`);
  return response.text();
}

interface HubAddress {
  readonly url: string;
  readonly token: string;
}

/** `SIGNALBOX_URL` and `SIGNALBOX_TOKEN`, or what the hub of this user left in its folder. */
async function hubAddress(environment: Environment): Promise<HubAddress> {
  const { SIGNALBOX_URL: url, SIGNALBOX_TOKEN: token } = environment;
  if (url !== undefined && token !== undefined) return { url, token };
  const home = environment["HOME"] ?? homedir();
  const shared = environment["XDG_DATA_HOME"] ?? join(home, ".local/share");
  const folder = environment["SIGNALBOX_DATA"] ?? join(shared, "signalbox");
  const text = await readFile(join(folder, "hub.json"), "utf8").catch(() => "");
  const found = parseObject(text);
  if (isObject(found) && typeof found["url"] === "string" && typeof found["token"] === "string") {
    return { url: found["url"], token: found["token"] };
  }
  throw new Error(
    "No hub runs here to fetch the session from. Start one with `signalbox serve`, or set SIGNALBOX_URL and SIGNALBOX_TOKEN.",
  );
}

/** A session's conversation out of a hub's log of lines. */
export async function fetchFromHub(
  session: string,
  environment: Environment,
): Promise<{ id: string; text: string }> {
  const { url, token } = await hubAddress(environment);
  const get = async (path: string): Promise<Response> => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(url + path, { ...pastProxies(url), headers }).catch(
      (cause: unknown) => {
        throw new Error(
          `The hub at ${url} cannot be reached. Start it with \`signalbox serve\`, or set SIGNALBOX_URL and SIGNALBOX_TOKEN to one that runs.`,
          { cause },
        );
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
