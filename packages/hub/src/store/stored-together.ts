import type { Change } from "./store.ts";

/**
 * Creates the changes, such as a command's receipt, that are stored in the same transaction as the
 * command's effect: both or neither, so that a repeated command is recognized after a crash. They
 * are created from the command's answer.
 */
export type StoredTogether<T> = (answer: T) => readonly Change[];
