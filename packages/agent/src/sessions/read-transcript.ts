import { type JsonObject, parseObject } from "@signalbox/protocol/wire";
import type { StoredMessage } from "../agent.ts";
import { isUuid } from "../command-line/parse-options.ts";
import { withKept } from "./kept-messages.ts";
import { MessageTree } from "./message-tree.ts";

/** What a transcript holds: the conversation's newest branch, and all else that is needed to go on. */
interface Transcript {
  readonly conversation: readonly StoredMessage[];
  readonly snapshots: readonly JsonObject[];
  readonly prompts: ReadonlySet<string>;
  /** The line that the next one follows. */
  readonly leaf: string | undefined;
  /** The session that it says it is: a file may lie anywhere under any name. */
  readonly sessionId: string | undefined;
  /** The kind of agent that led it last, where it was not ours. */
  readonly agent: string | undefined;
  /** What a person called it last. */
  readonly title: string | undefined;
  /** What it had cost when that was written down last. */
  readonly costs: JsonObject | undefined;
}

const CHECKPOINTS = new Set<unknown>(["file-history-snapshot", "file-history-delta"]);

/**
 * Reads a transcript as Claude Code writes it: a tree by `parentUuid`, with many kinds of lines
 * between. A torn line (a crash in the middle of a write) is passed over, wherever it is.
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
  const leaf = tree.leaf(named);
  const conversation = withKept(tree.branchTo(leaf), tree.messages);
  const said = leaf?.["sessionId"];
  const sessionId = typeof said === "string" && isUuid(said) ? said : undefined;
  const [prompts, last] = [tree.prompts(), leaf?.uuid];
  return { conversation, snapshots, prompts, leaf: last, sessionId, agent, title, costs };
}

/** The conversation up to and with this message; undefined: it is not in it. */
export function cutAfter(
  conversation: readonly StoredMessage[],
  uuid: string,
): readonly StoredMessage[] | undefined {
  const at = conversation.findIndex((message) => message.uuid === uuid);
  return at === -1 ? undefined : conversation.slice(0, at + 1);
}
