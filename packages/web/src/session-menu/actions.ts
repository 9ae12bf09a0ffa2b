import type { Session } from "@signalbox/client";
import {
  Archive,
  ArchiveRestore,
  CirclePause,
  GitBranch,
  GitFork,
  type LucideIcon,
  Pencil,
  Pin,
  PinOff,
  Play,
  RotateCcw,
  RotateCw,
  Share,
  Square,
  SquareTerminal,
  Trash2,
} from "lucide-react";
import { requestConfirmation, type ConfirmOptions } from "../navigation/confirm.ts";
import { discardUnsent, hasUnsent } from "../store/unsent.ts";
import { openBranches, openExport, openRename } from "../navigation/overlays.ts";
import { go, sessionPath } from "../navigation/router.ts";
import { type AppContext, mayDecide } from "../store/app-context.tsx";
import { openShell } from "../terminal/shell-actions.ts";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { offerWorktree } from "./offer-worktree.ts";
import { changeSession, type UndoableChange } from "./change-session.ts";

const text = strings.menus;

/** An action of a session or item. */
export interface Action {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** What the action does, where its label does not say it. */
  readonly hint?: string;
  readonly isDestructive?: true;
  readonly run: () => void;
}

/** The actions that are available for a session. */
export function listSessionActions(session: Session, app: AppContext): readonly Action[] {
  const { client, toasts } = app;
  const { id } = session;
  const title = inert(session.title);
  /** Runs an action. `during` is shown while it takes long; stopping an agent may take twenty seconds. */
  const act =
    (during: string, what: string, work: () => Promise<unknown>, done?: () => void) => () => {
      const carryOut = async () => {
        try {
          await toasts.showWhile(during, work());
          done?.();
        } catch (failure) {
          toasts.showError(what, failure);
        }
      };
      void carryOut();
    };
  const change = (wanted: UndoableChange) => () => void changeSession(app, session, wanted);
  const alive = session.state === "running" || session.state === "starting";
  const actions: Action[] = [
    {
      id: "pin",
      label: session.pinned ? text.unpin : text.pin,
      icon: session.pinned ? PinOff : Pin,
      run: change({ pinned: !session.pinned }),
    },
    {
      id: "rename",
      label: text.rename,
      icon: Pencil,
      run: () => openRename(id),
    },
    {
      id: "fork",
      label: text.fork,
      icon: GitFork,
      hint: text.forkHint,
      run: act(text.forking(title), text.couldNotFork, async () => {
        const copy = await client.fork(id);
        go(sessionPath(copy.id));
      }),
    },
  ];
  if (session.summary.turns > 1) {
    actions.push({
      id: "branches",
      label: strings.branches.menu,
      icon: GitBranch,
      hint: strings.branches.menuHint,
      run: () => openBranches(id),
    });
  }
  actions.push({
    id: "export",
    label: text.export,
    icon: Share,
    hint: text.exportHint,
    run: () => openExport(id),
  });
  if (mayDecide(app)) {
    actions.push({
      id: "shell",
      label: strings.terminals.newShell,
      icon: SquareTerminal,
      hint: strings.terminals.newShellHint,
      run: () => void openShell(id, app),
    });
  }
  if (alive) {
    actions.push(
      {
        id: "park",
        label: text.park,
        icon: CirclePause,
        hint: text.parkHint,
        run: act(text.parking(title), text.couldNotPark, () => client.park(id)),
      },
      {
        id: "stop",
        label: text.stop,
        icon: Square,
        isDestructive: true,
        run: act(text.stopping(title), text.couldNotStop, () => client.stop(id)),
      },
    );
  } else {
    actions.push({
      id: "wake",
      label: session.state === "crashed" ? text.restart : text.start,
      icon: session.state === "crashed" ? RotateCw : Play,
      run: act(text.starting(title), text.couldNotStart, () => client.wake(id)),
    });
  }
  actions.push(
    {
      id: "retry",
      label: text.retry,
      icon: RotateCcw,
      run: act(text.retrying(title), text.couldNotRetry, () => client.retry(id)),
    },
    {
      id: "archive",
      label: session.archived ? text.unarchive : text.archive,
      icon: session.archived ? ArchiveRestore : Archive,
      run: session.archived
        ? change({ archived: false })
        : () => void offerWorktree(app, id, change({ archived: true })),
    },
    {
      id: "delete",
      label: text.delete,
      icon: Trash2,
      isDestructive: true,
      run: () => {
        const remove = act(
          text.deleting(title),
          text.couldNotDelete,
          () => client.deleteSession(id),
          () => {
            discardUnsent(id, app);
            go("/");
          },
        );
        void requestConfirmation(createDeleteConfirmation(session, app)).then((sure) =>
          sure ? offerWorktree(app, id, remove) : undefined,
        );
      },
    },
  );
  return actions;
}

/** The confirmation before a session is deleted. The number of its items is loaded meanwhile. */
function createDeleteConfirmation({ id, title, state }: Session, app: AppContext): ConfirmOptions {
  const { client } = app;
  const runs = state === "running" || state === "starting";
  const writes = hasUnsent(id, app);
  const count = async () => {
    const { items } = await client.items(id, { limit: 1 });
    const last = items.at(-1);
    return last ? text.deleteItems(last.order + 1) : text.deleteAll;
  };
  return {
    title: text.deleteTitle(inert(title)),
    text: text.deleteText(runs, writes),
    confirmLabel: text.deleteAll,
    exactLabel: count(),
  };
}
