import type { Session } from "@signalbox/client";
import { counted } from "../text/format.ts";
import { confirmed, type Question } from "../navigation/confirm.ts";
import { forgetWords, hasWords } from "../store/unsent.ts";
import { openRename } from "../navigation/overlays.ts";
import { go, sessionPath } from "../navigation/router.ts";
import type { World } from "../store/app-context.tsx";
import { changeSession, type Undoable } from "./change-session.ts";

/** Something that can be done with a session. */
export interface Action {
  readonly id: string;
  readonly words: string;
  readonly ends?: true;
  readonly run: () => void;
}

/** What can be done with a session as it stands. */
export function actionsOf(session: Session, world: World): readonly Action[] {
  const { client, toasts } = world;
  const { id } = session;
  /** `during`: what is said while it takes its time; an agent may need twenty seconds to end. */
  const act =
    (during: string, what: string, work: () => Promise<unknown>, done?: () => void) => () => {
      const carryOut = async () => {
        try {
          await toasts.during(`${during} "${session.title}"…`, work());
          done?.();
        } catch (failure) {
          toasts.fail(what, failure);
        }
      };
      void carryOut();
    };
  const change = (wanted: Undoable) => () => void changeSession(world, session, wanted);
  const alive = session.state === "running" || session.state === "starting";
  const actions: Action[] = [
    {
      id: "pin",
      words: session.pinned ? "Unpin" : "Pin to the top",
      run: change({ pinned: !session.pinned }),
    },
    {
      id: "rename",
      words: "Rename…",
      run: () => openRename(id),
    },
    {
      id: "fork",
      words: "Fork: go on in a copy",
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
        words: "Park: give the process back",
        run: act("Parking", "It was not parked", () => client.park(id)),
      },
      {
        id: "stop",
        words: "Stop the process",
        ends: true,
        run: act("Stopping", "It was not stopped", () => client.stop(id)),
      },
    );
  } else {
    actions.push({
      id: "wake",
      words: "Start the process",
      run: act("Starting", "It was not started", () => client.wake(id)),
    });
  }
  actions.push(
    {
      id: "retry",
      words: "Try the last message again",
      run: act("Trying again:", "It was not tried again", () => client.retry(id)),
    },
    {
      id: "archive",
      words: session.archived ? "Bring back from the archive" : "Archive",
      run: change({ archived: !session.archived }),
    },
    {
      id: "delete",
      words: "Delete with everything in it…",
      ends: true,
      run: () => {
        const remove = act(
          "Deleting",
          "It was not deleted",
          () => client.deleteSession(id),
          () => {
            forgetWords(id, world);
            go("/");
          },
        );
        void confirmed(deletion(session, world)).then((sure) => sure && remove());
      },
    },
  );
  return actions;
}

/** What is asked before a session is deleted; how many items it has is found out meanwhile. */
function deletion({ id, title, state }: Session, world: World): Question {
  const { client } = world;
  const runs = state === "running" || state === "starting";
  const writes = hasWords(id, world);
  const count = async () => {
    const { items } = await client.items(id, { limit: 1 });
    const last = items.at(-1);
    return last ? `Delete the session and its ${counted(last.order + 1, "item")}` : DELETE;
  };
  return {
    title: `Delete "${title}"?`,
    text: `${runs ? "Its agent is ended. " : ""}Everything said and done in it is deleted here${writes ? ", and what you wrote for it and did not send" : ""}; that cannot be undone. What it changed on the disk stays, and so do its entries in the audit log.`,
    does: DELETE,
    exactly: count(),
  };
}
const DELETE = "Delete the session and all its items";
