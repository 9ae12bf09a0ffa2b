import type { JsonObject } from "@signalbox/protocol/wire";
import type { StoredMessage } from "../agent.ts";
import { answerId, withParallelCalls } from "./parallel-calls.ts";

const TYPES = new Set<unknown>(["user", "assistant", "system", "attachment"]);

/** The messages of a transcript by uuid, in their order, with the parent of each. */
export class MessageTree {
  readonly messages = new Map<string, StoredMessage>();
  readonly #parents = new Map<string, string>();
  /**
   * The newest message of the conversation by its timestamp. A message whose parent is missing
   * follows it.
   */
  #latest: { readonly uuid: string; readonly at: string } | undefined;

  add(line: JsonObject): void {
    const { uuid, parentUuid } = line;
    if (typeof uuid !== "string") return;
    if (typeof parentUuid === "string")
      this.#parents.set(uuid, this.#findKnownParent(parentUuid, line));
    if (!isMessage(line)) {
      // In older files, lines of other kinds stand between messages and lead on to their parents.
      if (!this.#parents.has(uuid)) this.#parents.set(uuid, "");
      return;
    }
    this.messages.set(uuid, line);
    if (line["isSidechain"] === true) return;
    const at = typeof line["timestamp"] === "string" ? line["timestamp"] : "";
    if (!this.#latest || at >= this.#latest.at) this.#latest = { uuid, at };
  }

  #findKnownParent(parent: string, line: JsonObject): string {
    const isKnown = this.messages.has(parent) || this.#parents.has(parent);
    return isKnown || line["isSidechain"] === true ? parent : (this.#latest?.uuid ?? parent);
  }

  /**
   * The last message of the conversation. If the file names one, it is the newest message after
   * that one, because an abandoned branch may have been written to last.
   */
  findLeaf(named: string | undefined): StoredMessage | undefined {
    const main = [...this.messages.values()].filter(({ isSidechain }) => isSidechain !== true);
    const start = this.messages.get(named ?? "");
    if (!start) return main.at(-1);
    const below = this.#findParallelMessages(start);
    for (const message of main) {
      const before = this.#parents.get(message.uuid ?? "") ?? message["logicalParentUuid"];
      if (below.has(before)) below.add(message.uuid);
    }
    return main.findLast(({ uuid }) => below.has(uuid));
  }

  /**
   * Returns the ids of the message itself and of the results of calls in the same answer: the
   * conversation may continue after any of them.
   */
  #findParallelMessages(message: StoredMessage): Set<unknown> {
    const before = this.messages.get(this.#parents.get(message.uuid ?? "") ?? "");
    const answer = answerId(message) ?? (before && answerId(before));
    const all = [...this.messages.values()];
    const calls = new Set(
      all.filter((one) => answer !== undefined && answerId(one) === answer).map(({ uuid }) => uuid),
    );
    const results = all.filter(
      (one) => one.type === "user" && calls.has(this.#parents.get(one.uuid ?? "")),
    );
    return new Set([message.uuid, ...results.map(({ uuid }) => uuid)]);
  }

  /** The prompts of the conversation, on all branches. */
  prompts(): Set<string> {
    const isPrompt = ([, { type, isSidechain }]: [string, StoredMessage]) =>
      type === "user" && isSidechain !== true;
    return new Set([...this.messages].filter(isPrompt).map(([uuid]) => uuid));
  }

  /**
   * The messages from the root to the leaf. The boundary of a compaction has no parent, so it is
   * the root.
   */
  getBranch(leaf: StoredMessage | undefined): StoredMessage[] {
    const branch: StoredMessage[] = [];
    const seen = new Set<string>();
    for (let at = leaf?.uuid; at !== undefined && !seen.has(at); at = this.#parents.get(at)) {
      const message = this.messages.get(at);
      if (message) branch.push(message);
      seen.add(at);
    }
    return withParallelCalls(branch.toReversed(), this.messages);
  }
}

function isMessage(line: JsonObject): line is JsonObject & StoredMessage {
  return TYPES.has(line["type"]);
}
