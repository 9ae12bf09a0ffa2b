import { type JsonObject, parseObject } from "@signalbox/protocol/wire";
import type { StoredMessage } from "../agent.ts";
import { isUuid } from "../command-line/read-options.ts";
import { withKept } from "./kept-messages.ts";

/** What a transcript holds: the conversation's newest branch, and all else that is needed to go on. */
export interface Transcript {
  readonly conversation: readonly StoredMessage[];
  readonly snapshots: readonly JsonObject[];
  readonly prompts: ReadonlySet<string>;
  /** The line that the next one follows. */
  readonly leaf: string | undefined;
  /** The session that it says it is: a file may lie anywhere under any name. */
  readonly sessionId: string | undefined;
  /** The kind of agent that led it last, where it was not ours. */
  readonly agent: string | undefined;
}

const TYPES = new Set<unknown>(["user", "assistant", "system", "attachment"]);
const CHECKPOINTS = new Set<unknown>(["file-history-snapshot", "file-history-delta"]);

/**
 * Reads a transcript as Claude Code writes it: a tree by `parentUuid`, with many kinds of lines
 * between. A torn line (a crash in the middle of a write) is passed over, wherever it is.
 */
export function readTranscript(text: string): Transcript {
  const messages = new Map<string, StoredMessage>();
  const snapshots: JsonObject[] = [];
  const prompts = new Set<string>();
  let leaf: StoredMessage | undefined;
  let agent: string | undefined;
  for (const line of text.split("\n")) {
    const body = line === "" ? "not JSON" : parseObject(line);
    if (typeof body === "string") continue;
    if (CHECKPOINTS.has(body["type"])) snapshots.push(body);
    if (body["type"] === "agent-setting") agent = String(body["agentSetting"]);
    if (!isMessage(body)) continue;
    messages.set(body.uuid ?? "", body);
    if (body["isSidechain"] === true) continue;
    leaf = body;
    if (body.type === "user") prompts.add(body.uuid ?? "");
  }
  const conversation = withKept(branchTo(leaf, messages), messages);
  const said = leaf?.["sessionId"];
  const sessionId = typeof said === "string" && isUuid(said) ? said : undefined;
  return { conversation, snapshots, prompts, leaf: leaf?.uuid, sessionId, agent };
}

function isMessage(body: JsonObject): body is JsonObject & StoredMessage {
  return TYPES.has(body["type"]) && typeof body["uuid"] === "string";
}

/** From the leaf to the root, turned around. A compaction's boundary has no parent: it is the root. */
function branchTo(
  leaf: StoredMessage | undefined,
  messages: ReadonlyMap<string, StoredMessage>,
): StoredMessage[] {
  const branch: StoredMessage[] = [];
  const seen = new Set<string>();
  for (let at = leaf; at && !seen.has(at.uuid ?? "");) {
    branch.push(at);
    seen.add(at.uuid ?? "");
    const parent = at["parentUuid"];
    at = typeof parent === "string" ? messages.get(parent) : undefined;
  }
  return branch.toReversed();
}

/** The conversation up to and with this message; undefined: it is not in it. */
export function cutAfter(
  conversation: readonly StoredMessage[],
  uuid: string,
): readonly StoredMessage[] | undefined {
  const at = conversation.findIndex((message) => message.uuid === uuid);
  return at === -1 ? undefined : conversation.slice(0, at + 1);
}
