import { createHash } from "node:crypto";
import { HubRefusal } from "../engine.ts";
import type { MakeReceipt } from "../store/make-receipt.ts";
import { type Change, type Store, StoreError } from "../store/store.ts";

export interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}
interface ReceivedCommand {
  readonly id: string;
  readonly device: string;
  /** A hash of method, path and body. */
  readonly request: string;
  /** The session that the command is about, if its path names one. */
  readonly session: string | null;
}

export function hashRequest(method: string, path: string, body: string): string {
  return createHash("sha256").update(`${method} ${path}\n${body}`).digest("hex");
}

/**
 * Runs a command once even if it is sent twice, and gives both the same answer, also while the first still
 * runs. A refused command has done nothing and leaves no receipt, so it may be tried again.
 */
export class ReceiptService {
  readonly #store: Store;
  readonly #running = new Map<
    string,
    { command: ReceivedCommand; answer: Promise<StoredAnswer> }
  >();

  constructor(store: Store) {
    this.#store = store;
  }

  async runOnce(
    command: ReceivedCommand,
    run: (makeReceipt: MakeReceipt<StoredAnswer>) => Promise<StoredAnswer>,
  ): Promise<StoredAnswer> {
    const running = this.#running.get(command.id);
    if (running) {
      requireSameRequest(command, running.command);
      return running.answer;
    }
    const answer = this.#run(command, run);
    this.#running.set(command.id, { command, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(command.id);
    }
  }

  async #run(
    command: ReceivedCommand,
    run: (makeReceipt: MakeReceipt<StoredAnswer>) => Promise<StoredAnswer>,
  ): Promise<StoredAnswer> {
    const before = await this.#findAnswer(command);
    if (before) return before;
    let storedAnswer: StoredAnswer | undefined;
    const createReceipt = (answer: StoredAnswer): Change[] => {
      const session = command.session ?? findSessionId(answer.body);
      const row = { ...command, ...answer, session, at: Date.now() };
      return [{ kind: "receipt", row }];
    };
    try {
      const answer = await run((answer) => {
        storedAnswer = answer;
        return createReceipt(answer);
      });
      if (storedAnswer) return storedAnswer;
      // The command has succeeded. A receipt that cannot be written must not make it look like a failure.
      const failure: unknown = await this.#store.commit(createReceipt(answer)).then(
        () => undefined,
        (why: unknown) => why,
      );
      const first = isConflict(failure) && (await this.#findAnswer(command));
      return first || answer;
    } catch (error) {
      // A command whose receipt is stored has succeeded, whatever went wrong afterwards. If another hub
      // has answered the same command, that answer counts.
      const accepted = (storedAnswer || isConflict(error)) && (await this.#findAnswer(command));
      if (accepted) return accepted;
      throw error;
    }
  }

  async #findAnswer(command: ReceivedCommand): Promise<StoredAnswer | undefined> {
    const receipt = await this.#store.receipt(command.id);
    if (!receipt) return undefined;
    requireSameRequest(command, receipt);
    if (receipt.status === 410) {
      throw new HubRefusal(410, "session-deleted", "The session of this command was deleted.");
    }
    return { status: receipt.status, body: receipt.body };
  }
}

function isConflict(failure: unknown): boolean {
  return failure instanceof StoreError && failure.why === "conflict";
}

/** The session of an answer whose path names none: a new session, or that of an ask. */
function findSessionId(body: string): string | null {
  if (!body.startsWith("{")) return null;
  const { session, folder, id } = JSON.parse(body) as Record<string, unknown>;
  if (typeof session === "string") return session;
  return typeof folder === "string" && typeof id === "string" ? id : null;
}

function requireSameRequest(
  command: ReceivedCommand,
  first: { device: string; request: string },
): void {
  if (first.device === command.device && first.request === command.request) return;
  throw new HubRefusal(
    409,
    "command-id-used",
    "This command id was already used for another command. Use a new id for each command.",
  );
}
