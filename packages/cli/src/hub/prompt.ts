import { text } from "node:stream/consumers";
import type { NewPrompt } from "@signalbox/client";
import { readImage } from "../read-image.ts";
import { UsageError } from "../usage-error.ts";

/** Reads a message from the arguments, or from standard input for `-`. Undefined if there is none. */
export async function readPrompt(
  words: readonly string[],
  imageFiles: readonly string[],
): Promise<NewPrompt | undefined> {
  const images = imageFiles.map((file) => {
    const { data, name } = readImage(file);
    return { data: Buffer.from(data).toString("base64"), ...(name !== undefined && { name }) };
  });
  const given = words.join(" ");
  const message = given === "-" ? (await text(process.stdin)).trim() : given;
  if (given === "-" && message === "") throw new UsageError("Standard input is empty.");
  if (message === "" && images.length === 0) return undefined;
  return { text: message, ...(images.length > 0 && { images }) };
}
