import type { TerminalView } from "@signalbox/api";
import type { BoardView, Session } from "@signalbox/client";
import { go, sessionPath, AGENT_TERMINAL, terminalPath } from "../navigation/router.ts";
import type { AppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";

const text = strings.terminals;

type View = "chat" | "terminal";

/** Where a session runs, and whether it can be moved to its own terminal. */
interface TerminalAbility {
  readonly view: View;
  readonly isPossible: boolean;
}

/** Reads from the board whether a session runs in the agent's own terminal, and whether it can. */
export function findTerminalAbility(
  { runners }: Pick<BoardView, "runners">,
  { runner, driver }: Pick<Session, "runner" | "driver">,
): TerminalAbility {
  const drivers = runners.find(({ id }) => id === runner)?.drivers ?? [];
  const terminals = drivers.filter(({ capabilities }) => capabilities["terminal"] === true);
  const isInTerminal = terminals.some(({ name }) => name === driver) || driver === "pty";
  const isPossible = driver !== "relay" && (isInTerminal || terminals.length > 0);
  return { view: isInTerminal ? "terminal" : "chat", isPossible };
}

/** The agent's own terminal of the newest run. */
export function findAgentTerminal(terminals: readonly TerminalView[]): TerminalView | undefined {
  return terminals.findLast(({ kind }) => kind === "agent");
}

/** Moves a session to the other view, and shows it there. */
export async function switchView(
  session: Session,
  to: View,
  running: "wait" | "interrupt" | undefined,
  { client, toasts }: AppContext,
): Promise<void> {
  const { id } = session;
  const moving = client.switchSession(id, { to, ...(running && { running }) });
  try {
    const { switchingTo } = await toasts.showWhile(text.moving[to], moving);
    if (switchingTo !== undefined) return;
    go(to === "chat" ? sessionPath(id) : terminalPath(id, AGENT_TERMINAL));
  } catch (failure) {
    toasts.showError(text.couldNotMove, failure);
  }
}

/** The session stays where it is after all. */
export async function cancelSwitch(
  { id }: Session,
  view: View,
  { client, toasts }: AppContext,
): Promise<void> {
  try {
    await client.switchSession(id, { to: view });
  } catch (failure) {
    toasts.showError(text.couldNotMove, failure);
  }
}
