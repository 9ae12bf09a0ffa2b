import { type JsonObject, parseObject } from "@signalbox/protocol/wire";
import type { StoredMessage } from "../agent.ts";
import { isUuid } from "../command-line/parse-options.ts";
import { restorePreservedMessages } from "./kept-messages.ts";
import { MessageTree } from "./message-tree.ts";

/**
 * The contents of a transcript: the newest branch of the conversation, and everything else that is
 * needed to resume it.
 */
interface Transcript {
  readonly conversation: readonly StoredMessage[];
  readonly snapshots: readonly JsonObject[];
  readonly prompts: ReadonlySet<string>;
  /** The line that the next one follows. */
  readonly leaf: string | undefined;
  /** The session id in the file, which may be stored anywhere under any name. */
  readonly sessionId: string | undefined;
  /** The kind of agent that ran it last, if it was another one. */
  readonly agent: string | undefined;
  /** The title that a person gave it last. */
  readonly title: string | undefined;
  /** The cost that was recorded last. */
  readonly costs: JsonObject | undefined;
}

const CHECKPOINTS = new Set<unknown>(["file-history-snapshot", "file-history-delta"]);

/**
 * Reads a transcript in Claude Code's format: a tree by `parentUuid`, with lines of many other
 * kinds. An incomplete line (after a crash during a write) is skipped, wherever it is.
 */
export function readTranscript(text: string): Transcript {
  const tree = new MessageTree();
  const snapshots: JsonObject[] = [];
  let named: string | undefined;
  let agent: string | undefined;
  let title: string | undefined;
  let costs: JsonObject | undefined;
  for (const line of text.split("\n")) {
    const body = line === "" ? "not JSON" : parseObject(line);
    if (typeof body === "string") continue;
    const { type, leafUuid } = body;
    if (CHECKPOINTS.has(type)) snapshots.push(body);
    if (type === "agent-setting") agent = String(body["agentSetting"]);
    if (type === "custom-title") title = String(body["customTitle"]);
    if (type === "cost-state") costs = body;
    if (type === "last-prompt" && typeof leafUuid === "string") named = leafUuid;
    tree.add(body);
  }
  const leaf = tree.findLeaf(named);
  const conversation = restorePreservedMessages(tree.getBranch(leaf), tree.messages);
  const storedSessionId = leaf?.["sessionId"];
  const sessionId =
    typeof storedSessionId === "string" && isUuid(storedSessionId) ? storedSessionId : undefined;
  const [prompts, last] = [tree.prompts(), leaf?.uuid];
  return { conversation, snapshots, prompts, leaf: last, sessionId, agent, title, costs };
}

/**
 * Returns the conversation up to and including this message; undefined if the message is not in it.
 */
export function cutAfter(
  conversation: readonly StoredMessage[],
  uuid: string,
): readonly StoredMessage[] | undefined {
  const at = conversation.findIndex((message) => message.uuid === uuid);
  return at === -1 ? undefined : conversation.slice(0, at + 1);
}
