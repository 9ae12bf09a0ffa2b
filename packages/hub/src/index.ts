export * from "./engine.ts";
export * from "./store/store.ts";
export * from "./store/open-store.ts";
export { type Backup, makeBackup } from "./backup/backup.ts";
export { type LastBackup, readLastBackup } from "./backup/last-backup.ts";
export { checkDatabase } from "./store/check-database.ts";
export { BackupError } from "./backup/backup-error.ts";
export { type RestoreResult, restoreBackup } from "./backup/restore.ts";
export { DatabaseMissingError } from "./store/existing-database.ts";
export { DatabaseRefusedError } from "./store/database-refused.ts";
export * from "./data/folder.ts";
export * from "./data/folder-lock.ts";
export * from "./data/private-file.ts";
export { type EngineOptions, type OpenEngine, openEngine } from "./services/open-engine.ts";
export { type HubOptions, type RunningHub, startHub } from "./hub.ts";
export { DEFAULT_PORT, type ListenOptions } from "./http/listen-plan.ts";
export { type Logger } from "./logging/logger.ts";
export {
  type HubExtension,
  type HubServices,
  type OpenExtension,
  type PreparedExtension,
} from "./extension.ts";
