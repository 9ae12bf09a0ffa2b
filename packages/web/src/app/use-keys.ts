import type { TerminalView } from "@signalbox/api";
import type { Session } from "@signalbox/client";
import { useEffect } from "react";
import { belongsToTyping } from "../browser/typing.ts";
import { requestChangeKey } from "../changes/change-keys.ts";
import { requestFind } from "../conversation/find-request.ts";
import { requestPromptStep } from "../conversation/prompt-step.ts";
import { togglePanel, toggleSidebar } from "../frame/frame-state.ts";
import { pendingConfirmation } from "../navigation/confirm.ts";
import { openHelp, openNewSession, openPalette, overlay } from "../navigation/overlays.ts";
import { requestFileSearch } from "../files/requested-search.ts";
import { openSessionToWrite } from "../navigation/focus.ts";
import { focusNextRegion } from "../navigation/focus-region.ts";
import { go, type PageRoute } from "../navigation/router.ts";
import { groupSessions } from "../session-info/group-sessions.ts";
import { isMacKeyboard } from "../keys/key-labels.ts";
import { type AppContext, mayDecide, useAppContext } from "../store/app-context.tsx";
import { toggleShell } from "../terminal/shell-actions.ts";
import { findBinding, type KeyAction } from "../keys/key-table.ts";

/** Handles the keys of the whole page. `mayDrive`: this device may do more than look. */
export function useKeys(route: PageRoute, mayDrive: boolean): void {
  const app = useAppContext();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      const isTyping = belongsToTyping(event);
      const isMessageEmpty = isEmptyMessage(event.target);
      const action = findBinding(event, {
        isTyping,
        isMessageEmpty,
        isMac: isMacKeyboard(),
      })?.action;
      if (action === undefined || pendingConfirmation.get()) return;
      if (overlay.get() && action !== "palette") return;
      const isHandled = runAction(action, event, {
        route,
        mayDrive,
        app,
        sessions: app.board.view.sessions,
        asking: app.board.view.asks.map(({ session }) => session),
      });
      if (isHandled) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [route, mayDrive, app]);
}

interface ActionContext {
  readonly route: PageRoute;
  readonly mayDrive: boolean;
  readonly app: AppContext;
  readonly sessions: readonly Session[];
  /** The sessions with open requests, the oldest request first. */
  readonly asking: readonly string[];
}

/** Returns whether there was something to do. */
function runAction(action: KeyAction, event: KeyboardEvent, context: ActionContext): boolean {
  const { route, mayDrive } = context;
  switch (action) {
    case "palette":
      openPalette();
      return true;
    case "new-session":
      if (mayDrive) openNewSession();
      return mayDrive;
    case "previous-session":
      return goToSession(context, -1);
    case "next-session":
      return goToSession(context, 1);
    case "jump-to-session":
      return openSession(listInSidebarOrder(context.sessions)[Number(event.code.at(-1)) - 1]);
    case "next-needs-you":
      return openSession(nextAsking(context));
    case "allow":
      return (
        press("[data-role=allow], [data-role=unfold], [data-role=to-end]") ||
        (route.page === "session" && requestChangeKey(route.session, "send-review"))
      );
    case "deny":
      return press("[data-role=deny], [data-role=deny-open]");
    case "find":
      return route.page === "session" && requestFind(route.session);
    case "previous-prompt":
      return route.page === "session" && requestPromptStep(route.session, -1);
    case "next-prompt":
      return route.page === "session" && requestPromptStep(route.session, 1);
    case "sidebar":
      toggleSidebar();
      return true;
    case "panel":
      if (route.page === "session") togglePanel();
      return route.page === "session";
    case "go-to-file":
      if (route.page !== "session" || !mayDrive) return false;
      requestFileSearch();
      return true;
    case "shell":
      if (route.page !== "session") return false;
      if (route.terminal === undefined && !canShowShell(route.session, context)) return false;
      toggleShell(route.session, route.terminal, context.app);
      return true;
    case "next-file":
    case "previous-file":
    case "next-change":
    case "previous-change":
    case "mark-viewed":
    case "comment":
    case "send-review":
      return route.page === "session" && requestChangeKey(route.session, action);
    case "settings":
      go("/settings");
      return true;
    case "next-area":
      return focusNextRegion(event.shiftKey ? -1 : 1);
    case "help":
      openHelp();
      return true;
    default:
      return action satisfies never;
  }
}

function listInSidebarOrder(sessions: readonly Session[]): readonly string[] {
  const groups = groupSessions(sessions, { text: "", archived: false });
  return groups.flatMap((group) => group.sessions.map(({ id }) => id));
}

function goToSession({ route, sessions }: ActionContext, step: 1 | -1): boolean {
  const ids = listInSidebarOrder(sessions);
  const at = route.page === "session" ? ids.indexOf(route.session) : -1;
  if (at === -1) return openSession(step === 1 ? ids[0] : ids.at(-1));
  return openSession(ids[at + step]);
}

/** The session after this one that has an open request. */
function nextAsking({ route, asking }: ActionContext): string | undefined {
  const ids = [...new Set(asking)];
  const at = route.page === "session" ? ids.indexOf(route.session) : -1;
  return ids[(at + 1) % ids.length];
}

function openSession(id: string | undefined): boolean {
  if (id !== undefined) openSessionToWrite(id);
  return id !== undefined;
}

/** Whether the session has a shell, or this device may open one. */
function canShowShell(session: string, { app }: ActionContext): boolean {
  const isShell = (one: TerminalView) => one.session === session && one.kind === "shell";
  return mayDecide(app) || app.board.view.terminals.some(isShell);
}

/** Presses a guarded button of the session's first open request, as a click would (C16). */
function press(selector: string): boolean {
  const ask = document.querySelector(".asks-dock [data-status=open]");
  const button = ask?.querySelector<HTMLElement>(selector);
  button?.click();
  return button !== null && button !== undefined;
}

function isEmptyMessage(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement &&
    target.matches("[data-role=composer], [data-role=deny-words]") &&
    target.value === ""
  );
}
