import type { NewPrompt } from "@signalbox/api";
import type { Item } from "@signalbox/timeline";
import type { Store } from "../store/store.ts";

const PAGE = 200;

export interface LastPrompt {
  readonly id: string;
  readonly prompt: NewPrompt;
  /** The last good message before the prompt; undefined: there was none. */
  readonly resumePoint: string | undefined;
}

/**
 * The last message that a person sent, with its images and context, and the point of the conversation at which it was
 * sent. `waits`: another message is being sent already, and a retry repeats that one.
 */
export async function findLastPrompt(
  store: Store,
  session: string,
  waits: boolean,
): Promise<LastPrompt | "rewound" | undefined> {
  let lastPrompt: Extract<Item, { kind: "prompt" }> | undefined;
  for await (const item of iterateNewestFirst(store, session)) {
    if (!lastPrompt) {
      if (waits && item.kind === "notice" && getResumePoint(item) !== undefined) return "rewound";
      if (isPersonPrompt(item)) lastPrompt = item;
      continue;
    }
    const after = getResumePoint(item);
    if (after !== undefined) return createLastPrompt(store, lastPrompt, after ?? undefined);
  }
  return lastPrompt && createLastPrompt(store, lastPrompt, undefined);
}

/** The message after which this item was written; null: none. Items that a retry cut off are skipped. */
function getResumePoint(item: Item): string | null | undefined {
  if (item.kind === "turn-end") return item.lastUuid;
  if (item.kind !== "notice") return undefined;
  return (item.details as { rewoundTo?: string | null } | undefined)?.rewoundTo;
}

async function createLastPrompt(
  store: Store,
  lastPrompt: Extract<Item, { kind: "prompt" }>,
  after: string | undefined,
): Promise<LastPrompt> {
  const { id, uuid = id, context } = lastPrompt;
  const prompt = { ...(await readPrompt(store, lastPrompt)), ...(context && { context }) };
  return { id: uuid, prompt, resumePoint: after };
}

function isPersonPrompt(item: Item): item is Extract<Item, { kind: "prompt" }> {
  return item.kind === "prompt" && item.origin === "person" && item.parent === undefined;
}

async function* iterateNewestFirst(store: Store, session: string): AsyncGenerator<Item> {
  let before: number | undefined;
  for (;;) {
    const rows = await store.itemsBefore(session, before, PAGE);
    for (const { json } of rows.toReversed()) yield JSON.parse(json) as Item;
    before = rows[0]?.order;
    if (before === undefined) return;
  }
}

async function readPrompt(
  store: Store,
  item: Extract<Item, { kind: "prompt" }>,
): Promise<NewPrompt> {
  const { content } = item;
  if (typeof content === "string" || "$blob" in content)
    return { text: await readText(store, content) };
  const parts = await Promise.all(
    content.map(async (part) => {
      if (part.type === "text") return { text: await readText(store, part["text"]) };
      const source = part["source"] as { data?: unknown } | undefined;
      const isFile = part.type === "image" || part.type === "document";
      const title = part["title"];
      return isFile
        ? {
            data: await readText(store, source?.data),
            ...(typeof title === "string" && { name: title }),
          }
        : {};
    }),
  );
  const images = parts.flatMap((part) => ("data" in part ? [part] : []));
  const text = parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n");
  return { text, ...(images.length > 0 && { images }) };
}

/** Reads a text in full: a long one is stored as a blob outside of its item. */
async function readText(store: Store, value: unknown): Promise<string> {
  if (typeof value === "string") return value;
  const hash = (value as { $blob?: unknown } | undefined)?.$blob;
  const bytes = typeof hash === "string" ? await store.blob(hash) : undefined;
  return bytes ? new TextDecoder().decode(bytes) : "";
}
