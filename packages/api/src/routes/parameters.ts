import * as z from "zod";
import { filePath, uuidText } from "../schemas/values.ts";

/** The parameters of paths, by name. */
export const pathParameters = {
  session: uuidText.describe("The id of a session."),
  prompt: uuidText.describe("The id of a message."),
  ask: uuidText.describe("The id of an ask."),
  device: uuidText.describe("The id of a device."),
  terminal: uuidText.describe("The id of a terminal."),
  elevation: uuidText.describe("The id of a terminal's request to approve."),
  item: z.string().min(1).max(500).describe("The id of an item."),
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("The SHA-256 of a body, in hexadecimal."),
} as const;

export const position = z.coerce.number<string>().int().min(0);
export const pageLimit = z.coerce
  .number<string>()
  .int()
  .min(1)
  .max(1000)
  .default(100)
  .describe("How many entries at most.");
export const runnerQuery = uuidText
  .optional()
  .describe("The id of a runner; the hub's own unless given.");
export const folderQuery = filePath.describe("The path of a folder on the runner's machine.");
