import type { NewPrompt } from "@signalbox/api";

/** A message that was typed and is not known to have reached the hub. `id` is its command's. */
export interface UnsentMessage {
  readonly id: string;
  readonly session: string;
  readonly prompt: NewPrompt;
  readonly at: number;
  /** Grows: the order in which they were typed. */
  readonly nth: number;
  /** The hub's words, where it refused it. It is kept until it is sent again or thrown away. */
  readonly refused?: string;
  /** The answer to a try was lost: it may have arrived. */
  readonly tried?: boolean;
}

/** Where unsent messages are kept: a page gives one that outlives it. */
export interface OutboxStorage {
  list(): Promise<readonly UnsentMessage[]>;
  put(message: UnsentMessage): Promise<void>;
  remove(id: string): Promise<void>;
  /** Calls whenever another program, such as another window, has changed what is kept. */
  onChange?(listener: () => void): void;
  /** Does this while nobody else does the like who shares this storage. */
  exclusively?<T>(work: () => Promise<T>): Promise<T>;
}

/** Forgets everything with its process. */
export function createMemoryStorage(): OutboxStorage {
  const messages = new Map<string, UnsentMessage>();
  return {
    list: () => Promise.resolve([...messages.values()]),
    put: (message) => Promise.resolve(void messages.set(message.id, message)),
    remove: (id) => Promise.resolve(void messages.delete(id)),
  };
}
