import { escapeForTerminal } from "@signalbox/protocol/text";
import { readFileSync } from "node:fs";
import { type PromptImage } from "@signalbox/host";
import { attachmentProblem } from "@signalbox/host/asks";
import { UsageError } from "./usage-error.ts";

export function readImage(file: string): PromptImage {
  const image = { data: readFileOrThrow(file), name: file };
  const why = attachmentProblem(image.data);
  if (why === undefined) return image;
  throw new UsageError(`Couldn't use the file ${escapeForTerminal(file)}: ${why}.`);
}

function readFileOrThrow(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`Couldn't read the file ${escapeForTerminal(file)}.`);
  }
}
