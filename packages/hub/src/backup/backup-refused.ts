/** A backup cannot be made or restored; the message says why and what to do. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
  readonly code = "BACKUP_REFUSED";
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
