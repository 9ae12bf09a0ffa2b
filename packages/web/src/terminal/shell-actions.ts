import type { TerminalView } from "@signalbox/api";
import { requestConfirmation } from "../navigation/confirm.ts";
import { go, sessionPath, terminalPath } from "../navigation/router.ts";
import type { AppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";

const text = strings.terminals;

/** Terminals that this page has opened: it decides their first size. */
const openedHere = new Set<string>();

export const isOpenedHere = (terminal: string) => openedHere.has(terminal);

/** The terminals of a session, the oldest first. */
export function listTerminals(
  terminals: readonly TerminalView[],
  session: string,
): readonly TerminalView[] {
  return terminals
    .filter((one) => one.session === session)
    .toSorted((a, b) => a.startedAt - b.startedAt);
}

/** Opens another shell of a session and shows it. */
export async function openShell(session: string, { client, toasts }: AppContext): Promise<void> {
  try {
    const shell = await toasts.showWhile(text.opening, client.openShell(session));
    openedHere.add(shell.id);
    go(terminalPath(session, shell.id));
  } catch (failure) {
    toasts.showError(text.couldNotOpen, failure);
  }
}

/** Goes to the session's newest shell, or opens one. From a shell it goes back to the chat. */
export function toggleShell(session: string, shown: string | undefined, app: AppContext): void {
  if (shown !== undefined) return go(sessionPath(session));
  const all = listTerminals(app.board.view.terminals, session);
  const newest = all.findLast(({ kind }) => kind === "shell");
  if (newest) return go(terminalPath(session, newest.id));
  return void openShell(session, app);
}

export async function renameShell(
  { id }: TerminalView,
  name: string,
  { client, toasts }: AppContext,
): Promise<void> {
  try {
    await client.renameTerminal(id, name);
  } catch (failure) {
    toasts.showError(text.couldNotRename, failure);
  }
}

/** Closes a shell. While its program runs, the person confirms it. */
export async function closeShell(terminal: TerminalView, app: AppContext): Promise<void> {
  const { id, session, name, end } = terminal;
  const confirmation = {
    title: text.closeTitle(inert(name)),
    text: text.closeText,
    confirmLabel: text.closeConfirm,
  };
  if (!end && !(await requestConfirmation(confirmation))) return;
  try {
    await app.client.closeTerminal(id);
    if (location.pathname === terminalPath(session, id)) go(sessionPath(session), true);
  } catch (failure) {
    app.toasts.showError(text.couldNotClose, failure);
  }
}
