import type { Change } from "./store.ts";

/**
 * Creates the changes that store the receipt of a command from the command's answer. They are stored in the
 * same transaction as the command's effect: both or neither, so that a repeated command is recognized after
 * a crash.
 */
export type MakeReceipt<T> = (answer: T) => readonly Change[];
