import type { NewPrompt } from "@signalbox/api";

/** A typed message that is not known to have reached the hub. `id` is the id of its command. */
export interface UnsentMessage {
  readonly id: string;
  readonly session: string;
  readonly prompt: NewPrompt;
  readonly at: number;
  /** Increases in the order in which messages were typed. */
  readonly nth: number;
  /**
   * The hub's error, if it refused the message, which stays until it is sent again or discarded.
   */
  readonly refused?: string;
  /** The answer to an attempt was lost, so the message may have arrived. */
  readonly tried?: boolean;
}

/** Where unsent messages are stored. A page passes a storage that outlives it. */
export interface OutboxStorage {
  list(): Promise<readonly UnsentMessage[]>;
  put(message: UnsentMessage): Promise<void>;
  remove(id: string): Promise<void>;
  /** Calls the listener when another program, such as another window, has changed the storage. */
  onChange?(listener: () => void): void;
  /** Runs work while no other user of the same storage runs any. */
  exclusively?<T>(work: () => Promise<T>): Promise<T>;
}

/** A storage in memory, which ends with its process. */
export function createMemoryStorage(): OutboxStorage {
  const messages = new Map<string, UnsentMessage>();
  return {
    list: () => Promise.resolve([...messages.values()]),
    put: (message) => Promise.resolve(void messages.set(message.id, message)),
    remove: (id) => Promise.resolve(void messages.delete(id)),
  };
}
