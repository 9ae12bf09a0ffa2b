import type { Item } from "@signalbox/timeline";
import { HubRefusal } from "../refusal.ts";

/** The file that a background call prints to. The runner checks the file before it reads it. */
export function getOutputPath(item: Item): string {
  const payload = item.kind === "tool" ? item.payload : undefined;
  const path = payload?.kind === "shell_exec" ? payload.output?.backgroundOutputPath : undefined;
  if (typeof path === "string") return path;
  const detail = "This is not a background command, or it did not report its output file.";
  throw new HubRefusal(404, "no-output", detail);
}
