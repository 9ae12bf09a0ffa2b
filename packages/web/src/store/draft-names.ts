const NEW_SESSION = "new-session/";

/** The name of the draft of a new session: one for each project from which it is begun, and one for all others. */
export function newSessionDraftName(folder?: string, runner?: string): string {
  return folder === undefined ? NEW_SESSION : `${NEW_SESSION}${runner ?? ""}${folder}`;
}

export function isNewSessionDraft(name: string): boolean {
  return name.startsWith(NEW_SESSION);
}

/** The name of the draft of a new session that begins with the message of a deleted one. */
export function prefilledDraftName(message: string): string {
  return `prefilled/${message}`;
}

/** How drafts of new sessions were named while they held a form's value, and their names today. */
export function renameEarlierDraft(name: string): string | undefined {
  if (name === "new-session") return NEW_SESSION;
  return name.startsWith("carried/")
    ? prefilledDraftName(name.slice("carried/".length))
    : undefined;
}
