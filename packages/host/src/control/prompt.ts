import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "@signalbox/protocol";
import type { PromptBlock } from "@signalbox/protocol/wire";
import type { Capabilities } from "../launch/driver.ts";
import { type FolderInside, openInside } from "../system/open-inside.ts";
import { attachmentBlock, attachmentProblem, isPdf } from "./attachment.ts";
import { imageType } from "./image.ts";

/** An image, or a PDF document. */
export interface PromptImage {
  readonly data: Uint8Array;
  /** The name in messages to a person. */
  readonly name?: string;
}

export interface Prompt {
  readonly text: string;
  readonly images?: readonly PromptImage[];
  /**
   * Chosen by the sender, so that a resent prompt does not run twice; created here if undefined.
   */
  readonly uuid?: string;
}

/** Creates the content of the message: plain text, or blocks if there are images. */
export async function promptContent(
  prompt: Prompt,
  capabilities: Pick<Capabilities, "images">,
  folder: string,
): Promise<string | PromptBlock[]> {
  const images = prompt.images ?? [];
  images.forEach(requireSendable);
  if (images.length === 0) return prompt.text;
  if (!capabilities.images) return appendFileNames(prompt.text, await save(images, folder));
  const blocks = images.map(({ data, name }) => attachmentBlock(data, name));
  return prompt.text === "" ? blocks : [{ type: "text", text: prompt.text }, ...blocks];
}

function requireSendable({ data, name }: PromptImage, index: number): void {
  const why = attachmentProblem(data);
  if (why === undefined) return;
  throw new SignalboxError("BAD_INPUT", {
    what: `The file ${name ?? index + 1} cannot be sent`,
    why,
  });
}

/**
 * Saves attachments as files, for agents that accept only text and can read the files themselves.
 */
async function save(images: readonly PromptImage[], folder: string): Promise<string[]> {
  const root = await realpath(folder);
  await using own = await ownFolder(root, ".", ".signalbox");
  // exists already
  await writeFile(join(own.path, ".gitignore"), "*\n", { flag: "wx" }).catch(() => {});
  await using place = await ownFolder(root, ".signalbox", "images");
  return await Promise.all(
    images.map(async ({ data }) => {
      const name = `${crypto.randomUUID()}.${fileExtension(data)}`;
      await writeFile(join(place.path, name), data, { mode: 0o600, flag: "wx" });
      return join(root, ".signalbox", "images", name);
    }),
  );
}

/**
 * The folder is created if it is missing. The repository, or somebody who works in it, may have put
 * a link in its place.
 */
async function ownFolder(root: string, above: string, name: string): Promise<FolderInside> {
  await using upper = await openInside(root, above);
  if (upper) await mkdir(join(upper.path, name), { mode: 0o700 }).catch(() => {}); // exists already
  const made = upper && (await openInside(root, join(above, name)));
  if (made) return made;
  const what = "The images cannot be saved";
  const why = `${join(root, ".signalbox")} is a link to somewhere else, or cannot be written`;
  throw new SignalboxError("BAD_INPUT", { what, why });
}

function fileExtension(data: Uint8Array): string {
  return isPdf(data) ? "pdf" : (imageType(data)?.slice("image/".length) ?? "bin");
}

function appendFileNames(text: string, files: readonly string[]): string {
  const list = files
    .map((file) => `[${file.endsWith(".pdf") ? "PDF" : "Image"}: ${file}]`)
    .join("\n");
  return text === "" ? list : `${list}\n\n${text}`;
}
