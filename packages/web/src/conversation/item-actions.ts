import type { PromptContext } from "@signalbox/api";
import { AtSign, Copy, FileText, GitFork, History, Pencil } from "lucide-react";
import { type Body, type DisplayItem, type DisplayItemOf, isBody, isCut } from "../text/body.ts";
import { openRewind } from "../navigation/overlays.ts";
import { go, sessionPath } from "../navigation/router.ts";
import { emptyDraft } from "../store/drafts.ts";
import type { AppContext } from "../store/app-context.tsx";
import type { Action } from "../session-menu/actions.ts";
import { strings } from "../strings/strings.ts";
import { addMentionToDraft } from "./add-mention-to-draft.ts";
import { mentionItem, mentionItemFile } from "./item-mentions.ts";

const text = strings.conversation;

/** Where a fork begins, and the text that is put into its composer. */
export interface ForkPoint {
  readonly from: { readonly at: string } | { readonly before: string };
  readonly text: string;
  readonly context?: PromptContext;
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
  return {
    from: { before: getUuid(item) },
    text: mentionItem(item)?.text ?? "",
    ...(item.context && { context: item.context as PromptContext }),
  };
}

/** Whether the agent has stored the state of the files at an item. */
export function isRewindPoint(item: DisplayItem): item is DisplayItemOf<"prompt"> {
  return (
    item.kind === "prompt" && item.arrived && item.origin === "person" && item.parent === undefined
  );
}

/** The id by which the agent knows a message. It differs from the item's id if that was taken. */
export function getUuid({ id, uuid }: DisplayItemOf<"prompt">): string {
  return typeof uuid === "string" ? uuid : id;
}

/** The text of an item that can be copied. */
export function copyableBody(item: DisplayItem): Body | undefined {
  if (item.kind === "text") return item.text;
  if (item.kind === "prompt") return joinTexts(item.content);
  if (item.kind === "tool" && item.payload?.kind === "shell_exec") return item.payload.command;
  return undefined;
}

/** The text of a prompt, also if it has pictures beside it. */
function joinTexts(content: DisplayItemOf<"prompt">["content"]): Body | undefined {
  if (isBody(content)) return content;
  const texts = content.flatMap(({ text: part }) => (isBody(part) ? [part] : []));
  if (texts.length <= 1) return texts[0];
  const whole = texts.filter((part) => typeof part === "string");
  return whole.length < texts.length ? undefined : whole.join("\n\n");
}

/** Copies a whole text, fetching it first if the page has only its ends. */
export async function copyBody({ client, toasts }: AppContext, body: Body): Promise<void> {
  try {
    const whole = isCut(body) ? await (await client.blob(body.$blob)).text() : body;
    await navigator.clipboard.writeText(whole);
    toasts.show(text.copied);
  } catch (failure) {
    toasts.showError(text.couldNotCopy, failure);
  }
}

/** Forks a session at a point, and opens the copy. */
export async function forkSession(
  { client, drafts, toasts }: AppContext,
  session: string,
  { from, text: draft, context }: ForkPoint,
): Promise<void> {
  try {
    const { id } = await client.fork(session, from);
    if (draft !== "") drafts.set(id, { ...emptyDraft, text: draft, ...(context && { context }) });
    go(sessionPath(id));
  } catch (failure) {
    toasts.showError(text.couldNotFork, failure);
  }
}

const kindsWithActions: ReadonlySet<string> = new Set(["prompt", "text", "tool", "turn-end"]);
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
  const copy = copyableBody(item);
  if (copy !== undefined) {
    actions.push({ id: "copy", label: text.copy, icon: Copy, run: () => void copyBody(app, copy) });
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
