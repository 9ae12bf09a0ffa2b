import { decode, parseObject } from "@signalbox/protocol";
import type { HostAnswer } from "@signalbox/protocol/control";
import { isObject, readAnswer } from "@signalbox/protocol/wire";
import { AnsweredElsewhere } from "@signalbox/host/asks";
import {
  forgetFirst,
  fingerprintLine,
  PROMPT_LINE_START,
  type RelayMemory,
} from "@signalbox/host/plain-lines";
import type { Store } from "@signalbox/hub/extension";
import type { StoredProgress } from "../transport/numbered-protocol.ts";

/** Slightly more messages than the agent's own buffer holds. */
const RECENT_LINES = 2000;
const ALL = Number.MAX_SAFE_INTEGER;
/** The answer to `initialize` is among the first lines. */
const FIRST_LINES = 20;

/** An agent's answer to `initialize` in a run. Undefined: the log does not contain it. */
export async function readInitializeAnswer(
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

/**
 * The messages by which repetitions of an agent with plain lines are recognized, and its requests
 * in this run that are unanswered.
 */
export async function readRelayMemory(
  store: Store,
  session: string,
  run: string,
): Promise<RelayMemory & { pendingRequests: string[] }> {
  const uuids: [string, string][] = [];
  const messages = new Set<string>();
  const answers = new Map<string, string>();
  const asked = new Map<string, string>();
  const requests = new Set<string>();
  const unheard = new Map<string, string>();
  const elsewhere = new AnsweredElsewhere();
  for (const row of await store.linesBefore(session, undefined, RECENT_LINES)) {
    const { text, from } = row;
    const body = parseObject(text);
    if (typeof body === "string" || row.run !== run || from === "keeper") continue;
    const { type, uuid, message, request_id: id, response } = body;
    if (from === "host") {
      const answered = isObject(response) ? response["request_id"] : undefined;
      if (type === "control_response" && typeof answered === "string") answers.set(answered, text);
      if (type === "user" && typeof uuid === "string") unheard.set(uuid, text);
      continue;
    }
    if (type === "user" && typeof uuid === "string") unheard.delete(uuid);
    if (type === "result") forgetFirst(unheard);
    if (typeof uuid === "string") uuids.push([uuid, fingerprintLine(type, text)]);
    if (type === "assistant" && isObject(message) && typeof message["id"] === "string") {
      messages.add(message["id"]);
    }
    for (const request of elsewhere.onAgentLine(decode(text))) asked.delete(request);
    if (typeof id !== "string") continue;
    if (type === "control_request") {
      asked.set(id, text);
      requests.add(id);
    }
    if (type === "control_cancel_request") asked.delete(id);
  }
  const open = [...asked].filter(([id]) => !answers.has(id));
  const pendingRequests = open.map(([, text]) => text);
  const ids = { requests, asked: new Set(open.map(([id]) => id)) };
  return { uuids, messages, answers, unheard, pendingRequests, ...ids };
}

/** The uuids of the messages among the lines to an agent. */
export function findPromptIds(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const body = line.startsWith(PROMPT_LINE_START) ? parseObject(line) : "";
    return typeof body !== "string" && typeof body["uuid"] === "string" ? [body["uuid"]] : [];
  });
}

/** How far the numbered lines had come when the hub that counted them ended. */
export async function readStoredProgress(
  store: Store,
  session: string,
  run: string,
  storedSeq: number,
): Promise<StoredProgress> {
  const [{ first, others }, host] = await Promise.all([
    store.countRunLines(session, run),
    store.runLines(session, run, "host", ALL),
  ]);
  const agent = first === null ? 0 : storedSeq - first + 1 - others;
  return { agent, host: host.map(({ text }) => text) };
}
