import { createHash } from "node:crypto";
import { Refusal } from "../engine.ts";
import type { Store } from "../log/store.ts";

export interface Answer {
  readonly status: number;
  readonly body: string;
}
export interface Command {
  readonly id: string;
  readonly device: string;
  /** What was asked, as one text. */
  readonly request: string;
}

export function requestText(method: string, path: string, body: string): string {
  return createHash("sha256").update(`${method} ${path}\n${body}`).digest("hex");
}

/**
 * The same command twice runs once and is answered the same, also while the first still runs. What was
 * refused has done nothing and leaves no receipt: it may be tried again.
 */
export class Receipts {
  readonly #store: Store;
  readonly #running = new Map<string, { command: Command; answer: Promise<Answer> }>();

  constructor(store: Store) {
    this.#store = store;
  }

  async once(command: Command, run: () => Promise<Answer>): Promise<Answer> {
    const running = this.#running.get(command.id);
    if (running) {
      requireSame(command, running.command);
      return running.answer;
    }
    const answer = this.#answer(command, run);
    this.#running.set(command.id, { command, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(command.id);
    }
  }

  async #answer(command: Command, run: () => Promise<Answer>): Promise<Answer> {
    const receipt = await this.#store.receipt(command.id);
    if (receipt) {
      requireSame(command, receipt);
      return { status: receipt.status, body: receipt.body };
    }
    const answer = await run();
    const row = { ...command, ...answer, at: Date.now() };
    // Done is done: a receipt that cannot be written must not make it look like a failure.
    await this.#store.commit([{ kind: "receipt", row }]).catch(() => {});
    return answer;
  }
}

function requireSame(command: Command, first: { device: string; request: string }): void {
  if (first.device === command.device && first.request === command.request) return;
  throw new Refusal(
    409,
    "command-id-used",
    "This command id was used for something else. Make a new id for each command.",
  );
}
