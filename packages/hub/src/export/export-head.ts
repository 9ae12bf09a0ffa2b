/** What stands at the top of an export. */
export interface ExportHead {
  readonly title: string;
  readonly folder: string;
  /** When the session was last active, as a person reads it. */
  readonly at: string;
}
