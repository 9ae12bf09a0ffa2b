/** `@signalbox/hub/backup`: a backup of a data folder in one file, and restoring it. */
export { type Backup, type BackupOptions, makeBackup } from "./backup.ts";
export { BackupError } from "./backup-error.ts";
export { type LastBackup, readLastBackup } from "./last-backup.ts";
export { restoreBackup, type RestoreResult } from "./restore.ts";
