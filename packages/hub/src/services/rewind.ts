import type { ConversationBranches } from "@signalbox/api";
import type { RouteBody } from "@signalbox/api/routes";
import { formatLogMarker } from "@signalbox/protocol";
import type { Actor } from "../actor.ts";
import { HubRefusal } from "../refusal.ts";
import { adoptImported } from "../session/adopt-imported.ts";
import type { Session } from "../session/session.ts";
import { requireOutsideTrash } from "../session/trash.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { Store } from "../store/store.ts";
import { ConversationTree } from "./conversation-tree.ts";

type RewindTarget = RouteBody<"POST /api/sessions/:session/rewind">;

/** The branches of a session's conversation. */
export async function readBranches(store: Store, session: string): Promise<ConversationBranches> {
  const tree = await ConversationTree.read(store, session);
  return { current: tree.current, branches: tree.listBranches() };
}

/**
 * Lets a session continue after an earlier message, or after the end of a branch that was left. What came after it
 * stays in the log as a branch: the agent continues in a copy of its conversation, so that it keeps the other one.
 */
export async function rewindSession(
  store: Store,
  session: Session,
  target: RewindTarget,
  by: Actor,
  endRun: () => Promise<void>,
): Promise<void> {
  requireOutsideTrash(session.row);
  session.requireIdleElsewhere();
  const at = findTarget(await ConversationTree.read(store, session.id), target);
  session.requireRunParts(); // refuses before anything is changed
  await adoptImported(session, by);
  await endRun();
  const ingest = await session.loadIngest();
  ingest.addMarker(formatRewind(at?.uuid), null);
  await ingest.flush();
  const { takeUp: _, ...options } = session.row.options;
  await session.write(
    at
      ? {
          conversation: at.conversation,
          options: { ...options, takeUp: { at: at.uuid, fork: true } },
        }
      : { conversation: null, options },
  );
  await store.commit([createAuditChange("rewound", by, session.id, { at: at?.uuid ?? null })]);
}

/** The message after which to continue; undefined: none, the conversation begins again. */
function findTarget(
  tree: ConversationTree,
  { at, before }: RewindTarget,
): { readonly uuid: string; readonly conversation: string } | undefined {
  const named = at ?? before;
  const node = named === undefined ? undefined : tree.find(named);
  if (named === undefined || !node) throw createRefusal("This message is not in the conversation.");
  const uuid = at ?? node.parent;
  if (uuid === null) return undefined;
  const conversation = tree.find(uuid)?.conversation;
  if (conversation === undefined || !tree.isReachable(uuid)) {
    throw createRefusal("Claude Code does not have this message any more: it was cut off.");
  }
  return { uuid, conversation };
}

function createRefusal(detail: string): HubRefusal {
  return new HubRefusal(422, "no-such-message", detail);
}

function formatRewind(at: string | undefined): string {
  const text =
    at === undefined
      ? "The conversation begins again. What came before is kept as a branch."
      : "The conversation continues from an earlier message. What came after it is kept as a branch.";
  return formatLogMarker("remark", { level: "info", text, rewoundTo: at ?? null });
}
