/** `@signalbox/hub/store`: the hub's database, opened without a hub. */
export { checkDatabase } from "./check-database.ts";
export { DatabaseRefusedError } from "./database-refused.ts";
export { DatabaseMissingError } from "./existing-database.ts";
export { openStore, type StoreOptions } from "./open-store.ts";
export {
  type AskRow,
  type AuditRow,
  type AuditSigning,
  type AuditVerdict,
  type ByteRange,
  type Change,
  type CheckpointRow,
  type CheckResult,
  type DeviceRow,
  type Fence,
  type HeadRow,
  type ItemRow,
  type LineRow,
  type IdPageRow,
  type NewAuditEntry,
  type OrderRow,
  type PromptRow,
  type ReceiptRow,
  type ResumePoint,
  type RunLineCounts,
  type RunnerClaim,
  type RunRow,
  type SessionProgress,
  type SessionRow,
  type Store,
  type StoredSession,
  StoreError,
  type StoreFailure,
  type StoreHealth,
  type StoreTrouble,
} from "./store.ts";
