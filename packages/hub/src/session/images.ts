import type { NewPrompt } from "@signalbox/api";
import { attachmentProblem } from "@signalbox/host/asks";
import { HubRefusal } from "../refusal.ts";
import type { Change, PromptRow, Store } from "../store/store.ts";

/**
 * Checks and encodes the attachments of a message before it is accepted, because an accepted message must be
 * deliverable.
 */
export function prepareImages(
  session: string,
  prompt: NewPrompt,
): { json: string; blobs: Change[] } {
  const blobs: Change[] = [];
  const images = (prompt.images ?? []).map(({ data, name }, index) => {
    const bytes = Uint8Array.from(Buffer.from(data, "base64"));
    const why = attachmentProblem(bytes);
    if (why !== undefined) {
      const detail = `The file ${name ?? index + 1} cannot be sent: ${why}.`;
      throw new HubRefusal(422, "bad-image", detail);
    }
    const hash = hashBytes(bytes);
    blobs.push({ kind: "blob", session, hash, bytes });
    return { blob: hash, bytes: bytes.length, ...(name !== undefined && { name }) };
  });
  return { json: JSON.stringify(images), blobs };
}

/** Reads the images of a stored message in the form in which they were sent. */
export function loadImages(
  store: Store,
  prompt: PromptRow,
): Promise<{ data: string; name?: string }[]> {
  const images = JSON.parse(prompt.images) as { blob: string; name?: string }[];
  return Promise.all(
    images.map(async ({ blob, name }) => {
      const stored = await store.blob(blob);
      // Whoever can write the database could put another image in its place.
      const bytes = stored && hashBytes(stored) === blob ? stored : new Uint8Array();
      const data = Buffer.from(bytes).toString("base64");
      return { data, ...(name !== undefined && { name }) };
    }),
  );
}

function hashBytes(bytes: Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
