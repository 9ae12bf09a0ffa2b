import type { StoreHealth } from "./store.ts";

/** Where a store lies and how it is opened. */
export interface StoreLocation {
  readonly folder: string;
  readonly file: string;
  /** Set where nothing can be written from the start. */
  readonly readOnlyHealth: StoreHealth | undefined;
  readonly retryMs: number;
  readonly checkMs: number;
  /** The private key with which audit entries are signed, where there is one already. */
  readonly auditKey: string | undefined;
  readonly release: () => void;
}
