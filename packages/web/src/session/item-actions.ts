import type { ShownItem } from "../items/body.ts";
import { openRewind } from "../shell/overlays.ts";
import { go, sessionPath } from "../shell/router.ts";
import { emptyDraft } from "../store/drafts.ts";
import type { World } from "../store/world.tsx";
import type { Action } from "./actions.ts";
import { mentionInComposer } from "./mention-in-composer.ts";
import { mentionOf } from "./mention-of.ts";

/** Where a fork begins: after a message, and with what is to be said differently. */
export interface ForkPoint {
  readonly at: string;
  readonly text: string;
}

/**
 * The end of a turn is gone on from; a message of a person is taken back, so that it can be said
 * differently: its fork begins at the end of the turn before it. The first one has none.
 */
export function forkPoint(item: ShownItem, before: readonly ShownItem[]): ForkPoint | undefined {
  if (item.kind === "turn-end") return endOf(item);
  if (!isRewindPoint(item)) return undefined;
  const end = before.findLast(({ kind }) => kind === "turn-end");
  const point = end && endOf(end);
  return point && { ...point, text: mentionOf(item)?.text ?? "" };
}

function endOf(item: ShownItem): ForkPoint | undefined {
  if (item.kind !== "turn-end" || typeof item.lastUuid !== "string") return undefined;
  return { at: item.lastUuid, text: "" };
}

/** Whether the agent keeps how files stood when an item was said. */
export function isRewindPoint(item: ShownItem): boolean {
  return (
    item.kind === "prompt" && item.arrived && item.origin === "person" && item.parent === undefined
  );
}

const kinds: ReadonlySet<string> = new Set(["prompt", "text", "tool", "turn-end"]);
/** Whether there may be something to do with an item: cheap, since it is asked of each one in sight. */
export function hasActions({ kind }: ShownItem): boolean {
  return kinds.has(kind);
}

/** What can be done with one item of a session. */
export function itemActionsOf(
  item: ShownItem,
  before: readonly ShownItem[],
  session: string,
  world: World,
): readonly Action[] {
  const { client, toasts, board, drafts } = world;
  const actions: Action[] = [];
  const mention = mentionOf(item, board.view.session(session)?.folder);
  if (mention) {
    actions.push({
      id: "mention",
      words: "Mention in my message",
      run: () => mentionInComposer(world, session, mention),
    });
  }
  const point = forkPoint(item, before);
  if (point) {
    const fork = async () => {
      try {
        const { id } = await client.fork(session, { at: point.at });
        if (point.text !== "") drafts.set(id, { ...emptyDraft, text: point.text });
        go(sessionPath(id));
      } catch (failure) {
        toasts.fail("It was not forked", failure);
      }
    };
    actions.push({
      id: "fork",
      words: item.kind === "prompt" ? "Fork from here: say it differently" : "Fork from here",
      run: () => void fork(),
    });
  }
  if (isRewindPoint(item)) {
    actions.push({
      id: "rewind",
      words: "Put files back to here…",
      run: () => openRewind(session, item.uuid ?? item.id),
    });
  }
  return actions;
}
