import type { Change } from "./store.ts";

/**
 * Makes the changes, such as a command's receipt, that are stored in the same transaction as the command's
 * effect: both or neither, so that a command that is repeated after a crash is recognized. They are made
 * from the command's answer.
 */
export type StoredTogether<T> = (answer: T) => readonly Change[];
