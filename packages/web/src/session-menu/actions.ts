import type { Session } from "@signalbox/client";
import { formatCount } from "../text/format.ts";
import { requestConfirmation, type ConfirmOptions } from "../navigation/confirm.ts";
import { discardUnsent, hasUnsent } from "../store/unsent.ts";
import { openRename } from "../navigation/overlays.ts";
import { go, sessionPath } from "../navigation/router.ts";
import type { AppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import { changeSession, type UndoableChange } from "./change-session.ts";

const text = strings.menus;

/** An action of a session or item. */
export interface Action {
  readonly id: string;
  readonly label: string;
  readonly isDestructive?: true;
  readonly run: () => void;
}

/** The actions that are available for a session. */
export function listSessionActions(session: Session, app: AppContext): readonly Action[] {
  const { client, toasts } = app;
  const { id } = session;
  /** Runs an action. `during` is shown while it takes long; stopping an agent may take twenty seconds. */
  const act =
    (during: string, what: string, work: () => Promise<unknown>, done?: () => void) => () => {
      const carryOut = async () => {
        try {
          await toasts.showWhile(`${during} "${session.title}"…`, work());
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
      run: change({ pinned: !session.pinned }),
    },
    {
      id: "rename",
      label: text.rename,
      run: () => openRename(id),
    },
    {
      id: "fork",
      label: text.fork,
      run: act("Copying", "It was not forked", async () => {
        const copy = await client.fork(id);
        go(sessionPath(copy.id));
      }),
    },
  ];
  if (alive) {
    actions.push(
      {
        id: "park",
        label: text.park,
        run: act("Parking", "It was not parked", () => client.park(id)),
      },
      {
        id: "stop",
        label: text.stop,
        isDestructive: true,
        run: act("Stopping", "It was not stopped", () => client.stop(id)),
      },
    );
  } else {
    actions.push({
      id: "wake",
      label: text.start,
      run: act("Starting", "It was not started", () => client.wake(id)),
    });
  }
  actions.push(
    {
      id: "retry",
      label: text.retry,
      run: act("Trying again:", "It was not tried again", () => client.retry(id)),
    },
    {
      id: "archive",
      label: session.archived ? text.unarchive : text.archive,
      run: change({ archived: !session.archived }),
    },
    {
      id: "delete",
      label: text.delete,
      isDestructive: true,
      run: () => {
        const remove = act(
          "Deleting",
          "It was not deleted",
          () => client.deleteSession(id),
          () => {
            discardUnsent(id, app);
            go("/");
          },
        );
        void requestConfirmation(createDeleteConfirmation(session, app)).then(
          (sure) => sure && remove(),
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
    return last
      ? `Delete the session and its ${formatCount(last.order + 1, "item")}`
      : DELETE_LABEL;
  };
  return {
    title: `Delete "${title}"?`,
    text: `${runs ? "Its agent is ended. " : ""}Everything said and done in it is deleted here${writes ? ", and what you wrote for it and did not send" : ""}; that cannot be undone. What it changed on the disk stays, and so do its entries in the audit log.`,
    confirmLabel: DELETE_LABEL,
    exactLabel: count(),
  };
}
const DELETE_LABEL = "Delete the session and all its items";
