import { decode, type HostAnswer, isObject, parseObject, readAnswer } from "@signalbox/protocol";
import type { LineRow, Store } from "../log/store.ts";
import type { Counted } from "./dial-speech.ts";
import type { Remembered } from "./plain-speech.ts";

/** As many as the agent's own buffer holds, and some. */
const LOOKED_AT = 2000;
const ALL = Number.MAX_SAFE_INTEGER;
/** The answer to `initialize` is among the first lines. */
const FIRST_LINES = 20;

/** What an agent answered to `initialize` in a run; undefined: that is not in the log. */
export async function initializeAnswer(
  store: Store,
  session: string,
  run: string,
): Promise<HostAnswer<"initialize"> | undefined> {
  for (const { text } of await store.runLines(session, run, "agent", FIRST_LINES)) {
    const line = decode(text);
    if (line.kind !== "known" || line.message.type !== "control_response") continue;
    const answer = readAnswer(line.message);
    if (answer?.ok && isObject(answer.value)) return answer.value;
  }
  return undefined;
}

/** By what the words of an agent that speaks plainly are recognised when it says them again. */
export async function rememberedOf(store: Store, session: string): Promise<Remembered> {
  const rows = await store.linesBefore(session, undefined, LOOKED_AT);
  const said = rows.filter(({ from }) => from === "agent");
  return { uuids: said.flatMap(uuidOf), messages: new Set(said.flatMap(messageOf)) };
}

function uuidOf({ text }: LineRow): [string, string][] {
  const body = parseObject(text);
  if (typeof body === "string" || typeof body["uuid"] !== "string") return [];
  return [[body["uuid"], String(Bun.hash(text))]];
}

function messageOf({ text }: LineRow): string[] {
  const body = parseObject(text);
  if (typeof body === "string" || body["type"] !== "assistant") return [];
  const { message } = body;
  return isObject(message) && typeof message["id"] === "string" ? [message["id"]] : [];
}

/** How far numbered lines had come when the hub that counted them ended. */
export async function countedOf(
  store: Store,
  session: string,
  run: string,
  storedSeq: number,
): Promise<Counted> {
  const [{ first, others }, host] = await Promise.all([
    store.tally(session, run),
    store.runLines(session, run, "host", ALL),
  ]);
  const agent = first === null ? 0 : storedSeq - first + 1 - others;
  return { agent, host: host.map(({ text }) => text) };
}
