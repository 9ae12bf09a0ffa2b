export * from "./engine.ts";
export * from "./log/store.ts";
export * from "./log/open-store.ts";
export { type Backup, makeBackup } from "./backup/backup.ts";
export { type LastBackup, readLastBackup } from "./backup/last-backup.ts";
export { lookAtDatabase } from "./log/look-at-database.ts";
export { BackupRefused } from "./backup/backup-refused.ts";
export { type Restored, restoreBackup } from "./backup/restore.ts";
export { DatabaseMissing } from "./log/existing-database.ts";
export { DatabaseRefused } from "./log/database-refused.ts";
export * from "./data/folder.ts";
export * from "./data/lock.ts";
export * from "./data/private-file.ts";
export { type EngineOptions, type OpenEngine, openEngine } from "./services/open-engine.ts";
export { type HubOptions, type RunningHub, startHub } from "./hub.ts";
export { DEFAULT_PORT, type ListenOptions } from "./http/listen-plan.ts";
export { type Log } from "./http/log.ts";
export {
  type HubExtension,
  type HubServices,
  type OpenExtension,
  type PreparedExtension,
} from "./extension.ts";
