import type { HubClient } from "@signalbox/client";
import type { Attachment } from "../store/attachment.ts";
import { type Body, type DisplayItemOfKind, isBody, isCut } from "../text/body.ts";

/** A file of a message. Large ones are fetched when they are needed. */
export interface PromptFile {
  readonly data: Body;
  readonly name?: string;
}

/** The pictures and PDFs of a message. */
export function listFiles(content: DisplayItemOfKind<"prompt">["content"]): readonly PromptFile[] {
  if (isBody(content)) return [];
  return content.flatMap((part) => {
    if (part.type !== "image" && part.type !== "document") return [];
    const { data } = (part["source"] ?? {}) as { data?: unknown };
    const name = part["title"];
    return isBody(data) ? [{ data, ...(typeof name === "string" && { name }) }] : [];
  });
}

/** The files as attachments of a draft. */
export function loadFiles(
  client: Pick<HubClient, "blob">,
  files: readonly PromptFile[],
): Promise<readonly Attachment[]> {
  return Promise.all(
    files.map(async ({ data, name }) => ({
      data: isCut(data) ? await (await client.blob(data.$blob)).text() : data,
      ...(name !== undefined && { name }),
    })),
  );
}
