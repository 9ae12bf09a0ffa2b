import { pathToFileURL } from "node:url";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { ElicitationResult } from "@signalbox/agent";
import type { Rpc } from "./channel.ts";
import { type Question, readQuestion } from "./question.ts";

/** Handlers for a server's own messages. */
export interface Listener {
  /** The working folder, which servers may ask for; undefined for servers inside the host. */
  readonly folder?: string;
  readonly onToolsChanged: () => void;
  /** Asks a person; undefined for servers inside the host, which can ask by themselves. */
  readonly elicit?: (question: Question, signal: AbortSignal) => Promise<ElicitationResult>;
  /** Called when the task behind a link is completed. */
  readonly onElicited: (elicitationId: string) => void;
}

const NO_METHOD = { code: -32601, message: "Method not found" };
const INVALID = -32602;

/** Handles a server's own messages on one channel. */
export class ServerMessages {
  readonly #listener: Listener;
  readonly #answer: (message: Rpc) => void;
  /** Questions without an answer yet, by the server's ids. */
  readonly #open = new Map<unknown, AbortController>();

  constructor(listener: Listener, answer: (message: Rpc) => void) {
    this.#listener = listener;
    this.#answer = answer;
  }

  take({ id, method, params }: Rpc): void {
    if (id === undefined) this.#recordSignals(method, isObject(params) ? params : {});
    else if (method === "elicitation/create" && this.#listener.elicit)
      void this.#elicit(id, params);
    else this.#answer({ id, ...this.#knownAnswer(method) });
  }

  #recordSignals(method: unknown, { requestId, elicitationId }: JsonObject): void {
    if (method === "notifications/tools/list_changed") this.#listener.onToolsChanged();
    if (method === "notifications/cancelled") this.#open.get(requestId)?.abort();
    if (method === "notifications/elicitation/complete" && typeof elicitationId === "string") {
      this.#listener.onElicited(elicitationId);
    }
  }

  #knownAnswer(method: unknown): Rpc {
    if (method === "ping") return { result: {} };
    const { folder } = this.#listener;
    if (method !== "roots/list" || folder === undefined) return { error: NO_METHOD };
    return { result: { roots: [{ uri: pathToFileURL(folder).href }] } };
  }

  async #elicit(id: number | string, params: unknown): Promise<void> {
    const question = readQuestion(params);
    if (typeof question === "string") {
      const message = `Invalid elicitation request: ${question}`;
      return this.#answer({ id, error: { code: INVALID, message } });
    }
    const withdrawn = new AbortController();
    this.#open.set(id, withdrawn);
    const result = await this.#listener.elicit?.(question, withdrawn.signal);
    this.#open.delete(id);
    if (!withdrawn.signal.aborted) this.#answer({ id, result });
  }
}
