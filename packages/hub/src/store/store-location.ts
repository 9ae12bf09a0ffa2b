import type { StoreHealth } from "./store.ts";

/** Where a store is and how it is opened. */
export interface StoreLocation {
  readonly folder: string;
  readonly file: string;
  /** Set if nothing can be written from the start. */
  readonly readOnlyHealth: StoreHealth | undefined;
  readonly retryMs: number;
  readonly checkMs: number;
  /** The private key for signing audit entries, if it already exists. */
  readonly auditKey: string | undefined;
  readonly release: () => void;
}
