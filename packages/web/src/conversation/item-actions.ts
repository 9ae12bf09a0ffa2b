import type { PromptContext } from "@signalbox/api";
import { AtSign, Copy, FileText, GitFork, History, Pencil } from "lucide-react";
import { type Body, type DisplayItem, type DisplayItemOfKind, isCut } from "../text/body.ts";
import { openRewind } from "../navigation/overlays.ts";
import { go, sessionPath } from "../navigation/router.ts";
import { emptyDraft } from "../store/drafts.ts";
import type { AppContext } from "../store/app-context.tsx";
import type { Action } from "../session-menu/actions.ts";
import { strings } from "../strings/strings.ts";
import { addMentionToDraft } from "./add-mention-to-draft.ts";
import { listCopyableTexts } from "./copyable-texts.ts";
import { mentionItem, mentionItemFile } from "./item-mentions.ts";
import { listFiles, loadFiles, type PromptFile } from "./prompt-files.ts";

const text = strings.conversation;

/** Where a fork begins, and the text that is put into its composer. */
interface ForkPoint {
  readonly from: { readonly at: string } | { readonly before: string };
  readonly text: string;
  readonly context?: PromptContext;
  /** The pictures and PDFs that are attached in its composer. */
  readonly files?: readonly PromptFile[];
}

/**
 * A fork at the end of a turn continues from there. A fork at a person's message begins before it, so that it
 * can be reworded.
 */
export function forkPoint(item: DisplayItem): ForkPoint | undefined {
  if (item.kind === "turn-end") {
    return typeof item.lastUuid === "string"
      ? { from: { at: item.lastUuid }, text: "" }
      : undefined;
  }
  if (!isRewindPoint(item)) return undefined;
  const files = listFiles(item.content);
  return {
    from: { before: getUuid(item) },
    text: mentionItem(item)?.text ?? "",
    ...(item.context && { context: item.context as PromptContext }),
    ...(files.length > 0 && { files }),
  };
}

/** Whether the agent has stored the state of the files at an item. */
export function isRewindPoint(item: DisplayItem): item is DisplayItemOfKind<"prompt"> {
  return (
    item.kind === "prompt" && item.arrived && item.origin === "person" && item.parent === undefined
  );
}

/** The id by which the agent knows a message. It differs from the item's id if that was taken. */
export function getUuid({ id, uuid }: DisplayItemOfKind<"prompt">): string {
  return typeof uuid === "string" ? uuid : id;
}

/** Copies whole texts, fetching those of which the page has only the ends. */
export async function copyBodies(
  { client, toasts }: AppContext,
  bodies: readonly Body[],
): Promise<void> {
  try {
    const whole = await Promise.all(
      bodies.map(async (body) =>
        isCut(body) ? (await client.blob(body.$blob)).text() : Promise.resolve(body),
      ),
    );
    await navigator.clipboard.writeText(whole.join("\n"));
    toasts.show(text.copied);
  } catch (failure) {
    toasts.showError(text.couldNotCopy, failure);
  }
}

/** Forks a session at a point, and opens the copy. */
export async function forkSession(
  { client, drafts, toasts }: AppContext,
  session: string,
  { from, text: draft, context, files = [] }: ForkPoint,
): Promise<void> {
  try {
    const images = await loadFiles(client, files);
    const { id } = await client.fork(session, from);
    if (draft !== "" || images.length > 0) {
      drafts.set(id, { ...emptyDraft, text: draft, images, ...(context && { context }) });
    }
    go(sessionPath(id));
  } catch (failure) {
    toasts.showError(text.couldNotFork, failure);
  }
}

const kindsWithActions: ReadonlySet<string> = new Set([
  "prompt",
  "text",
  "thinking",
  "tool",
  "turn-end",
]);
/** Whether an item may have actions. Cheap, because it runs for every visible item. */
export function hasActions({ kind }: DisplayItem): boolean {
  return kindsWithActions.has(kind);
}

/** The actions that are available for an item. */
export function listItemActions(
  item: DisplayItem,
  session: string,
  app: AppContext,
): readonly Action[] {
  const { board } = app;
  const actions: Action[] = [];
  for (const { id, label, bodies } of listCopyableTexts(item)) {
    actions.push({ id, label, icon: Copy, run: () => void copyBodies(app, bodies) });
  }
  const mention = mentionItem(item, board.view.session(session)?.folder);
  if (mention) {
    actions.push({
      id: "mention",
      label: text.mention,
      icon: AtSign,
      run: () => addMentionToDraft(app, session, mention),
    });
  }
  const file = mentionItemFile(item, board.view.session(session)?.folder);
  if (file) {
    actions.push({
      id: "mention-file",
      label: text.mentionFile,
      icon: FileText,
      run: () => addMentionToDraft(app, session, file),
    });
  }
  const point = forkPoint(item);
  if (point) {
    actions.push({
      id: "fork",
      label: item.kind === "prompt" ? text.editAndFork : text.fork,
      icon: item.kind === "prompt" ? Pencil : GitFork,
      run: () => void forkSession(app, session, point),
    });
  }
  if (isRewindPoint(item)) {
    actions.push({
      id: "rewind",
      label: text.restoreFiles,
      icon: History,
      run: () => openRewind(session, getUuid(item)),
    });
  }
  return actions;
}
