import { text } from "node:stream/consumers";
import type { NewPrompt } from "@signalbox/client";
import { readImage } from "../read-image.ts";
import { UsageError } from "../usage-error.ts";

/** A message from the command line; `-` reads standard input. Undefined: there is none. */
export async function readPrompt(
  words: readonly string[],
  imageFiles: readonly string[],
): Promise<NewPrompt | undefined> {
  const images = imageFiles.map((file) => {
    const { data, name } = readImage(file);
    return { data: Buffer.from(data).toString("base64"), ...(name !== undefined && { name }) };
  });
  const given = words.join(" ");
  const said = given === "-" ? (await text(process.stdin)).trim() : given;
  if (given === "-" && said === "") throw new UsageError("Standard input is empty.");
  if (said === "" && images.length === 0) return undefined;
  return { text: said, ...(images.length > 0 && { images }) };
}
