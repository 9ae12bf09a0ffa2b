import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SignalboxError } from "@signalbox/protocol";
import type { PromptBlock } from "@signalbox/protocol/wire";
import type { Capabilities } from "../launch/driver.ts";
import { type FolderInside, openInside } from "../system/open-inside.ts";
import { attachmentBlock, attachmentProblem, isPdf } from "./attachment.ts";
import { imageType } from "./image.ts";

/** A picture, or a PDF document. */
export interface PromptImage {
  readonly data: Uint8Array;
  /** For messages to a person. */
  readonly name?: string;
}

export interface Prompt {
  readonly text: string;
  readonly images?: readonly PromptImage[];
  /** Made by whoever sends, so that a resend is not run twice; made here if absent. */
  readonly uuid?: string;
}

/** What goes into the message: a plain text, or blocks when there are images. */
export async function promptContent(
  prompt: Prompt,
  capabilities: Pick<Capabilities, "images">,
  folder: string,
): Promise<string | PromptBlock[]> {
  const images = prompt.images ?? [];
  images.forEach(requireSendable);
  if (images.length === 0) return prompt.text;
  if (!capabilities.images) return textNamingFiles(prompt.text, await save(images, folder));
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

/** For agents that take text alone: the attachments as files that they can read themselves. */
async function save(images: readonly PromptImage[], folder: string): Promise<string[]> {
  const root = await realpath(folder);
  await using own = await ownFolder(root, ".", ".signalbox");
  await writeFile(join(own.path, ".gitignore"), "*\n", { flag: "wx" }).catch(() => {}); // there already
  await using place = await ownFolder(root, ".signalbox", "images");
  return await Promise.all(
    images.map(async ({ data }) => {
      const name = `${crypto.randomUUID()}.${fileExtension(data)}`;
      await writeFile(join(place.path, name), data, { mode: 0o600, flag: "wx" });
      return join(root, ".signalbox", "images", name);
    }),
  );
}

/** Made if it is missing. A repository, or whoever works in it, may have put a link in its place. */
async function ownFolder(root: string, above: string, name: string): Promise<FolderInside> {
  await using upper = await openInside(root, above);
  if (upper) await mkdir(join(upper.path, name), { mode: 0o700 }).catch(() => {}); // there already
  const made = upper && (await openInside(root, join(above, name)));
  if (made) return made;
  const what = "The images cannot be saved";
  const why = `${join(root, ".signalbox")} is a link to somewhere else, or cannot be written`;
  throw new SignalboxError("BAD_INPUT", { what, why });
}

function fileExtension(data: Uint8Array): string {
  return isPdf(data) ? "pdf" : (imageType(data)?.slice("image/".length) ?? "bin");
}

function textNamingFiles(text: string, files: readonly string[]): string {
  const list = files
    .map((file) => `[${file.endsWith(".pdf") ? "PDF" : "Image"}: ${file}]`)
    .join("\n");
  return text === "" ? list : `${list}\n\n${text}`;
}
