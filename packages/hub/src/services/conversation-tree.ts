import type { ConversationBranch } from "@signalbox/api";
import type { Store } from "../store/store.ts";
import { type LogStep, readLogSteps } from "./read-log.ts";

const TEXT_LENGTH = 120;

interface TreeNode {
  readonly parent: string | null;
  /** The agent's own id of the conversation in which the message was written. */
  readonly conversation: string | undefined;
  readonly at: number;
  readonly prompt: string | undefined;
}

/**
 * The messages of a session as a tree: a conversation that goes back to an earlier message leaves a branch behind.
 */
export class ConversationTree {
  readonly #nodes = new Map<string, TreeNode>();
  /** The last message of each of the agent's conversations, which ends the chain that the agent has. */
  readonly #ends = new Map<string, string>();
  #current: string | null = null;

  static async read(store: Store, session: string): Promise<ConversationTree> {
    const tree = new ConversationTree();
    for await (const step of readLogSteps(store, session)) tree.#add(step);
    return tree;
  }

  /** The last message of the conversation as it goes on; null: it is empty. */
  get current(): string | null {
    return this.#current;
  }

  find(uuid: string): TreeNode | undefined {
    return this.#nodes.get(uuid);
  }

  /** Whether the agent can continue after a message: its own conversation still leads to it. */
  isReachable(uuid: string): boolean {
    const conversation = this.#nodes.get(uuid)?.conversation;
    const end = conversation === undefined ? undefined : this.#ends.get(conversation);
    return end !== undefined && this.#listChain(end).has(uuid);
  }

  /** The ends of all branches, the newest first. */
  listBranches(): ConversationBranch[] {
    const parents = new Set([...this.#nodes.values()].map(({ parent }) => parent));
    const current = this.#listChain(this.#current);
    const ends = [...this.#nodes.keys()].filter((uuid) => !parents.has(uuid));
    if (this.#current !== null && !ends.includes(this.#current)) ends.push(this.#current);
    return ends.map((end) => this.#describe(end, current)).toSorted((a, b) => b.at - a.at);
  }

  #describe(end: string, current: ReadonlySet<string>): ConversationBranch {
    const isCurrent = end === this.#current;
    let [messages, text] = [0, ""];
    let [from, prompt] = [null as string | null, null as string | null];
    for (let at: string | null = end; at !== null; at = this.#nodes.get(at)?.parent ?? null) {
      if (!isCurrent && current.has(at)) {
        from = at;
        break;
      }
      messages++;
      const words = this.#nodes.get(at)?.prompt;
      if (words !== undefined) [prompt, text] = [at, words];
    }
    const at = this.#nodes.get(end)?.at ?? 0;
    const isReachable = this.isReachable(end);
    return { end, from, prompt, text, messages, at, isCurrent, isReachable };
  }

  #listChain(end: string | null): Set<string> {
    const chain = new Set<string>();
    for (let at = end; at !== null && !chain.has(at); at = this.#nodes.get(at)?.parent ?? null) {
      chain.add(at);
    }
    return chain;
  }

  #add({ from, uuid, isMessage, isMain, rewoundTo, conversation, at, prompt }: LogStep): void {
    if (rewoundTo !== undefined) this.#current = rewoundTo;
    if (!isMessage || !isMain || from !== "agent" || uuid === undefined) return;
    if (!this.#nodes.has(uuid)) {
      const text = prompt?.trim().slice(0, TEXT_LENGTH);
      this.#nodes.set(uuid, { parent: this.#current, conversation, at, prompt: text });
    }
    if (conversation !== undefined) this.#ends.set(conversation, uuid);
    this.#current = uuid;
  }
}
