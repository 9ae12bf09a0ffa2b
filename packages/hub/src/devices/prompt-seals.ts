import { createHmac, hkdfSync } from "node:crypto";
import { canonicalJson } from "@signalbox/api/proof";
import type { PromptRow, Store } from "../store/store.ts";

type Unsealed = Omit<PromptRow, "seal">;

/**
 * Proves which stored messages the hub has accepted. Rows of the table `prompts` are sent to agents, so that
 * whoever can write the database could drive every agent with them. Only who has the hub's key can make a seal.
 */
export class PromptSeals {
  readonly #key: Buffer;
  /** Messages that were stored before there were seals count once more; called when they have got theirs. */
  readonly #onAdopted: (() => void) | undefined;

  constructor(privateKey: string, onAdopted?: () => void) {
    this.#key = Buffer.from(hkdfSync("sha256", privateKey, "", "signalbox prompts", 32));
    this.#onAdopted = onAdopted;
  }

  /** The seal of what a person said. Where it waits, and the run that it was sent to, change later. */
  seal({ id, session, text, images, context, at }: Unsealed): string {
    const sealedFields = { id, session, text, images, ...(context !== null && { context }), at };
    const sealed = canonicalJson(sealedFields);
    return createHmac("sha256", this.#key).update(sealed).digest("base64url");
  }

  /** The stored messages that this hub has accepted, and the others. */
  async load(store: Store): Promise<{ accepted: PromptRow[]; refused: PromptRow[] }> {
    const stored = await store.prompts();
    if (this.#onAdopted) return { accepted: await this.#adopt(store, stored), refused: [] };
    const isAccepted = (row: PromptRow) => row.seal === this.seal(row);
    return {
      accepted: stored.filter(isAccepted),
      refused: stored.filter((row) => !isAccepted(row)),
    };
  }

  async #adopt(store: Store, stored: readonly PromptRow[]): Promise<PromptRow[]> {
    const sealed = stored.map((row) => ({ ...row, seal: this.seal(row) }));
    try {
      await store.commit(sealed.map((row) => ({ kind: "prompt", row }) as const));
      this.#onAdopted?.();
    } catch {
      // Nothing can be stored; the next start tries again.
    }
    return sealed;
  }
}
