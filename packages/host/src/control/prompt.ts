import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ImageType, type PromptBlock, SignalboxError } from "@signalbox/protocol";
import type { Capabilities } from "../launch/driver.ts";
import { type FolderInside, openInside } from "../system/open-inside.ts";
import { imageProblem, imageType } from "./image.ts";

export interface Image {
  readonly data: Uint8Array;
  /** For messages to a person. */
  readonly name?: string;
}

export interface Prompt {
  readonly text: string;
  readonly images?: readonly Image[];
  /** Made by whoever sends, so that a resend is not run twice; made here if absent. */
  readonly uuid?: string;
}

/** What goes into the message: a plain text, or blocks when there are images. */
export async function promptContent(
  prompt: Prompt,
  capabilities: Pick<Capabilities, "images">,
  folder: string,
): Promise<string | PromptBlock[]> {
  const images = (prompt.images ?? []).map(checked);
  if (images.length === 0) return prompt.text;
  if (!capabilities.images) return textNamingFiles(prompt.text, await save(images, folder));
  const blocks = images.map((image): PromptBlock => {
    const source = { type: "base64", media_type: image.type, data: image.base64 } as const;
    return { type: "image", source };
  });
  return prompt.text === "" ? blocks : [{ type: "text", text: prompt.text }, ...blocks];
}

interface CheckedImage {
  readonly type: ImageType;
  readonly data: Uint8Array;
  readonly base64: string;
}

function checked({ data, name }: Image, index: number): CheckedImage {
  const why = imageProblem(data);
  const type = imageType(data);
  if (why !== undefined || !type) {
    const what = `The image ${name ?? index + 1} cannot be sent`;
    throw new SignalboxError("BAD_INPUT", { what, why: why ?? "it is of no known kind" });
  }
  return { type, data, base64: Buffer.from(data).toString("base64") };
}

/** For agents that take text alone: the images as files that they can read themselves. */
async function save(images: readonly CheckedImage[], folder: string): Promise<string[]> {
  const root = await realpath(folder);
  await using own = await ownFolder(root, ".", ".signalbox");
  await writeFile(join(own.path, ".gitignore"), "*\n", { flag: "wx" }).catch(() => {}); // there already
  await using place = await ownFolder(root, ".signalbox", "images");
  return await Promise.all(
    images.map(async ({ type, data }) => {
      const name = `${crypto.randomUUID()}.${type.slice("image/".length)}`;
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

function textNamingFiles(text: string, files: readonly string[]): string {
  const list = files.map((file) => `[Image: ${file}]`).join("\n");
  return text === "" ? list : `${list}\n\n${text}`;
}
